#include "host/simulation/bodies/frames.hpp"

#include <algorithm>
#include <cmath>

#include "host/simulation/bodies/clear_rows.hpp"

namespace nodia {

std::vector<RodLink> links_of(const CableDescription& cable) {
  return polyline_rod(cable.points_m, {}, cable.links);
}

Frames::Frames(const Scene& scene, BodyLayout* layout)
    : scene_(scene), first_row_(layout->n_row()) {
  for (const RigidBodyDescription& body : scene.rigid_bodies) add_rigid(body, layout);
  for (const CableDescription& cable : scene.cables) {
    const std::vector<RodLink> links = links_of(cable);
    model_.add_rod(links, RodSection::circle(cable.radius_m), cable.material);
    for (const RodLink& link : links)
      add_start({link.pose, {}, {}, {}, link.pose.position - links.front().pose.position});
    layout->add(BodyKind::chain, static_cast<std::int32_t>(links.size()));
  }
  for (const CompoundDescription& compound : scene.compounds) add_rigid(compound, layout);
}

void Frames::add_start(const Start& start) {
  start_.push_back(start);
}

void Frames::add_rigid(const RigidDescription& body, BodyLayout* layout) {
  model_.add_rigid_body(body.mass_kg, body.inertia_kg_m2);
  add_start({frame_pose(body.pose), body.velocity_m_s, body.angular_velocity_rad_s, body.force_N,
             Vec3d{}});
  layout->add(BodyKind::rigid, 1);
}

void Frames::add_couplings(Couplings* couplings) const {
  const Couplings own = model_.couplings(first_row_);
  couplings->insert(couplings->end(), own.begin(), own.end());
}

void Frames::add_rest(std::vector<Vec3d>* rest) const {
  for (const Start& start : start_) rest->insert(rest->end(), kLinkRows, start.rest);
}

void Frames::bind(const std::shared_ptr<const BlockPattern>& pattern) {
  pattern_ = pattern;
  model_.bind(*pattern, first_row_);
}

void Frames::add_mass(std::vector<double>* mass) {
  const std::vector<double> own = model_.mass_bound();
  mass->insert(mass->end(), own.begin(), own.end());
}

void Frames::add_initial(State* state) const {
  for (const Start& start : start_) {
    state->frames.push_back(start.pose);
    state->v.push_back(start.velocity);
    state->v.push_back(start.angular_velocity);
  }
}

void Frames::update_kinematics(const State& state, std::vector<double>*) {
  pose_.resize(start_.size());
  poses(state, pose_.data());
}

void Frames::fall(Vec3d* v) const {
  const double t = scene_.time.step_s;
  const Vec3d gained = t * scene_.gravity_m_s2;
  for (int f = 0; f < model_.n_frame(); ++f) {
    Vec3d& linear = v[first_row_ + kLinkRows * f];
    linear += gained;
    linear += (t / model_.mass_kg(f)) * start_[static_cast<std::size_t>(f)].force;
  }
}

FrameModel::Step Frames::step(const State& state) const {
  position_.resize(start_.size());
  orientation_.resize(start_.size());
  external_.assign(2 * start_.size(), Vec3d{});
  for (std::size_t f = 0; f < start_.size(); ++f) {
    position_[f] = state.frames[static_cast<std::size_t>(f)].position;
    orientation_[f] = state.frames[static_cast<std::size_t>(f)].orientation;
    external_[2 * f] = start_[f].force;
  }
  FrameModel::Step step;
  step.position = position_.data();
  step.orientation = orientation_.data();
  step.velocity = state.v.data() + first_row_;
  step.expected = expected_.empty() ? nullptr : expected_.data();
  step.time = scene_.time;
  step.gravity = scene_.gravity_m_s2;
  step.external = external_.data();
  step.joint_directions = scene_.time.joint_directions;
  step.geometric_stiffness = scene_.time.geometric_stiffness;
  return step;
}

bool Frames::is_expected(const State& start, const Vec3d* v_hat) const {
  FrameModel::Step expected;  // what is_expected() reads
  expected.time = scene_.time;
  expected.joint_directions = scene_.time.joint_directions;
  expected.velocity = start.v.data() + first_row_;
  expected.expected = expected_.empty() ? nullptr : expected_.data();
  return model_.n_joint() == 0 || model_.is_expected(expected, v_hat + first_row_);
}

bool Frames::expect(const State& start, const Vec3d* v_hat, double share) {
  if (is_expected(start, v_hat)) return false;
  if (expected_.empty())
    expected_.assign(start.v.begin() + first_row_, start.v.begin() + end_row());
  for (std::size_t i = 0; i < expected_.size(); ++i)
    expected_[i] += share * (v_hat[static_cast<std::size_t>(first_row_) + i] - expected_[i]);
  return true;
}

std::vector<JointLoad> Frames::joint_loads(const std::vector<int>& joints, const State& start,
                                           const Vec3d* v_hat) const {
  const FrameModel::Step now = step(start);
  std::vector<JointLoad> loads;
  loads.reserve(joints.size());
  for (const int joint : joints) loads.push_back(model_.joint_load(joint, now, v_hat + first_row_));
  return loads;
}

void Frames::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  clear_rows(*pattern_, first_row_, end_row(), value, b);
  if (model_.n_frame() > 0) model_.assemble(step(in.state), value, b + first_row_);
  if (!in.external_force) return;
  for (std::int32_t row = first_row_; row < end_row(); ++row) b[row] += (*in.external_force)[row];
}

void Frames::positions(const State& state, Vec3d* position) const {
  Vec3d* of_frame = position + first_row_;
  for (int f = 0; f < model_.n_frame(); ++f)
    of_frame = std::fill_n(of_frame, kLinkRows, state.frames[static_cast<std::size_t>(f)].position);
}

bool Frames::advance(const Vec3d* v_hat, const State& state, int, State* next) const {
  if (model_.n_frame() == 0) return true;
  const FrameModel::Step now = step(state);
  std::vector<Vec3d> position = position_;
  std::vector<Quaternion> orientation = orientation_;
  model_.advance(now, v_hat + first_row_, position.data(), orientation.data(),
                 next->v.data() + first_row_);
  bool finite = true;
  for (std::size_t f = 0; f < position.size(); ++f) {
    next->frames[f] = {position[f], orientation[f]};
    const Quaternion o = orientation[f];
    finite = finite && is_finite(position[f]) && std::isfinite(o.w + o.x + o.y + o.z);
  }
  return finite && std::all_of(next->v.begin() + first_row_, next->v.begin() + end_row(),
                               [](Vec3d a) { return is_finite(a); });
}

void Frames::poses(const State& state, Pose* pose) const {
  for (int f = 0; f < model_.n_frame(); ++f)
    pose[f] = matrix_pose(state.frames[static_cast<std::size_t>(f)]);
}

void Frames::twists(const Pose*, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  for (int f = 0; f < model_.n_frame(); ++f) {
    const auto row = static_cast<std::size_t>(first_row_ + kLinkRows * f);
    twist[f] = {v[row], v[row + 1]};
  }
}

void Frames::add_point(const State& state, std::int32_t frame, Vec3d point,
                       ContactPoints* points) const {
  const std::int32_t row = first_row_ + kLinkRows * frame;
  points->add(row, Mat3d::identity());
  points->add(row + 1, -1.0 * skew(point - state.frames[static_cast<std::size_t>(frame)].position));
}

double Frames::kinetic_energy(const State& state, int) const {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  return model_.kinetic_energy(now.orientation, now.velocity);
}

double Frames::potential_energy(const State& state, int) {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  double energy = model_.elastic_energy(now.position, now.orientation);
  for (int f = 0; f < model_.n_frame(); ++f)
    energy -= model_.mass_kg(f) *
              dot(scene_.gravity_m_s2, state.frames[static_cast<std::size_t>(f)].position);
  return energy;
}

void Frames::add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const {
  std::int32_t frame = first_frame;
  for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b)
    add_shapes(scene_.rigid_bodies[b], {ObjectKind::rigid_body, static_cast<std::int32_t>(b), 0},
               frame++, surfaces);
  for (std::size_t c = 0; c < scene_.cables.size(); ++c) {
    const CableDescription& cable = scene_.cables[c];
    RodSurface rod;
    rod.first_frame = frame;
    rod.n_link = cable.links;
    rod.radius_m = cable.radius_m;
    rod.link_length_m = length_of(cable) / cable.links;
    rod.contact = cable.contact;
    rod.self_contact = cable.self_contact;
    const ObjectId id{ObjectKind::cable, static_cast<std::int32_t>(c), 0};
    surfaces->add_rod(
        {id, surface_material(cable), rod.first_frame, cable.contact == RodContact::link_centres},
        rod);
    frame += cable.links;
  }
  for (std::size_t k = 0; k < scene_.compounds.size(); ++k)
    add_shapes(scene_.compounds[k], {ObjectKind::compound, static_cast<std::int32_t>(k), 0},
               frame++, surfaces);
}

}  // namespace nodia

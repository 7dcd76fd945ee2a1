#include "host/simulation/bodies/frames.hpp"

#include <algorithm>
#include <cmath>

#include "host/simulation/bodies/clear_rows.hpp"

namespace nodia {

Frames::Frames(const Scene& scene, BodyLayout* layout) : scene_(scene), layout_(*layout) {
  for (const RigidBodyDescription& body : scene.rigid_bodies)
    model_.add_rigid_body(body.mass_kg, body.inertia_kg_m2);
  layout->cable_frame.front() = model_.n_frame();
  for (const CableDescription& cable : scene.cables) {
    links_.push_back(polyline_rod(cable.points_m, {}, cable.links));
    model_.add_rod(links_.back(), RodSection::circle(cable.radius_m), cable.material);
    layout->cable_frame.push_back(model_.n_frame());
  }
  layout->robot_row.front() = layout->frame_row(model_.n_frame());
}

void Frames::add_couplings(Couplings* couplings) const {
  const Couplings own = model_.couplings(layout_.first_frame_row);
  couplings->insert(couplings->end(), own.begin(), own.end());
}

void Frames::add_bodies(std::vector<Body>* bodies) const {
  const auto add = [&](BodyKind kind, std::int32_t first_frame, std::int32_t end_frame) {
    const std::int32_t first = layout_.frame_row(first_frame), end = layout_.frame_row(end_frame);
    if (end > first) bodies->push_back({kind, first, end - first});
  };
  for (std::int32_t f = 0; f < layout_.cable_frame.front(); ++f) add(BodyKind::rigid, f, f + 1);
  for (std::size_t k = 0; k + 1 < layout_.cable_frame.size(); ++k)
    add(BodyKind::chain, layout_.cable_frame[k], layout_.cable_frame[k + 1]);
}

void Frames::add_rest(std::vector<Vec3d>* rest) const {
  rest->resize(static_cast<std::size_t>(layout_.frame_row(layout_.cable_frame.front())));
  for (const std::vector<RodLink>& cable : links_)
    for (const RodLink& link : cable)
      rest->insert(rest->end(), kLinkRows, link.pose.position - cable.front().pose.position);
}

void Frames::bind(const std::shared_ptr<const BlockPattern>& pattern) {
  pattern_ = pattern;
  model_.bind(*pattern, layout_.first_frame_row);
}

void Frames::add_mass(std::vector<double>* mass) {
  const std::vector<double> own = model_.mass_bound();
  mass->insert(mass->end(), own.begin(), own.end());
}

void Frames::add_initial(State* state) const {
  for (const RigidBodyDescription& body : scene_.rigid_bodies) {
    state->frames.push_back(frame_pose(body.pose));
    state->v.push_back(body.velocity_m_s);
    state->v.push_back(body.angular_velocity_rad_s);
  }
  for (const std::vector<RodLink>& cable : links_)
    for (const RodLink& link : cable) state->frames.push_back(link.pose);
  state->v.resize(static_cast<std::size_t>(layout_.frame_row(model_.n_frame())));
}

FrameModel::Step Frames::step(const State& state) const {
  position_.resize(state.frames.size());
  orientation_.resize(state.frames.size());
  external_.assign(2 * state.frames.size(), Vec3d{});
  for (std::size_t f = 0; f < state.frames.size(); ++f) {
    position_[f] = state.frames[f].position;
    orientation_[f] = state.frames[f].orientation;
  }
  for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b)
    external_[2 * b] = scene_.rigid_bodies[b].force_N;
  FrameModel::Step step;
  step.position = position_.data();
  step.orientation = orientation_.data();
  step.velocity = state.v.data() + layout_.first_frame_row;
  step.time = scene_.time;
  step.gravity = scene_.gravity_m_s2;
  step.external = external_.data();
  step.geometric_stiffness = scene_.time.geometric_stiffness;
  return step;
}

void Frames::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  clear_rows(*pattern_, layout_.first_frame_row, layout_.frame_row(model_.n_frame()), value, b);
  if (model_.n_frame() > 0) model_.assemble(step(in.state), value, b + layout_.first_frame_row);
}

void Frames::positions(const State& state, Vec3d* position) const {
  Vec3d* of_frame = position + layout_.first_frame_row;
  for (const FramePose& frame : state.frames)
    of_frame = std::fill_n(of_frame, kLinkRows, frame.position);
}

bool Frames::advance(const Vec3d* v_hat, const State& state, State* next) const {
  if (model_.n_frame() == 0) return true;
  const std::int32_t first = layout_.first_frame_row;
  const FrameModel::Step now = step(state);
  std::vector<Vec3d> position = position_;
  std::vector<Quaternion> orientation = orientation_;
  model_.advance(now, v_hat + first, position.data(), orientation.data(), next->v.data() + first);
  bool finite = true;
  for (std::size_t f = 0; f < position.size(); ++f) {
    next->frames[f] = {position[f], orientation[f]};
    const Quaternion o = orientation[f];
    finite = finite && is_finite(position[f]) && std::isfinite(o.w + o.x + o.y + o.z);
  }
  return finite &&
         std::all_of(next->v.begin() + first, next->v.begin() + layout_.frame_row(model_.n_frame()),
                     [](Vec3d a) { return is_finite(a); });
}

void Frames::add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const {
  for (std::size_t b = 0; b < scene_.rigid_bodies.size(); ++b) {
    const RigidBodyDescription& body = scene_.rigid_bodies[b];
    ShapeSurface shape;
    shape.shape = body.shape;
    shape.frame = first_frame + static_cast<std::int32_t>(b);
    shape.in_frame = body.shape_pose;
    set_points(body.grid, &shape);
    const ObjectId id{ObjectKind::rigid_body, static_cast<std::int32_t>(b), 0};
    surfaces->add_shape({id, surface_material(body)}, shape);
  }
  for (std::size_t c = 0; c < scene_.cables.size(); ++c) {
    const CableDescription& cable = scene_.cables[c];
    double length = 0;
    for (std::size_t k = 1; k < cable.points_m.size(); ++k)
      length += norm(cable.points_m[k] - cable.points_m[k - 1]);
    RodSurface rod;
    rod.first_frame = first_frame + layout_.cable_frame[c];
    rod.n_link = cable.links;
    rod.radius_m = cable.radius_m;
    rod.link_length_m = length / cable.links;
    rod.contact = cable.contact;
    rod.self_contact = cable.self_contact;
    const ObjectId id{ObjectKind::cable, static_cast<std::int32_t>(c), 0};
    surfaces->add_rod(
        {id, surface_material(cable), rod.first_frame, cable.contact == RodContact::link_centres},
        rod);
  }
}

void Frames::poses(const State& state, Pose* pose) const {
  for (const FramePose& frame : state.frames) *pose++ = matrix_pose(frame);
}

void Frames::twists(const Pose*, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  for (std::int32_t f = 0; f < n_frame(); ++f) {
    const auto row = static_cast<std::size_t>(layout_.frame_row(f));
    twist[f] = {v[row], v[row + 1]};
  }
}

void Frames::add_point(const State& state, std::int32_t frame, Vec3d point,
                       ContactPoints* points) const {
  const std::int32_t row = layout_.frame_row(frame);
  points->add(row, Mat3d::identity());
  points->add(row + 1, -1.0 * skew(point - state.frames[static_cast<std::size_t>(frame)].position));
}

double Frames::kinetic_energy(const State& state) const {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  return model_.kinetic_energy(now.orientation, now.velocity);
}

double Frames::potential_energy(const State& state) {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  double energy = model_.elastic_energy(now.position, now.orientation);
  for (int f = 0; f < model_.n_frame(); ++f)
    energy -= model_.mass_kg(f) * dot(scene_.gravity_m_s2, state.frames[f].position);
  return energy;
}

}  // namespace nodia

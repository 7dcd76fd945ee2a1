#include "host/simulation/bodies/frame_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "host/simulation/bodies/clear_rows.hpp"

namespace nodia {

FrameBodies::FrameBodies(const Scene& scene, const BodyLayout& layout)
    : scene_(scene), first_frame_(layout.n_frame()), first_row_(layout.n_row()) {}

void FrameBodies::add_start(const Start& start) {
  start_.push_back(start);
}

void FrameBodies::add_rigid(const RigidDescription& body, BodyLayout* layout) {
  model_.add_rigid_body(body.mass_kg, body.inertia_kg_m2);
  add_start({frame_pose(body.pose), body.velocity_m_s, body.angular_velocity_rad_s, body.force_N,
             Vec3d{}});
  layout->add(BodyKind::rigid, 1);
}

void FrameBodies::add_couplings(Couplings* couplings) const {
  const Couplings own = model_.couplings(first_row_);
  couplings->insert(couplings->end(), own.begin(), own.end());
}

void FrameBodies::add_rest(std::vector<Vec3d>* rest) const {
  for (const Start& start : start_) rest->insert(rest->end(), kLinkRows, start.rest);
}

void FrameBodies::bind(const std::shared_ptr<const BlockPattern>& pattern) {
  pattern_ = pattern;
  model_.bind(*pattern, first_row_);
}

void FrameBodies::add_mass(std::vector<double>* mass) {
  const std::vector<double> own = model_.mass_bound();
  mass->insert(mass->end(), own.begin(), own.end());
}

void FrameBodies::add_initial(State* state) const {
  for (const Start& start : start_) {
    state->frames.push_back(start.pose);
    state->v.push_back(start.velocity);
    state->v.push_back(start.angular_velocity);
  }
}

void FrameBodies::fall(Vec3d* v) const {
  const double t = scene_.time.step_s;
  const Vec3d gained = t * scene_.gravity_m_s2;
  for (int f = 0; f < model_.n_frame(); ++f) {
    Vec3d& linear = v[first_row_ + kLinkRows * f];
    linear += gained;
    linear += (t / model_.mass_kg(f)) * start_[static_cast<std::size_t>(f)].force;
  }
}

FrameModel::Step FrameBodies::step(const State& state) const {
  position_.resize(start_.size());
  orientation_.resize(start_.size());
  external_.assign(2 * start_.size(), Vec3d{});
  for (std::size_t f = 0; f < start_.size(); ++f) {
    position_[f] = frames_of(state)[f].position;
    orientation_[f] = frames_of(state)[f].orientation;
    external_[2 * f] = start_[f].force;
  }
  FrameModel::Step step;
  step.position = position_.data();
  step.orientation = orientation_.data();
  step.velocity = state.v.data() + first_row_;
  step.time = scene_.time;
  step.gravity = scene_.gravity_m_s2;
  step.external = external_.data();
  step.joint_directions = scene_.time.joint_directions;
  step.geometric_stiffness = scene_.time.geometric_stiffness;
  return step;
}

void FrameBodies::assemble(const AssemblyInput& in, double* value, Vec3d* b) {
  clear_rows(*pattern_, first_row_, end_row(), value, b);
  if (model_.n_frame() > 0) model_.assemble(step(in.state), value, b + first_row_);
  if (!in.external_force) return;
  for (std::int32_t row = first_row_; row < end_row(); ++row) b[row] += (*in.external_force)[row];
}

void FrameBodies::positions(const State& state, Vec3d* position) const {
  Vec3d* of_frame = position + first_row_;
  for (int f = 0; f < model_.n_frame(); ++f)
    of_frame = std::fill_n(of_frame, kLinkRows, frames_of(state)[f].position);
}

bool FrameBodies::advance(const Vec3d* v_hat, const State& state, int, State* next) const {
  if (model_.n_frame() == 0) return true;
  const FrameModel::Step now = step(state);
  std::vector<Vec3d> position = position_;
  std::vector<Quaternion> orientation = orientation_;
  model_.advance(now, v_hat + first_row_, position.data(), orientation.data(),
                 next->v.data() + first_row_);
  bool finite = true;
  for (std::size_t f = 0; f < position.size(); ++f) {
    next->frames[static_cast<std::size_t>(first_frame_) + f] = {position[f], orientation[f]};
    const Quaternion o = orientation[f];
    finite = finite && is_finite(position[f]) && std::isfinite(o.w + o.x + o.y + o.z);
  }
  return finite && std::all_of(next->v.begin() + first_row_, next->v.begin() + end_row(),
                               [](Vec3d a) { return is_finite(a); });
}

void FrameBodies::poses(const State& state, Pose* pose) const {
  for (int f = 0; f < model_.n_frame(); ++f) pose[f] = matrix_pose(frames_of(state)[f]);
}

void FrameBodies::twists(const Pose*, const std::vector<Vec3d>& v, FrameTwist* twist) const {
  for (int f = 0; f < model_.n_frame(); ++f) {
    const auto row = static_cast<std::size_t>(first_row_ + kLinkRows * f);
    twist[f] = {v[row], v[row + 1]};
  }
}

void FrameBodies::add_point(const State& state, std::int32_t frame, Vec3d point,
                            ContactPoints* points) const {
  const std::int32_t row = first_row_ + kLinkRows * frame;
  points->add(row, Mat3d::identity());
  points->add(row + 1, -1.0 * skew(point - frames_of(state)[frame].position));
}

double FrameBodies::kinetic_energy(const State& state, int) const {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  return model_.kinetic_energy(now.orientation, now.velocity);
}

double FrameBodies::potential_energy(const State& state, int) {
  if (model_.n_frame() == 0) return 0;
  const FrameModel::Step now = step(state);
  double energy = model_.elastic_energy(now.position, now.orientation);
  for (int f = 0; f < model_.n_frame(); ++f)
    energy -= model_.mass_kg(f) * dot(scene_.gravity_m_s2, frames_of(state)[f].position);
  return energy;
}

}  // namespace nodia

#include "scenarios/checks/momentum_balance.hpp"

#include "scenarios/checks/sensor.hpp"

namespace nodia {
namespace {

/// Sum of the contact forces of robots and obstacles on all other bodies [N].
Vec3d contact_force(const StepView& view) {
  Vec3d force{};
  for (std::size_t m = 0; m < view.contacts().size(); ++m) {
    const ContactSides& sides = view.contact_sides()[m];
    if (is_counted(sides.i) == is_counted(sides.j)) continue;
    const Vec3d on_i = transpose_times(view.contacts()[m].R, view.lambda()[m]);
    force += is_counted(sides.i) ? on_i : -on_i;
  }
  return force;
}

}  // namespace

MomentumBalance::MomentumBalance(const Scene& scene)
    : step_s_(scene.time.step_s),
      theta_(scene.time.theta),
      constant_N_(total_mass(scene) * scene.gravity_m_s2),
      supports_(external_supports(scene)),
      points_(point_masses(scene)) {
  const double weight_N = norm(constant_N_);
  Vec3d applied{};
  for (const PointMass& point : points_) {
    before_.add(point, point.velocity_m_s);
    applied += point.force_N;
  }
  constant_N_ += applied;
  for (const ExternalForceDescription& push : scene.pushes)
    if (push.link.empty()) external_forces_.push_back(push);
  scale_N_ = weight_N + norm(applied);
}

void MomentumBalance::start(const State& state) {
  before_ = sums_of(state);
}

MomentumBalance::Sums MomentumBalance::sums_of(const State& state) const {
  Sums sums;
  const std::size_t n_node = state.x.size();
  for (std::size_t k = 0; k < points_.size(); ++k)
    sums.add(points_[k], state.v[k < n_node ? k : n_node + kLinkRows * (k - n_node)]);
  return sums;
}

Vec3d MomentumBalance::missing_N(const StepView& view) {
  const Sums now = sums_of(view.state());
  Vec3d missing = constant_N_ + contact_force(view);
  const double end_s = view.record.time_s;
  for (const ExternalForceDescription& push : external_forces_)
    missing += push.mean_force_N(end_s - step_s_, end_s);
  const std::vector<Wrench>& sensors = view.record.sensors;
  for (const std::size_t k : supports_)
    if (k < sensors.size()) missing -= sensors[k].force_N;
  missing -= theta_ * now.drag + (1 - theta_) * before_.drag;
  missing -= (1 / step_s_) * (now.momentum - before_.momentum);
  before_ = now;
  return missing;
}

}  // namespace nodia

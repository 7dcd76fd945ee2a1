#include "host/simulation/external_forces.hpp"

#include <algorithm>

#include "kernels/step/free_velocity.hpp"

namespace nodia {
namespace {

/// Distance between rows with a mass: 1 for nodes, kLinkRows for frames.
std::int32_t stride_of(BodyKind kind) {
  return kind == BodyKind::soft ? 1 : kLinkRows;
}

}  // namespace

ExternalForces::ExternalForces(const Scene& scene, const BodySystem& system)
    : step_s_(scene.time.step_s) {
  const auto add_constant = [&](const RigidDescription& body) {
    if (squared_norm(body.force_N) == 0) return;
    constant_.emplace_back(system.layout()[system.objects().find(body.name)].first_row,
                           body.force_N);
  };
  for (const RigidBodyDescription& body : scene.rigid_bodies) add_constant(body);
  for (const CompoundDescription& body : scene.compounds) add_constant(body);
  for (const ExternalForceDescription& description : scene.pushes) {
    const std::int32_t body = system.objects().find(description.body);
    const BodyRange& range = system.layout()[body];
    ExternalForce external_force;
    external_force.description = description;
    if (range.kind == BodyKind::robot) {
      external_force.robot = system.objects()[body].id.index;
      const RobotDescription& robot = system.robots().model(external_force.robot).description();
      external_force.link = robot.find_link(description.link);
      const RobotLink& link = robot.links[static_cast<std::size_t>(external_force.link)];
      if (link.inertia) external_force.centre_in_link = link.inertia->centre;
    } else {
      const std::vector<double>& mass = system.mass();
      double mass_kg = 0;
      for (std::int32_t row = range.first_row; row < range.end_row(); row += stride_of(range.kind))
        mass_kg += mass[static_cast<std::size_t>(row)];
      for (std::int32_t row = range.first_row; row < range.end_row();
           row += stride_of(range.kind)) {
        external_force.shares.emplace_back(row, mass[static_cast<std::size_t>(row)] / mass_kg);
        falling_.emplace_back(row, mass[static_cast<std::size_t>(row)]);
      }
    }
    external_forces_.push_back(std::move(external_force));
  }
  std::sort(falling_.begin(), falling_.end());
  falling_.erase(std::unique(falling_.begin(), falling_.end()), falling_.end());
}

void ExternalForces::begin_step(const State& start, double end_s, const BodySystem& system) {
  acts_ = false;
  loads_.clear();
  for (ExternalForce& external_force : external_forces_) {
    external_force.mean_N = external_force.description.mean_force_N(start.time_s, end_s);
    if (squared_norm(external_force.mean_N) == 0) continue;
    if (!acts_) force_.assign(start.v.size(), Vec3d{});
    acts_ = true;
    for (const auto& [row, share] : external_force.shares)
      force_[row] += share * external_force.mean_N;
    if (external_force.robot >= 0) add_to_link(external_force, system);
  }
}

void ExternalForces::add_to_link(const ExternalForce& external_force, const BodySystem& system) {
  const Pose& link = system.robots()
                         .model(external_force.robot)
                         .link_poses()[static_cast<std::size_t>(external_force.link)];
  const Vec3d centre = link.to_world(external_force.centre_in_link);
  std::vector<Mat3d> linear, angular;
  system.robots().link_jacobians(external_force.robot, external_force.link, centre, &linear,
                                 &angular);
  const std::int32_t first_row = system.robots().range(external_force.robot).first_row;
  for (std::size_t r = 0; r < linear.size(); ++r)
    force_[first_row + r] += transpose_times(linear[r], external_force.mean_N);
  loads_.push_back(
      {external_force.robot, external_force.link, centre, {external_force.mean_N, {}}});
}

void ExternalForces::fall(Vec3d* v) const {
  if (!acts_) return;
  for (const auto& [row, mass_kg] : falling_)
    v[row] = accelerated(v[row], step_s_, mass_kg, force_[row]);
}

double ExternalForces::work_J(const Vec3d* v_hat) const {
  double power = 0;
  for (const auto& [row, force_N] : constant_) power += dot(force_N, v_hat[row]);
  if (!acts_) return step_s_ * power;
  for (std::size_t row = 0; row < force_.size(); ++row) power += dot(force_[row], v_hat[row]);
  return step_s_ * power;
}

void ExternalForces::add_link_loads(std::vector<LinkLoad>* loads) const {
  loads->insert(loads->end(), loads_.begin(), loads_.end());
}

}  // namespace nodia

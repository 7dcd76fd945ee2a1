#include "host/simulation/pushes.hpp"

#include <algorithm>

#include "kernels/step/free_velocity.hpp"

namespace nodia {
namespace {

/// Distance between rows with a mass: 1 for nodes, kLinkRows for frames.
std::int32_t stride_of(BodyKind kind) {
  return kind == BodyKind::soft ? 1 : kLinkRows;
}

}  // namespace

Pushes::Pushes(const Scene& scene, const BodySystem& system) : step_s_(scene.time.step_s) {
  for (const PushDescription& description : scene.pushes) {
    const std::int32_t body = system.objects().find(description.body);
    const BodyRange& range = system.layout()[body];
    Push push;
    push.description = description;
    if (range.kind == BodyKind::robot) {
      push.robot = system.objects()[body].id.index;
      const RobotDescription& robot = system.robots().model(push.robot).description();
      push.link = robot.find_link(description.link);
      const RobotLink& link = robot.links[static_cast<std::size_t>(push.link)];
      if (link.inertia) push.centre_in_link = link.inertia->centre;
    } else {
      const std::vector<double>& mass = system.mass();
      double mass_kg = 0;
      for (std::int32_t row = range.first_row; row < range.end_row(); row += stride_of(range.kind))
        mass_kg += mass[static_cast<std::size_t>(row)];
      for (std::int32_t row = range.first_row; row < range.end_row();
           row += stride_of(range.kind)) {
        push.shares.emplace_back(row, mass[static_cast<std::size_t>(row)] / mass_kg);
        falling_.emplace_back(row, mass[static_cast<std::size_t>(row)]);
      }
    }
    pushes_.push_back(std::move(push));
  }
  std::sort(falling_.begin(), falling_.end());
  falling_.erase(std::unique(falling_.begin(), falling_.end()), falling_.end());
}

void Pushes::begin_step(const State& start, double end_s, const BodySystem& system) {
  acts_ = false;
  loads_.clear();
  for (Push& push : pushes_) {
    push.mean_N = push.description.mean_force_N(start.time_s, end_s);
    if (squared_norm(push.mean_N) == 0) continue;
    if (!acts_) force_.assign(start.v.size(), Vec3d{});
    acts_ = true;
    for (const auto& [row, share] : push.shares) force_[row] += share * push.mean_N;
    if (push.robot >= 0) add_to_link(push, system);
  }
}

void Pushes::add_to_link(const Push& push, const BodySystem& system) {
  const Pose& link =
      system.robots().model(push.robot).link_poses()[static_cast<std::size_t>(push.link)];
  const Vec3d centre = link.to_world(push.centre_in_link);
  std::vector<Mat3d> linear, angular;
  system.robots().link_jacobians(push.robot, push.link, centre, &linear, &angular);
  const std::int32_t first_row = system.robots().range(push.robot).first_row;
  for (std::size_t r = 0; r < linear.size(); ++r)
    force_[first_row + r] += transpose_times(linear[r], push.mean_N);
  loads_.push_back({push.robot, push.link, centre, {push.mean_N, {}}});
}

void Pushes::fall(Vec3d* v) const {
  if (!acts_) return;
  for (const auto& [row, mass_kg] : falling_)
    v[row] = pushed(v[row], step_s_, mass_kg, force_[row]);
}

double Pushes::work_J(const Vec3d* v_hat) const {
  if (!acts_) return 0;
  double power = 0;
  for (std::size_t row = 0; row < force_.size(); ++row) power += dot(force_[row], v_hat[row]);
  return step_s_ * power;
}

void Pushes::add_link_loads(std::vector<LinkLoad>* loads) const {
  loads->insert(loads->end(), loads_.begin(), loads_.end());
}

}  // namespace nodia

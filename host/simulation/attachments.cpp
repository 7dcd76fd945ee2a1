#include "host/simulation/attachments.hpp"

#include <algorithm>

namespace nodia {

Attachments::Attachments(const Scene& scene, const std::vector<HolderTarget>& targets,
                         const BodySystem& system, const std::vector<Vec3d>& x)
    : time_(scene.time) {
  for (std::size_t k = 0; k < scene.attachments.size(); ++k) {
    const AttachmentDescription& a = scene.attachments[k];
    const std::int32_t body = system.objects().find(a.body);
    const std::int32_t first = system.layout()[body].first;
    Group group{Holder(a, targets[k], system), a.stiffness_N_m, {}};
    const Pose start = group.holder.first_pose(system);
    for (const std::int32_t local :
         scene.soft_bodies[static_cast<std::size_t>(body)].mesh.node_sets.at(a.node_set)) {
      const std::int32_t node = first + local;
      group.nodes.push_back({node, start.to_local(x[node])});
    }
    groups_.push_back(std::move(group));
  }
}

std::vector<std::int32_t> Attachments::nodes() const {
  std::vector<std::int32_t> nodes;
  for (const Group& group : groups_)
    for (const HeldNode& held : group.nodes) nodes.push_back(held.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Couplings Attachments::couplings() const {
  Couplings pairs;
  for (const Group& group : groups_)
    for (const HeldNode& held : group.nodes) group.holder.add_couplings(held.node, &pairs);
  return pairs;
}

void Attachments::add_to_nodes(const State& state, std::vector<double>* diagonal,
                               std::vector<Vec3d>* force) const {
  for (const Group& group : groups_) {
    if (group.holder.on_robot() || !group.holder.holds(state.time_s)) continue;
    const Pose frame = group.holder.path().at(state.time_s + time_.theta_t());
    for (const HeldNode& held : group.nodes) {
      (*diagonal)[held.node] += time_.theta_t() * group.stiffness_N_m;
      (*force)[held.node] +=
          group.stiffness_N_m * (frame.to_world(held.place) - state.x[held.node]);
    }
  }
}

void Attachments::add_targets(double begin_s, double time_s, std::vector<double>* stiffness,
                              std::vector<Vec3d>* pull) const {
  for (const Group& group : groups_) {
    if (group.holder.on_robot() || !group.holder.holds(begin_s)) continue;
    const Pose frame = group.holder.path().at(time_s);
    for (const HeldNode& held : group.nodes) {
      (*stiffness)[held.node] += group.stiffness_N_m;
      (*pull)[held.node] += group.stiffness_N_m * frame.to_world(held.place);
    }
  }
}

void Attachments::add_nodes_on_robots(const State& state, std::vector<std::int32_t>* nodes) const {
  for (const Group& group : groups_) {
    if (!group.holder.on_robot() || !group.holder.holds(state.time_s)) continue;
    for (const HeldNode& held : group.nodes) nodes->push_back(held.node);
  }
  std::sort(nodes->begin(), nodes->end());
  nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
}

void Attachments::add_to_system(const State& state, const BodySystem& system, double* value,
                                Vec3d* b) {
  std::vector<Mat3d> linear, angular;
  for (Group& group : groups_) {
    if (!group.holder.on_robot() || !group.holder.holds(state.time_s)) continue;
    const Pose frame = group.holder.pose(state.time_s, system);
    for (HeldNode& held : group.nodes) {
      const Vec3d target = frame.to_world(held.place);
      group.holder.jacobians(target, system, &linear, &angular);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d direction{};
        direction[axis] = 1;
        row_.stiffness = group.stiffness_N_m;
        row_.strain = state.x[held.node][axis] - target[axis];
        row_.parts.assign(1, {held.node, direction});
        for (std::size_t r = 0; r < linear.size(); ++r)
          row_.parts.push_back({group.holder.first_row() + static_cast<std::int32_t>(r),
                                -transpose_times(linear[r], direction)});
        if (held.block.empty()) row_.find_blocks(*system.pattern(), &held.block);
        row_.add_to(held.block, time_.theta_t(), value, b);
      }
    }
  }
}

std::vector<Pose> Attachments::poses(double time_s, const BodySystem& system) const {
  std::vector<Pose> poses;
  for (const Group& group : groups_) poses.push_back(group.holder.pose(time_s, system));
  return poses;
}

void Attachments::take_hold(std::size_t attachment, const State& state, const BodySystem& system) {
  Group& group = groups_[attachment];
  const Pose frame = group.holder.pose(state.time_s, system);
  for (HeldNode& held : group.nodes) held.place = frame.to_local(state.x[held.node]);
}

std::vector<Vec3d> Attachments::places() const {
  std::vector<Vec3d> places;
  for (const Group& group : groups_)
    for (const HeldNode& held : group.nodes) places.push_back(held.place);
  return places;
}

void Attachments::set_places(const std::vector<Vec3d>& places) {
  auto place = places.begin();
  for (Group& group : groups_)
    for (HeldNode& held : group.nodes) held.place = *place++;
}

Attachments::Totals Attachments::totals(double begin_s, const State& end,
                                        const BodySystem& system) const {
  Totals sum;
  for (const Group& group : groups_) {
    if (!group.holder.holds(begin_s)) continue;
    const Pose now = group.holder.pose(end.time_s, system);
    const Pose begin = group.holder.pose(begin_s, system);
    for (const HeldNode& held : group.nodes) {
      const Vec3d target = now.to_world(held.place);
      const Vec3d offset = target - end.x[held.node];
      const Vec3d force = group.stiffness_N_m * offset;
      sum.force_N += force;
      sum.work_J += dot(force, target - begin.to_world(held.place));
      sum.energy_J += 0.5 * group.stiffness_N_m * squared_norm(offset);
    }
  }
  return sum;
}

void Attachments::add_link_loads(const State& start, const BodySystem& system, const Vec3d* v_hat,
                                 std::vector<LinkLoad>* loads) const {
  for (const Group& group : groups_) {
    if (!group.holder.on_robot() || !group.holder.holds(start.time_s)) continue;
    const Pose now = group.holder.pose(start.time_s, system);
    const FrameTwist twist = group.holder.twist(start.time_s, time_.step_s, v_hat, system);
    LinkLoad load{group.holder.robot(), group.holder.link(), now.position, {}};
    for (const HeldNode& held : group.nodes) {
      const Vec3d target = now.to_world(held.place), arm = target - now.position;
      const Vec3d rate = v_hat[held.node] - (twist.linear + cross(twist.angular, arm));
      const Vec3d force =
          group.stiffness_N_m * (start.x[held.node] - target + time_.theta_t() * rate);
      load.wrench.force_N += force;
      load.wrench.torque_Nm += cross(arm, force);
    }
    loads->push_back(load);
  }
}

void Attachments::measure(double begin_s, const State& end, const BodySystem& system,
                          std::vector<Wrench>* sensors) const {
  for (const Group& group : groups_) {
    Wrench wrench;
    if (group.holder.holds(begin_s)) {
      const Pose now = group.holder.pose(end.time_s, system);
      for (const HeldNode& held : group.nodes) {
        const Vec3d target = now.to_world(held.place);
        const Vec3d force = group.stiffness_N_m * (end.x[held.node] - target);
        wrench.force_N += force;
        wrench.torque_Nm += cross(target - now.position, force);
      }
    }
    sensors->push_back(wrench);
  }
}

}  // namespace nodia

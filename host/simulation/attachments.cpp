#include "host/simulation/attachments.hpp"

namespace nodia {

Attachments::Attachments(const Scene& scene, const BodySystem& system, const std::vector<Vec3d>& x)
    : time_(scene.time) {
  for (const AttachmentDescription& a : scene.attachments) {
    const std::int32_t body = index_of(scene.soft_bodies, a.body);
    const std::int32_t first = system.layout().soft_node[body];
    Group group{a.path, -1, -1, a.stiffness_N_m, a.release_time_s, {}};
    Pose start = a.path.keys.empty() ? Pose{} : a.path.at(a.path.keys.front().time_s);
    if (!a.robot.empty()) {
      group.robot = index_of(scene.robots, a.robot);
      group.link = system.robot(group.robot).description().find_link(a.link);
      start = system.robot(group.robot).link_poses()[static_cast<std::size_t>(group.link)];
    }
    for (const std::int32_t local : scene.soft_bodies[body].mesh.node_sets.at(a.node_set)) {
      const std::int32_t node = first + local;
      group.nodes.push_back({node, start.to_local(x[node])});
    }
    groups_.push_back(std::move(group));
  }
}

Pose Attachments::frame(const Group& group, double time_s, const BodySystem& system) {
  return group.robot < 0
             ? group.path.at(time_s)
             : system.robot(group.robot).link_poses()[static_cast<std::size_t>(group.link)];
}

std::vector<std::pair<std::int32_t, std::int32_t>> Attachments::couplings(
    const BodySystem& system) const {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  const BodyLayout& layout = system.layout();
  for (const Group& group : groups_) {
    if (group.robot < 0) continue;
    for (const HeldNode& held : group.nodes)
      for (std::int32_t r = layout.robot_row[group.robot]; r < layout.robot_row[group.robot + 1];
           ++r)
        pairs.emplace_back(held.node, r);
  }
  return pairs;
}

void Attachments::add_to_nodes(const State& state, std::vector<double>* diagonal,
                               std::vector<Vec3d>* force) const {
  for (const Group& group : groups_) {
    if (group.robot >= 0 || !group.holds(state.time_s)) continue;
    const Pose frame = group.path.at(state.time_s + time_.theta_t());
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
    if (group.robot >= 0 || !group.holds(begin_s)) continue;
    const Pose frame = group.path.at(time_s);
    for (const HeldNode& held : group.nodes) {
      (*stiffness)[held.node] += group.stiffness_N_m;
      (*pull)[held.node] += group.stiffness_N_m * frame.to_world(held.place);
    }
  }
}

void Attachments::add_to_system(const State& state, const BodySystem& system, double* value,
                                Vec3d* b) {
  for (const Group& group : groups_) {
    if (group.robot < 0 || !group.holds(state.time_s)) continue;
    const Pose frame = Attachments::frame(group, state.time_s, system);
    const RobotModel& robot = system.robot(group.robot);
    const std::int32_t robot_row = system.layout().robot_row[group.robot];
    for (const HeldNode& held : group.nodes) {
      const Vec3d target = frame.to_world(held.place);
      const std::vector<Mat3d> J = robot.point_jacobian(group.link, target);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d direction{};
        direction[axis] = 1;
        row_.stiffness = group.stiffness_N_m;
        row_.strain = state.x[held.node][axis] - target[axis];
        row_.parts.assign(1, {held.node, direction});
        for (std::size_t r = 0; r < J.size(); ++r)
          row_.parts.push_back(
              {robot_row + static_cast<std::int32_t>(r), -transpose_times(J[r], direction)});
        row_.add_to(*system.pattern(), time_.theta_t(), value, b);
      }
    }
  }
}

Attachments::Totals Attachments::totals(double begin_s, const State& end,
                                        const BodySystem& system) const {
  Totals sum;
  for (const Group& group : groups_) {
    if (!group.holds(begin_s)) continue;
    const Pose now = frame(group, end.time_s, system);
    const Pose begin = group.robot < 0 ? group.path.at(begin_s) : now;
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
  std::vector<Mat3d> linear, angular;
  for (const Group& group : groups_) {
    if (group.robot < 0 || !group.holds(start.time_s)) continue;
    const Pose now = frame(group, start.time_s, system);
    system.link_jacobians(group.robot, group.link, now.position, &linear, &angular);
    const Vec3d* rows = v_hat + system.layout().robot_row[group.robot];
    Vec3d v{}, w{};
    for (std::size_t r = 0; r < linear.size(); ++r) {
      v += linear[r] * rows[r];
      w += angular[r] * rows[r];
    }
    LinkLoad load{group.robot, group.link, now.position, {}};
    for (const HeldNode& held : group.nodes) {
      const Vec3d target = now.to_world(held.place), arm = target - now.position;
      const Vec3d rate = v_hat[held.node] - (v + cross(w, arm));
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
    if (group.holds(begin_s)) {
      const Pose now = frame(group, end.time_s, system);
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

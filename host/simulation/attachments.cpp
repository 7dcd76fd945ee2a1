#include "host/simulation/attachments.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "kernels/core/same_bits.hpp"
#include "kernels/cpu/chunk_sum.hpp"

namespace nodia {

Attachments::Attachments(const Scene& scene, const std::vector<HolderTarget>& targets,
                         const BodySystem& system, const std::vector<Vec3d>& x)
    : time_(scene.time) {
  std::vector<Vec3d> places;
  for (std::size_t k = 0; k < scene.attachments.size(); ++k) {
    const AttachmentDescription& a = scene.attachments[k];
    const std::int32_t body = system.objects().find(a.body);
    const std::int32_t first = system.layout()[body].first;
    Group group{Holder(a, targets[k], system),
                a.stiffness_N_m,
                static_cast<std::int32_t>(places.size()),
                {}};
    const Pose start = group.holder.first_pose(system);
    for (const std::int32_t local :
         scene.soft_bodies[static_cast<std::size_t>(body)].mesh.node_sets.at(a.node_set)) {
      const std::int32_t node = first + local;
      group.nodes.push_back({node});
      places.push_back(start.to_local(x[node]));
    }
    groups_.push_back(std::move(group));
  }
  if (!groups_.empty()) holds_ = holds_of(groups_);
  set_places(std::move(places));
}

std::shared_ptr<const AttachmentHolds> Attachments::holds_of(const std::vector<Group>& groups) {
  auto holds = std::make_shared<AttachmentHolds>();
  std::unordered_map<std::int32_t, std::int32_t> last;  // hold index of a node
  holds->begin.push_back(0);
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (const HeldNode& held : groups[a].nodes) {
      const auto k = static_cast<std::int32_t>(holds->hold.size());
      const auto [before, is_first] = last.try_emplace(held.node, k);
      if (!is_first) holds->hold[std::exchange(before->second, k)].next = k;
      holds->hold.push_back({held.node, static_cast<std::int32_t>(a), -1, is_first ? 1 : 0});
    }
    holds->begin.push_back(static_cast<std::int32_t>(holds->hold.size()));
    holds->stiffness_N_m.push_back(groups[a].stiffness_N_m);
  }
  return holds;
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
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const std::int32_t node = group.nodes[k].node;
      (*diagonal)[node] += time_.theta_t() * group.stiffness_N_m;
      (*force)[node] +=
          hold_force(group.stiffness_N_m, frame.to_world(place(group, k)), state.x[node]);
    }
  }
}

void Attachments::describe(const State& start, double end_s, HoldStep* step) const {
  step->holds = holds_;
  step->place = places_;
  step->is_holding.assign(groups_.size(), 0);
  for (std::vector<Pose>* frames : {&step->target, &step->begin, &step->end})
    frames->resize(groups_.size());
  for (std::size_t a = 0; a < groups_.size(); ++a) {
    const Holder& holder = groups_[a].holder;
    if (holder.on_robot() || !holder.holds(start.time_s)) continue;
    step->is_holding[a] = 1;
    step->target[a] = holder.path().at(start.time_s + time_.theta_t());
    step->begin[a] = holder.path().at(start.time_s);
    step->end[a] = holder.path().at(end_s);
  }
}

bool Attachments::rest(double now_s, double start_s, double end_s) const {
  for (const Group& group : groups_) {
    const Holder& holder = group.holder;
    if (holder.on_robot()) continue;
    if (holder.holds(start_s) != holder.holds(now_s)) return false;
    if (!holder.holds(now_s)) continue;
    const Pose now = holder.path().at(now_s);
    for (const double time_s : {start_s, start_s + time_.theta_t(), end_s}) {
      if (!same_bits(holder.path().at(time_s), now)) return false;
    }
  }
  return true;
}

void Attachments::add_targets(double begin_s, double time_s, std::vector<double>* stiffness,
                              std::vector<Vec3d>* pull) const {
  for (const Group& group : groups_) {
    if (group.holder.on_robot() || !group.holder.holds(begin_s)) continue;
    const Pose frame = group.holder.path().at(time_s);
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const std::int32_t node = group.nodes[k].node;
      (*stiffness)[node] += group.stiffness_N_m;
      (*pull)[node] += group.stiffness_N_m * frame.to_world(place(group, k));
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
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      HeldNode& held = group.nodes[k];
      const Vec3d target = frame.to_world(place(group, k));
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
  const Group& group = groups_[attachment];
  const Pose frame = group.holder.pose(state.time_s, system);
  std::vector<Vec3d> places = *places_;
  for (std::size_t k = 0; k < group.nodes.size(); ++k)
    places[static_cast<std::size_t>(group.first) + k] =
        frame.to_local(state.x[group.nodes[k].node]);
  set_places(std::move(places));
}

std::vector<HoldSums> Attachments::sums(double begin_s, const State& end,
                                        const BodySystem& system) const {
  std::vector<HoldSums> all;
  for (const Group& group : groups_) {
    all.emplace_back();
    if (!group.holder.holds(begin_s)) continue;
    const Pose begin = group.holder.pose(begin_s, system);
    const Pose now = group.holder.pose(end.time_s, system);
    const auto add = [&](int k, HoldSums* sum) {
      const auto own = static_cast<std::size_t>(k);
      add_hold(group.stiffness_N_m, begin, now, place(group, own), end.x[group.nodes[own].node],
               sum);
    };
    all.back() = chunk_sum(static_cast<int>(group.nodes.size()), 1, HoldSums{}, add);
  }
  return all;
}

void Attachments::add_link_loads(const State& start, const BodySystem& system, const Vec3d* v_hat,
                                 std::vector<LinkLoad>* loads) const {
  for (const Group& group : groups_) {
    if (!group.holder.on_robot() || !group.holder.holds(start.time_s)) continue;
    const Pose now = group.holder.pose(start.time_s, system);
    const FrameTwist twist = group.holder.twist(start.time_s, time_.step_s, v_hat, system);
    LinkLoad load{group.holder.robot(), group.holder.link(), now.position, {}};
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const std::int32_t node = group.nodes[k].node;
      const Vec3d target = now.to_world(place(group, k)), arm = target - now.position;
      const Vec3d rate = v_hat[node] - (twist.linear + cross(twist.angular, arm));
      const Vec3d force = group.stiffness_N_m * (start.x[node] - target + time_.theta_t() * rate);
      load.wrench.force_N += force;
      load.wrench.torque_Nm += cross(arm, force);
    }
    loads->push_back(load);
  }
}

}  // namespace nodia

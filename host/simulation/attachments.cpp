#include "host/simulation/attachments.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "kernels/core/same_bits.hpp"
#include "kernels/cpu/chunk_sum.hpp"

namespace nodia {

Attachments::Attachments(const Scene& scene, const std::vector<AttachmentFrameTarget>& targets,
                         const BodySystem& system, const std::vector<Vec3d>& x)
    : time_(scene.time) {
  std::vector<Vec3d> places;
  for (std::size_t k = 0; k < scene.attachments.size(); ++k) {
    const AttachmentDescription& a = scene.attachments[k];
    const std::int32_t body = system.objects().find(a.body);
    const std::int32_t first = system.layout()[body].first;
    const std::vector<std::int32_t>& nodes =
        scene.soft_bodies[static_cast<std::size_t>(body)].mesh.node_sets.at(a.node_set);
    Vec3d sum{};
    for (const std::int32_t local : nodes) sum += x[first + local];
    Group group{
        AttachmentFrame(a, targets[k], (1 / static_cast<double>(nodes.size())) * sum, system),
        body,
        -1,
        a.stiffness_N_m,
        static_cast<std::int32_t>(places.size()),
        {}};
    const Pose start = group.attachment_frame.first_pose(system);
    for (const std::int32_t local : nodes) {
      const std::int32_t node = first + local;
      group.nodes.push_back({node});
      places.push_back(start.to_local(x[node]));
    }
    if (group.attachment_frame.on_soft_body()) {
      group.other = system.objects().find(a.to);
      const TetMesh& mesh = scene.soft_bodies[static_cast<std::size_t>(group.other)].mesh;
      for (GroupNode& attached : group.nodes)
        attached.point =
            soft_point_at(x[attached.node], mesh, system.layout()[group.other].first, x.data());
    }
    groups_.push_back(std::move(group));
  }
  if (!groups_.empty()) attached_nodes_ = attached_nodes_of(groups_);
  set_places(std::move(places));
}

std::shared_ptr<const AttachedNodes> Attachments::attached_nodes_of(
    const std::vector<Group>& groups) {
  auto attached_nodes = std::make_shared<AttachedNodes>();
  std::unordered_map<std::int32_t, std::int32_t> last;  // hold index of a node
  attached_nodes->begin.push_back(0);
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (const GroupNode& attached : groups[a].nodes) {
      const auto k = static_cast<std::int32_t>(attached_nodes->attached_node.size());
      const auto [before, is_first] = last.try_emplace(attached.node, k);
      if (!is_first) attached_nodes->attached_node[std::exchange(before->second, k)].next = k;
      attached_nodes->attached_node.push_back(
          {attached.node, static_cast<std::int32_t>(a), -1, is_first ? 1 : 0});
    }
    attached_nodes->begin.push_back(
        static_cast<std::int32_t>(attached_nodes->attached_node.size()));
    attached_nodes->stiffness_N_m.push_back(groups[a].stiffness_N_m);
  }
  return attached_nodes;
}

std::vector<std::int32_t> Attachments::nodes() const {
  std::vector<std::int32_t> nodes;
  for (const Group& group : groups_)
    for (const GroupNode& attached : group.nodes) nodes.push_back(attached.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void Attachments::clear_held(double time_s, std::vector<char>* of_soft_body) const {
  for (const Group& group : groups_)
    if (group.attachment_frame.holds(time_s))
      for (const std::int32_t body : {group.soft_body, group.other})
        if (body >= 0) (*of_soft_body)[static_cast<std::size_t>(body)] = 0;
}

Couplings Attachments::couplings() const {
  Couplings pairs;
  for (const Group& group : groups_)
    for (const GroupNode& attached : group.nodes) {
      group.attachment_frame.add_couplings(attached.node, &pairs);
      if (group.other < 0) continue;
      const std::array<std::int32_t, 4>& tet = attached.point.node;
      for (const std::int32_t node : tet) pairs.emplace_back(attached.node, node);
    }
  return pairs;
}

void Attachments::add_to_nodes(const State& state, const SoftBodies& soft,
                               std::vector<double>* diagonal, std::vector<Vec3d>* force) const {
  const double theta = time_.theta;
  for (const Group& group : groups_) {
    if (!group.attachment_frame.is_along_path() || !group.attachment_frame.holds(state.time_s))
      continue;
    const Pose frame = group.attachment_frame.path().at(state.time_s + time_.theta_t());
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const std::int32_t node = group.nodes[k].node;
      (*diagonal)[node] += time_.theta_t() * group.stiffness_N_m;
      // The rotation displaces the node by theta^2 of its displacement in the whole step.
      (*force)[node] +=
          attachment_force(group.stiffness_N_m, frame.to_world(place(group, k)),
                           state.x[node] + theta * theta * soft.shift(Shift::predicted, node));
    }
  }
}

void Attachments::describe(const State& start, double end_s, AttachmentStep* step) const {
  step->attached_nodes = attached_nodes_;
  step->place = places_;
  step->is_attached.assign(groups_.size(), 0);
  for (std::vector<Pose>* frames : {&step->target, &step->begin, &step->end})
    frames->resize(groups_.size());
  for (std::size_t a = 0; a < groups_.size(); ++a) {
    const AttachmentFrame& attachment_frame = groups_[a].attachment_frame;
    if (!attachment_frame.is_along_path() || !attachment_frame.holds(start.time_s)) continue;
    step->is_attached[a] = 1;
    step->target[a] = attachment_frame.path().at(start.time_s + time_.theta_t());
    step->begin[a] = attachment_frame.path().at(start.time_s);
    step->end[a] = attachment_frame.path().at(end_s);
  }
}

bool Attachments::rest(double now_s, double start_s, double end_s) const {
  for (const Group& group : groups_) {
    const AttachmentFrame& attachment_frame = group.attachment_frame;
    if (!attachment_frame.is_along_path()) continue;
    if (attachment_frame.holds(start_s) != attachment_frame.holds(now_s)) return false;
    if (!attachment_frame.holds(now_s)) continue;
    const Pose now = attachment_frame.path().at(now_s);
    for (const double time_s : {start_s, start_s + time_.theta_t(), end_s}) {
      if (!same_bits(attachment_frame.path().at(time_s), now)) return false;
    }
  }
  return true;
}

void Attachments::add_targets(double begin_s, double time_s, std::vector<double>* stiffness,
                              std::vector<Vec3d>* pull) const {
  for (const Group& group : groups_) {
    if (!group.attachment_frame.is_along_path() || !group.attachment_frame.holds(begin_s)) continue;
    const Pose frame = group.attachment_frame.path().at(time_s);
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const std::int32_t node = group.nodes[k].node;
      (*stiffness)[node] += group.stiffness_N_m;
      (*pull)[node] += group.stiffness_N_m * frame.to_world(place(group, k));
    }
  }
}

void Attachments::add_coupled_nodes(const State& state, std::vector<std::int32_t>* nodes) const {
  for (const Group& group : groups_) {
    if (group.attachment_frame.is_along_path() || !group.attachment_frame.holds(state.time_s))
      continue;
    for (const GroupNode& attached : group.nodes) {
      nodes->push_back(attached.node);
      if (group.other >= 0)
        nodes->insert(nodes->end(), attached.point.node.begin(), attached.point.node.end());
    }
  }
  std::sort(nodes->begin(), nodes->end());
  nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
}

void Attachments::add_to_system(const State& state, const BodySystem& system, double* value,
                                Vec3d* b) {
  std::vector<Mat3d> linear, angular;
  for (Group& group : groups_) {
    if (group.attachment_frame.is_along_path() || !group.attachment_frame.holds(state.time_s))
      continue;
    const Pose frame = group.attachment_frame.pose(state.time_s, system);
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      GroupNode& attached = group.nodes[k];
      const Vec3d target = this->target(group, k, frame, state.x.data());
      group.attachment_frame.jacobians(target, system, &linear, &angular);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d direction{};
        direction[axis] = 1;
        row_.stiffness = group.stiffness_N_m;
        row_.strain = state.x[attached.node][axis] - target[axis];
        row_.parts.assign(1, {attached.node, direction});
        for (std::size_t r = 0; r < linear.size(); ++r)
          row_.parts.push_back({group.attachment_frame.first_row() + static_cast<std::int32_t>(r),
                                -transpose_times(linear[r], direction)});
        for (std::size_t n = 0; group.other >= 0 && n < 4; ++n)
          row_.parts.push_back({attached.point.node[n], -attached.point.weight[n] * direction});
        if (attached.block.empty()) row_.find_blocks(*system.pattern(), &attached.block);
        row_.add_to(attached.block, time_.theta_t(), value, b);
      }
    }
  }
}

Vec3d Attachments::target(const Group& group, std::size_t k, const Pose& frame,
                          const Vec3d* x) const {
  return group.other >= 0 ? group.nodes[k].point.at(x) : frame.to_world(place(group, k));
}

bool Attachments::has_robots() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.attachment_frame.on_robot(); });
}

std::vector<Pose> Attachments::poses(double time_s, const BodySystem& system) const {
  std::vector<Pose> poses;
  for (const Group& group : groups_) poses.push_back(group.attachment_frame.pose(time_s, system));
  return poses;
}

void Attachments::attach(std::size_t attachment, const State& state, const BodySystem& system) {
  const Group& group = groups_[attachment];
  const Pose frame = group.attachment_frame.pose(state.time_s, system);
  std::vector<Vec3d> places = *places_;
  for (std::size_t k = 0; k < group.nodes.size(); ++k)
    places[static_cast<std::size_t>(group.first) + k] =
        frame.to_local(state.x[group.nodes[k].node]);
  set_places(std::move(places));
}

std::vector<AttachmentSums> Attachments::sums(double begin_s, const State& end,
                                              const BodySystem& system) const {
  std::vector<AttachmentSums> all;
  for (const Group& group : groups_) {
    all.emplace_back();
    if (!group.attachment_frame.holds(begin_s)) continue;
    const Pose begin = group.attachment_frame.pose(begin_s, system);
    const Pose now = group.attachment_frame.pose(end.time_s, system);
    const auto add = [&](int k, AttachmentSums* sum) {
      const auto own = static_cast<std::size_t>(k);
      const Vec3d x = end.x[group.nodes[own].node];
      if (group.other < 0)
        return add_attached_node(group.stiffness_N_m, begin, now, place(group, own), x, sum);
      const Pose at{group.nodes[own].point.at(end.x.data()), Mat3d::identity()};
      add_attached_node(group.stiffness_N_m, at, at, {}, x, sum);
    };
    all.back() = chunk_sum(static_cast<int>(group.nodes.size()), 1, AttachmentSums{}, add);
    add_rotation_error(group, begin, now, system, &all.back());
  }
  return all;
}

/// Replaces the force at the end positions by that of the problem, which contains the predicted
/// displacement of the nodes by the rotation. Energies remain those of the end.
void Attachments::add_rotation_error(const Group& group, const Pose& begin, const Pose& end,
                                     const BodySystem& system, AttachmentSums* sums) const {
  if (!group.attachment_frame.is_along_path()) return;
  const SoftBodies& soft = system.soft_bodies();
  for (std::size_t k = 0; k < group.nodes.size(); ++k) {
    const std::int32_t node = group.nodes[k].node;
    const Vec3d force = group.stiffness_N_m *
                        (soft.shift(Shift::solved, node) - soft.shift(Shift::predicted, node));
    const Vec3d target = end.to_world(place(group, k));
    sums->force_N -= force;
    sums->torque_Nm -= cross(target - end.position, force);
    sums->work_J += dot(force, target - begin.to_world(place(group, k)));
  }
}

void Attachments::add_link_loads(const State& start, const BodySystem& system, const Vec3d* v_hat,
                                 std::vector<LinkLoad>* loads) const {
  for (const Group& group : groups_) {
    if (!group.attachment_frame.on_robot() || !group.attachment_frame.holds(start.time_s)) continue;
    const Pose now = group.attachment_frame.pose(start.time_s, system);
    const FrameTwist twist =
        group.attachment_frame.twist(start.time_s, time_.step_s, v_hat, system);
    LinkLoad load{group.attachment_frame.robot(), group.attachment_frame.link(), now.position, {}};
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

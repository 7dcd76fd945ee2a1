#include "host/simulation/attachments.hpp"

#include <algorithm>

namespace nodia {

Attachments::Attachments(const Scene& scene, const std::vector<int>& body_first_node,
                         const std::vector<Vec3d>& x) {
  for (const AttachmentDescription& a : scene.attachments) {
    const auto body = std::find_if(scene.soft_bodies.begin(), scene.soft_bodies.end(),
                                   [&](const SoftBodyDescription& b) { return b.name == a.body; });
    const int first = body_first_node[body - scene.soft_bodies.begin()];
    const Pose start = a.path.keys.empty() ? Pose{} : a.path.at(a.path.keys.front().time_s);
    Group group{a.path, a.stiffness_N_m, a.release_time_s, {}};
    for (std::int32_t local : body->mesh.node_sets.at(a.node_set)) {
      const std::int32_t node = first + local;
      group.nodes.push_back({node, start.to_local(x[node])});
    }
    groups_.push_back(std::move(group));
  }
}

void Attachments::add_to_system(double time_s, double step_s, double theta,
                                const std::vector<Vec3d>& x, std::vector<double>* diagonal,
                                std::vector<Vec3d>* force) const {
  for (const Group& group : groups_) {
    if (!group.holds(time_s)) continue;
    const Pose frame = group.path.at(time_s + theta * step_s);
    for (const HeldNode& held : group.nodes) {
      (*diagonal)[held.node] += theta * step_s * group.stiffness_N_m;
      (*force)[held.node] += group.stiffness_N_m * (frame.to_world(held.place) - x[held.node]);
    }
  }
}

Attachments::Totals Attachments::totals(double begin_s, double end_s,
                                        const std::vector<Vec3d>& x) const {
  Totals sum;
  for (const Group& group : groups_) {
    if (!group.holds(begin_s)) continue;
    const Pose begin = group.path.at(begin_s), end = group.path.at(end_s);
    for (const HeldNode& held : group.nodes) {
      const Vec3d target = end.to_world(held.place);
      const Vec3d offset = target - x[held.node];
      const Vec3d force = group.stiffness_N_m * offset;
      sum.force_N += force;
      sum.work_J += dot(force, target - begin.to_world(held.place));
      sum.energy_J += 0.5 * group.stiffness_N_m * squared_norm(offset);
    }
  }
  return sum;
}

}  // namespace nodia

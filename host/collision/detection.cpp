/// Runs the kernels that detect nodes near prescribed shapes.
#include "host/collision/detection.hpp"

#include <algorithm>

#include "kernels/collision/detect_nodes.hpp"
#include "kernels/collision/slot_count.hpp"
#include "kernels/collision/tunnelling.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/launch/select_flagged.hpp"

namespace nodia {
namespace {

NodeVectors vectors(const Vec3d* nodes) {
  return {reinterpret_cast<const double*>(nodes), 3};
}

}  // namespace

void NodeDetection::detect(const std::vector<ObstaclePose>& obstacles, const NodeMotions& nodes,
                           DetectionReach reach, int n_thread) {
  flag_.resize(slot_count(obstacles.size(), nodes.n_node));
  largest_squared_speed_.resize(item_count(nodes.n_node));
  prepared_.resize(obstacles.size());
  DetectionView view;
  view.n_node = nodes.n_node;
  view.n_obstacle = static_cast<int>(obstacles.size());
  view.reach = reach;
  view.x = vectors(nodes.x);
  view.v = vectors(nodes.v);
  view.v_free = vectors(nodes.v_free);
  view.obstacle = obstacles.data();
  view.largest_squared_speed = largest_squared_speed_.data();
  view.prepared = prepared_.data();
  view.flag = flag_.data();
  const CpuLauncher launcher(chosen_isa(), n_thread);
  launch_flags(launcher, view);

  slot_.clear();
  for_each_flagged(view.flag, view.n_slot(), [this](int slot) { slot_.push_back(slot); });
  auto n_pair = static_cast<std::int32_t>(slot_.size());
  hit_.resize(slot_.size());
  view.slot = slot_.data();
  view.n_pair = &n_pair;
  view.capacity = n_pair;
  view.pair = hit_.data();
  launch_pairs(launcher, view);
}

double max_penetration(const Shape& shape, const Pose& pose, const Vec3d* x, int n_node,
                       int n_thread) {
  const ShapeBounds bounds = bounds_of(shape);
  return largest_item(n_node, n_thread,
                      [&](int node) { return depth_inside(shape, bounds, pose, x[node]); });
}

}  // namespace nodia

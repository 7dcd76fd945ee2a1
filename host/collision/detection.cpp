#include "host/collision/detection.hpp"

#include <algorithm>
#include <cmath>

namespace nodia {
namespace {

double largest_speed(const NodeMotions& nodes) {
  double squared = 0;
  for (int i = 0; i < nodes.n_node; ++i)
    squared = std::max(squared, squared_speed(nodes.motion(i)));
  return std::sqrt(squared);
}

/// Appends the pairs of nodes [begin, end).
void detect_range(const std::vector<PreparedObstacle>& obstacles, const NodeMotions& nodes,
                  int begin, int end, DetectionReach reach, std::vector<ProximityPair>* out) {
  const int n_obstacle = static_cast<int>(obstacles.size());
  ProximityPair pair;
  for (pair.node = begin; pair.node < end; ++pair.node) {
    for (pair.obstacle = 0; pair.obstacle < n_obstacle; ++pair.obstacle) {
      const PreparedObstacle& o = obstacles[static_cast<std::size_t>(pair.obstacle)];
      if (find_proximity(o, nodes.x[pair.node], nodes.motion(pair.node), reach, &pair))
        out->push_back(pair);
    }
  }
}

}  // namespace

void detect(const std::vector<ObstaclePose>& obstacles, const NodeMotions& nodes, double margin_m,
            double step_s, int n_thread, std::vector<ProximityPair>* out) {
  const DetectionReach reach{margin_m, step_s};
  const double speed = largest_speed(nodes);
  std::vector<PreparedObstacle> prepared;
  prepared.reserve(obstacles.size());
  for (const ObstaclePose& obstacle : obstacles) {
    prepared.push_back(prepare_obstacle(obstacle, speed, reach));
  }

  out->clear();
  if (n_thread <= 1) {
    detect_range(prepared, nodes, 0, nodes.n_node, reach, out);
    return;
  }
  // A node's pairs depend on that node alone: ranges of nodes side by side, put together in their
  // order.
  std::vector<std::vector<ProximityPair>> part(static_cast<std::size_t>(n_thread));
  const auto begin_of = [&](int r) {
    return static_cast<int>(static_cast<std::int64_t>(nodes.n_node) * r / n_thread);
  };
#pragma omp parallel for schedule(static) num_threads(n_thread)
  for (int r = 0; r < n_thread; ++r)
    detect_range(prepared, nodes, begin_of(r), begin_of(r + 1), reach,
                 &part[static_cast<std::size_t>(r)]);
  for (const auto& pairs : part) out->insert(out->end(), pairs.begin(), pairs.end());
}

double max_penetration(const Shape& shape, const Pose& pose, const Vec3d* x, int n_node) {
  double deepest = 0;
  const ShapeBounds bounds = bounds_of(shape);
  for (int node = 0; node < n_node; ++node) {
    const Vec3d p = pose.to_local(x[node]);
    if (!bounds.is_near(p, 0)) continue;
    deepest = std::max(deepest, -signed_distance(shape, p).distance);
  }
  return deepest;
}

}  // namespace nodia

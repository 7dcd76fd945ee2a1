#include "host/collision/detection.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/launch.hpp"

namespace nodia {
namespace {

double largest_speed(const Vec3d* v, int n) {
  double squared = 0;
  for (int i = 0; i < n; ++i) squared = std::max(squared, squared_speed(v[i]));
  return std::sqrt(squared);
}

/// Appends the pairs of nodes [begin, end).
void detect_range(const std::vector<PreparedObstacle>& obstacles, const Vec3d* x, const Vec3d* v,
                  int begin, int end, DetectionReach reach, std::vector<ProximityPair>* out) {
  const int n_obstacle = static_cast<int>(obstacles.size());
  ProximityPair pair;
  for (pair.node = begin; pair.node < end; ++pair.node) {
    for (pair.obstacle = 0; pair.obstacle < n_obstacle; ++pair.obstacle) {
      const PreparedObstacle& o = obstacles[static_cast<std::size_t>(pair.obstacle)];
      if (find_proximity(o, x[pair.node], v[pair.node], reach, &pair)) out->push_back(pair);
    }
  }
}

}  // namespace

void detect(const std::vector<ObstaclePose>& obstacles, const Vec3d* x, const Vec3d* v, int n_node,
            double margin_m, double step_s, int n_thread, std::vector<ProximityPair>* out) {
  const DetectionReach reach{margin_m, step_s};
  const double speed = largest_speed(v, n_node);
  std::vector<PreparedObstacle> prepared;
  prepared.reserve(obstacles.size());
  for (const ObstaclePose& obstacle : obstacles) {
    prepared.push_back(prepare_obstacle(obstacle, speed, reach));
  }

  out->clear();
  if (n_thread <= 1) {
    detect_range(prepared, x, v, 0, n_node, reach, out);
    return;
  }
  // A node's pairs depend on that node alone: ranges of nodes side by side, put together in their
  // order.
  std::vector<std::vector<ProximityPair>> part(static_cast<std::size_t>(n_thread));
  const auto begin_of = [&](int r) {
    return static_cast<int>(static_cast<std::int64_t>(n_node) * r / n_thread);
  };
  launch(
      n_thread,
      [&](int r) {
        detect_range(prepared, x, v, begin_of(r), begin_of(r + 1), reach,
                     &part[static_cast<std::size_t>(r)]);
      },
      n_thread);
  for (const auto& pairs : part) out->insert(out->end(), pairs.begin(), pairs.end());
}

double max_penetration(const std::vector<Shape>& shapes, const std::vector<Pose>& poses,
                       const Vec3d* x, int n_node) {
  double deepest = 0;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape& shape = shapes[k];
    const ShapeBounds bounds = bounds_of(shape);
    for (int node = 0; node < n_node; ++node) {
      const Vec3d p = poses[k].to_local(x[node]);
      if (!bounds.is_near(p, 0)) continue;
      deepest = std::max(deepest, -signed_distance(shape, p).distance);
    }
  }
  return deepest;
}

}  // namespace nodia

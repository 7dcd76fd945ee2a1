/// Which nodes are near which prescribed shapes, in a fixed order.
#pragma once

#include <vector>

#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Nodes as the detection sees them.
struct NodeMotions {
  const Vec3d* x = nullptr;       ///< positions [m]
  const Vec3d* v = nullptr;       ///< velocities now [m/s]
  const Vec3d* v_free = nullptr;  ///< PointMotion::free [m/s]
  int n_node = 0;
};

/// The detection's kernels on the CPU; keeps their memory.
class NodeDetection {
 public:
  /// Finds the pairs that are near (kernels/collision/obstacle.hpp); the same for every number of
  /// threads. A node whose position is not a number is in no pair.
  /// @throws InputError where nodes times obstacles exceed 2^31 - 1
  void detect(const std::vector<ObstaclePose>& obstacles, const NodeMotions& nodes,
              DetectionReach reach, int n_thread);

  /// Of the last call, ordered by (node, obstacle).
  const std::vector<NodeHit>& hits() const { return hit_; }

 private:
  std::vector<double> largest_squared_speed_;
  std::vector<PreparedObstacle> prepared_;
  std::vector<std::uint8_t> flag_;
  std::vector<std::int32_t> slot_;
  std::vector<NodeHit> hit_;
};

/// Deepest penetration of any node into a shape [m], 0 where there is none.
double max_penetration(const Shape& shape, const Pose& pose, const Vec3d* x, int n_node,
                       int n_thread = 1);

}  // namespace nodia

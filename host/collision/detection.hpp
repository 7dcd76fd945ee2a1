/// Detection of nodes near prescribed shapes, with results in a fixed order.
#pragma once

#include <vector>

#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Positions and velocities of nodes.
struct NodeMotions {
  const Vec3d* x = nullptr;       ///< positions [m]
  const Vec3d* v = nullptr;       ///< present velocities [m/s]
  const Vec3d* v_free = nullptr;  ///< PointMotion::free [m/s]
  int n_node = 0;
};

/// Runs the detection kernels on the CPU and owns their memory.
class NodeDetection {
 public:
  /// Finds the near pairs (kernels/collision/obstacle.hpp); independent of the number of threads.
  /// Ignores nodes with non-finite positions.
  /// @throws InputError if nodes times obstacles exceed 2^31 - 1
  void detect(const std::vector<ObstaclePose>& obstacles, const NodeMotions& nodes,
              DetectionReach reach, int n_thread);

  /// Pairs of the last call, ordered by (node, obstacle).
  const std::vector<NodeHit>& hits() const { return hit_; }

 private:
  std::vector<double> largest_squared_speed_;
  std::vector<PreparedObstacle> prepared_;
  std::vector<std::uint8_t> flag_;
  std::vector<std::int32_t> slot_;
  std::vector<NodeHit> hit_;
};

/// Deepest penetration of a node into a shape [m]; 0 without penetration.
double max_penetration(const Shape& shape, const Pose& pose, const Vec3d* x, int n_node,
                       int n_thread = 1);

}  // namespace nodia

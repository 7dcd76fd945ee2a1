/// Which nodes touch which obstacles: candidates for contact, in a fixed order.
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

  PointMotion motion(int node) const { return {v[node], v_free[node]}; }
};

/// Pairs near enough by find_proximity(), ordered by (node, obstacle); the same for every number of
/// threads.
/// A node whose position is not a number is in no pair.
/// @param out  replaced; its memory is used again
void detect(const std::vector<ObstaclePose>& obstacles, const NodeMotions& nodes, double margin_m,
            double step_s, int n_thread, std::vector<ProximityPair>* out);

/// Deepest penetration of any node into a shape [m], 0 where there is none.
double max_penetration(const Shape& shape, const Pose& pose, const Vec3d* x, int n_node);

}  // namespace nodia

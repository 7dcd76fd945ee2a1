/// Which nodes touch which obstacles: candidates for contact, in a fixed order.
#pragma once

#include <vector>

#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Pairs with gap < margin_m + 2 t max(0, -relative normal velocity), ordered by (node, obstacle);
/// the same for every number of threads.
/// A node whose position is not a number is in no pair.
/// @param x  positions [m], @param v  velocities [m/s], n_node each
/// @param out  replaced; its memory is used again
void detect(const std::vector<ObstaclePose>& obstacles, const Vec3d* x, const Vec3d* v, int n_node,
            double margin_m, double step_s, int n_thread, std::vector<ProximityPair>* out);

/// Deepest penetration of any node into any obstacle at the given poses [m], 0 where there is none.
double max_penetration(const std::vector<Shape>& shapes, const std::vector<Pose>& poses,
                       const Vec3d* x, int n_node);

}  // namespace nodia

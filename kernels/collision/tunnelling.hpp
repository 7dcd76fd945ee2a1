/// Swept-path test of points against a solid: depth at the end, and tunnelling; host and device.
#pragma once

#include "kernels/collision/bounds.hpp"
#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Depth that counts as on the surface, relative to the smaller body's smallest extent [-].
inline constexpr double kTunnellingShare = 0.01;

/// End of a path that starts outside a solid.
struct WayEnd {
  enum class Where {
    outside,  ///< it never entered, or left on the side of entry
    inside,
    through  ///< it left on another side than that of entry
  } where = Where::outside;
  double depth_m = 0;  ///< depth of the end behind the surface that was passed [m]
};

/// Box of the path a -> b of a point relative to any point of a body at its start position.
/// @param moved  box of the displacements of the body's points [m]
NODIA_HD Bounds way_seen_from(const Bounds& moved, Vec3d a, Vec3d b) {
  Bounds box = bounds_of_points(a, b - moved.lo);
  box.add(bounds_of_points(a, b - moved.hi));
  return box;
}

/// Evaluates the straight path a -> b against a solid given by its signed distance. Steps equal the
/// distance, but are at least 1/1024 of the path, so thinner parts may be missed.
/// @param distance  point -> SurfaceDistance, 1-Lipschitz; positive at a
template <class Distance>
NODIA_HD WayEnd end_of_way(Vec3d a, Vec3d b, const Distance& distance) {
  const double length = norm(b - a);
  const double least = length / 1024;
  double way = 0;
  bool entered = false;
  SurfaceDistance before{};  // last outside point before the solid, and its surface
  Vec3d from = a;
  for (;;) {
    const Vec3d p = way < length ? a + (way / length) * (b - a) : b;
    const SurfaceDistance d = distance(p);
    if (!is_finite(d.distance)) return {};
    entered = entered || d.distance < 0;
    if (!entered) {
      before = d;
      from = p;
    }
    if (way < length) {
      way += larger(std::fabs(d.distance), least);
      continue;
    }
    if (d.distance < 0) return {WayEnd::Where::inside, -d.distance};
    if (!entered || dot(before.normal, d.normal) >= 0) return {};
    return {WayEnd::Where::through, dot(from - b, before.normal) - before.distance};
  }
}

/// Depth of a point in a shape [m]; <= 0 or NaN if it is outside.
NODIA_HD double depth_inside(const Shape& shape, const ShapeBounds& bounds, const Pose& pose,
                             Vec3d x) {
  const Vec3d p = pose.to_local(x);
  return bounds.is_near(p, 0) ? -signed_distance(shape, p).distance : 0.0;
}

/// Depth of a node that tunnelled through an obstacle's surface in a step and is not within the
/// tolerance of the surface [m]; <= 0 or NaN: none. The caller omits detected nodes (SurfacePair).
/// @param x, end      positions of the node at the start and at the end of the step [m]
/// @param margin_m    DetectionReach::margin_m: shorter paths start near the obstacle
/// @param smallest_m  smallest extent of the smaller body [m]
NODIA_HD double tunnelling_depth(const ObstaclePose& obstacle, const ShapeBounds& bounds, Vec3d x,
                                 Vec3d end, double margin_m, double smallest_m) {
  const Vec3d from = obstacle.now.to_local(x), to = obstacle.next.to_local(end);
  const double length = norm(to - from);
  if (!(length > margin_m) || !bounds.is_near(from, length)) return 0;
  const auto distance = [&](Vec3d p) { return signed_distance(obstacle.shape, p); };
  const double start = distance(from).distance;
  if (!(start > 0 && start < length)) return 0;
  const WayEnd way = end_of_way(from, to, distance);
  if (way.where == WayEnd::Where::outside) return 0;
  const bool is_on_it =
      way.where == WayEnd::Where::inside && way.depth_m / smallest_m <= kTunnellingShare;
  return is_on_it ? 0 : way.depth_m;
}

}  // namespace nodia

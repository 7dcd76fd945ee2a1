/// Points that moved straight in a step at a solid: how deep they ended, and whether they came
/// through its surface; host and device.
#pragma once

#include "kernels/collision/bounds.hpp"
#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Depth that still counts as on the surface, of the smallest extent of the smaller body.
inline constexpr double kPassageShare = 0.01;

/// How a way from outside a solid ended.
struct WayEnd {
  enum class Where {
    outside,  ///< it never entered, or left where it had come in
    inside,
    through  ///< it left on another side than it had come in
  } where = Where::outside;
  double depth_m = 0;  ///< of the end behind the surface that was passed [m]
};

/// Box around the way a -> b of a point as seen from any point of a body that stays where it
/// starts.
/// @param moved  box around the ways of the body's points [m]
NODIA_HD Bounds way_seen_from(const Bounds& moved, Vec3d a, Vec3d b) {
  Bounds box = bounds_of_points(a, b - moved.lo);
  box.add(bounds_of_points(a, b - moved.hi));
  return box;
}

/// The straight way a -> b against a solid given by its signed distance, by steps as long as the
/// distance and at least 1/1024 of the way: what is thinner than that may be stepped over.
/// @param distance  point -> SurfaceDistance, not changing by more than the way; positive at a
template <class Distance>
NODIA_HD WayEnd end_of_way(Vec3d a, Vec3d b, const Distance& distance) {
  const double length = norm(b - a);
  const double least = length / 1024;
  double way = 0;
  bool entered = false;
  SurfaceDistance before{};  // the last one outside ahead of the solid, and where it was
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

/// Depth of a point in a shape [m]; not above 0, or NaN: it is not inside.
NODIA_HD double depth_inside(const Shape& shape, const ShapeBounds& bounds, const Pose& pose,
                             Vec3d x) {
  const Vec3d p = pose.to_local(x);
  return bounds.is_near(p, 0) ? -signed_distance(shape, p).distance : 0.0;
}

/// Depth of a node that a step carried through an obstacle's surface and not back, unless it ends
/// so little inside that it counts as on it [m]; not above 0, or NaN: there is none. A node that
/// detection found near is to be left out (SurfacePair).
/// @param x, end      of the node at the start and at the end of the step [m]
/// @param margin_m    DetectionReach::margin_m: shorter ways begin near the obstacle
/// @param smallest_m  extent of the smaller body [m]
NODIA_HD double passage_depth(const ObstaclePose& obstacle, const ShapeBounds& bounds, Vec3d x,
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
      way.where == WayEnd::Where::inside && way.depth_m / smallest_m <= kPassageShare;
  return is_on_it ? 0 : way.depth_m;
}

}  // namespace nodia

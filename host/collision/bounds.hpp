/// Axis-aligned boxes around primitives.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Component-wise; a where a component of either is not a number.
inline Vec3d least(Vec3d a, Vec3d b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
inline Vec3d greatest(Vec3d a, Vec3d b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// The box [lo, hi] [m]. Empty by default: it meets nothing and adds nothing to another.
struct Bounds {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3d lo{kInfinity, kInfinity, kInfinity};
  Vec3d hi{-kInfinity, -kInfinity, -kInfinity};

  bool is_empty() const { return !(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z); }
  void add(Vec3d p) {
    lo = least(lo, p);
    hi = greatest(hi, p);
  }
  void add(const Bounds& b) {
    lo = least(lo, b.lo);
    hi = greatest(hi, b.hi);
  }
  /// Grown by `reach` to every side.
  Bounds grown(double reach) const {
    const Vec3d r{reach, reach, reach};
    return {lo - r, hi + r};
  }
  /// Whether the closed boxes have a point in common.
  bool overlaps(const Bounds& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z &&
           b.lo.z <= hi.z;
  }
  /// Squared distance to the box, 0 inside; infinite where it is empty.
  double squared_distance(Vec3d p) const {
    const Vec3d d{std::max({lo.x - p.x, p.x - hi.x, 0.0}), std::max({lo.y - p.y, p.y - hi.y, 0.0}),
                  std::max({lo.z - p.z, p.z - hi.z, 0.0})};
    return squared_norm(d);
  }
};

/// Box of points; empty where one of them is not finite.
template <class... Points>
Bounds bounds_of_points(Points... points) {
  Bounds box;
  if (!(is_finite(points) && ...)) return box;
  (box.add(points), ...);
  return box;
}

}  // namespace nodia

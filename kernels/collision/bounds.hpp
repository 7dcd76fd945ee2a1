/// Axis-aligned boxes around primitives, host and device.
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Component-wise minimum; a if a component of either is NaN.
NODIA_HD Vec3d least(Vec3d a, Vec3d b) {
  return {smaller(b.x, a.x), smaller(b.y, a.y), smaller(b.z, a.z)};
}
NODIA_HD Vec3d greatest(Vec3d a, Vec3d b) {
  return {larger(b.x, a.x), larger(b.y, a.y), larger(b.z, a.z)};
}

/// Box [lo, hi] [m]. Empty by default: it overlaps nothing and does not enlarge other boxes.
struct Bounds {
  static constexpr double kInfinity = HUGE_VAL;
  Vec3d lo{kInfinity, kInfinity, kInfinity};
  Vec3d hi{-kInfinity, -kInfinity, -kInfinity};

  NODIA_HD bool is_empty() const { return !(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z); }
  NODIA_HD void add(Vec3d p) {
    lo = least(lo, p);
    hi = greatest(hi, p);
  }
  NODIA_HD void add(const Bounds& b) {
    lo = least(lo, b.lo);
    hi = greatest(hi, b.hi);
  }
  /// Box enlarged by `reach` on every side.
  NODIA_HD Bounds grown(double reach) const {
    const Vec3d r{reach, reach, reach};
    return {lo - r, hi + r};
  }
  /// True if the closed boxes overlap.
  NODIA_HD bool overlaps(const Bounds& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z &&
           b.lo.z <= hi.z;
  }
  /// Squared distance to the box, 0 inside; infinite if the box is empty.
  NODIA_HD double squared_distance(Vec3d p) const {
    const auto beyond = [](double before, double behind) {
      return larger(0.0, larger(behind, before));
    };
    return squared_norm(Vec3d{beyond(lo.x - p.x, p.x - hi.x), beyond(lo.y - p.y, p.y - hi.y),
                              beyond(lo.z - p.z, p.z - hi.z)});
  }
};

/// Squared distance to a primitive in a box, at least that to the box despite rounding. The minimum
/// over several primitives is then independent of order and boxes of the search. Keeps NaN.
NODIA_HD double not_below(double squared_to_box, double squared) {
  return larger(squared_to_box, squared);
}

/// Box of points; empty if one of them is not finite.
template <class... Points>
NODIA_HD Bounds bounds_of_points(Points... points) {
  Bounds box;
  if (!(is_finite(points) && ...)) return box;
  (box.add(points), ...);
  return box;
}

}  // namespace nodia

/// Axis-aligned boxes around primitives, host and device.
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Component-wise; a where a component of either is not a number.
NODIA_HD Vec3d least(Vec3d a, Vec3d b) {
  return {smaller(b.x, a.x), smaller(b.y, a.y), smaller(b.z, a.z)};
}
NODIA_HD Vec3d greatest(Vec3d a, Vec3d b) {
  return {larger(b.x, a.x), larger(b.y, a.y), larger(b.z, a.z)};
}

/// The box [lo, hi] [m]. Empty by default: it meets nothing and adds nothing to another.
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
  /// Grown by `reach` to every side.
  NODIA_HD Bounds grown(double reach) const {
    const Vec3d r{reach, reach, reach};
    return {lo - r, hi + r};
  }
  /// Whether the closed boxes have a point in common.
  NODIA_HD bool overlaps(const Bounds& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z &&
           b.lo.z <= hi.z;
  }
  /// Squared distance to the box, 0 inside; infinite where it is empty.
  NODIA_HD double squared_distance(Vec3d p) const {
    const auto beyond = [](double before, double behind) {
      return larger(0.0, larger(behind, before));
    };
    return squared_norm(Vec3d{beyond(lo.x - p.x, p.x - hi.x), beyond(lo.y - p.y, p.y - hi.y),
                              beyond(lo.z - p.z, p.z - hi.z)});
  }
};

/// A squared distance to what lies in a box, and not below that to the box, as rounding makes it:
/// of several the least then is one whatever order, and whatever boxes around boxes, they are
/// looked at in. NaN stays.
NODIA_HD double not_below(double squared_to_box, double squared) {
  return larger(squared_to_box, squared);
}

/// Box of points; empty where one of them is not finite.
template <class... Points>
NODIA_HD Bounds bounds_of_points(Points... points) {
  Bounds box;
  if (!(is_finite(points) && ...)) return box;
  (box.add(points), ...);
  return box;
}

}  // namespace nodia

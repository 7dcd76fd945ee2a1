/// Collision shape half-space: z <= 0 is solid.
#pragma once

#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

NODIA_HD SurfaceDistance half_space_distance(Vec3d p) {
  return {p.z, {0, 0, 1}};
}

struct HalfSpaceShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::half_space;
  static constexpr const char* kName = "half_space";
  static constexpr const char* kPlace = "z <= 0 is solid";
  static constexpr std::array<ShapeSize, 0> kSizes{};
  static constexpr bool kIsBounded = false, kHasFeet = false, kHasIntegrals = false;

  NODIA_HD static SurfaceDistance distance(const Shape&, Vec3d p) { return half_space_distance(p); }
  NODIA_HD static ShapeBounds bounds(const Shape&) {
    return {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, 0}};
  }
  static double curvature_radius(const Shape&) { return HUGE_VAL; }

  /// None, because the points of the other body suffice.
  template <class Distance, class Visit>
  static void contact_points(const Shape&, const Distance&, const Visit&) {}
  template <class Visit>
  static void sharp_points(const Shape&, const Visit&) {}
};

}  // namespace nodia

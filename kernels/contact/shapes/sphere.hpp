/// Collision shape sphere about the origin.
#pragma once

#include <numbers>

#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// At the centre the normal is z.
NODIA_HD SurfaceDistance sphere_distance(Vec3d p, double radius) {
  const double r = norm(p);
  if (r > kNoDirection) return {r - radius, (1 / r) * p};
  return {-radius, {0, 0, 1}};
}

struct SphereShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::sphere;
  static constexpr const char* kName = "sphere";
  static constexpr const char* kPlace = "about the origin";
  static constexpr std::array<ShapeSize, 1> kSizes{
      {{"radius_m", "[m]", "try 0.05", &Shape::radius}}};

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return sphere_distance(p, s.radius);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    return bounds_about_origin({s.radius, s.radius, s.radius});
  }
  static double curvature_radius(const Shape& s) { return s.radius; }

  static double volume(const Shape& s) {
    return std::numbers::pi * s.radius * s.radius * s.radius * 4 / 3;
  }
  static Vec3d inertia(const Shape& s, double mass) {
    const double i = 0.4 * mass * s.radius * s.radius;
    return {i, i, i};
  }
  static double point_radius(const Shape& s, std::int32_t) { return s.radius; }

  /// The centre (feature 0).
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance&, const Visit& visit) {
    sharp_points(s, visit);
  }
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    visit(ShapePoint{0, {}, s.radius, {}});
  }
};

}  // namespace nodia

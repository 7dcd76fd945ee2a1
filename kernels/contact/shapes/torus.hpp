/// Collision shape torus about the z axis: all points within `tube_radius` of the circle of radius
/// `radius` in the plane z = 0.
#pragma once

#include "kernels/contact/shapes/closest_place.hpp"

namespace nodia {

/// Exact for tube_radius < radius. On the axis the nearest point of the circle is along x; on the
/// circle the normal is z.
NODIA_HD SurfaceDistance torus_distance(Vec3d p, double radius, double tube_radius) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec3d radial = r > kNoDirection ? Vec3d{p.x / r, p.y / r, 0} : Vec3d{1, 0, 0};
  const double across = r - radius;
  const double d = std::sqrt(across * across + p.z * p.z);
  if (!(d <= kNoDirection)) return {d - tube_radius, (across / d) * radial + Vec3d{0, 0, p.z / d}};
  return {-tube_radius, {0, 0, 1}};
}

struct TorusShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::torus;
  static constexpr const char* kName = "torus";
  static constexpr const char* kPlace = "axis z";
  static constexpr std::array<ShapeSize, 2> kSizes{{
      {"radius_m", "of the circle in the middle of its tube [m]", "try 0.05", &Shape::radius},
      {"tube_radius_m", "of its tube, less than radius_m [m]", "try 0.01", &Shape::tube_radius},
  }};
  static constexpr bool kKeepsFeatures = false;

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return torus_distance(p, s.radius, s.tube_radius);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    const double outer = s.radius + s.tube_radius;
    return bounds_about_origin({outer, outer, s.tube_radius});
  }

  static double curvature_radius(const Shape& s) { return s.tube_radius; }
  static constexpr bool kHasCircle = true;

  /// Area of the tube's disc times the length of the circle [Pappus].
  static double volume(const Shape& s) {
    constexpr double kPi = std::numbers::pi;
    return 2 * kPi * s.radius * kPi * s.tube_radius * s.tube_radius;
  }
  static Vec3d inertia(const Shape& s, double m) {
    const double ring = s.radius * s.radius, tube = s.tube_radius * s.tube_radius;
    const double across = m * (0.5 * ring + 0.625 * tube);
    return {across, across, m * (ring + 0.75 * tube)};
  }

  static ShapeFault fault(const Shape& s) {
    if (s.tube_radius < s.radius) return {};
    return {&kSizes[1], "less than radius_m", "the tube would meet itself in the middle"};
  }

  static double point_radius(const Shape& s, std::int32_t) { return s.tube_radius; }

  /// Spheres in the tube at 8 positions (0 .. 7), an eighth turn apart, from the closest one on.
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance& distance, const Visit& visit) {
    const double first = least_angle({}, s.radius, distance);
    for (std::int32_t k = 0; k < 8; ++k)
      visit(tube_point(s, k, first + 0.25 * std::numbers::pi * k));
  }
  /// Spheres in the tube at 16 positions.
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    for (std::int32_t k = 0; k < 16; ++k) visit(tube_point(s, k, 0.125 * std::numbers::pi * k));
  }
  /// The deepest sphere in the tube.
  template <class Distance, class Visit>
  static void round_points(const Shape& s, const Distance& distance, const Visit& visit) {
    visit(tube_point(s, 0, least_angle({}, s.radius, distance)));
  }

 private:
  static ShapePoint tube_point(const Shape& s, std::int32_t feature, double angle) {
    return {
        feature, {s.radius * std::cos(angle), s.radius * std::sin(angle), 0}, s.tube_radius, {}};
  }
};

}  // namespace nodia

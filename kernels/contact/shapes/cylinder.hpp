/// Collision shape cylinder about the z axis, with length `length`.
#pragma once

#include "kernels/contact/shapes/closest_place.hpp"

namespace nodia {

/// If both faces are equally near, the cap counts. On the axis the radial direction is x.
NODIA_HD SurfaceDistance cylinder_distance(Vec3d p, double radius, double length) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec3d radial = r > kNoDirection ? Vec3d{p.x / r, p.y / r, 0} : Vec3d{1, 0, 0};
  const Vec3d axial{0, 0, p.z < 0 ? -1.0 : 1.0};
  const double a = r - radius;
  const double b = std::fabs(p.z) - 0.5 * length;
  if (a > 0 && b > 0) {
    const double d = std::sqrt(a * a + b * b);
    if (d > kNoDirection) return {d, (a / d) * radial + (b / d) * axial};
  }
  if (a > b) return {a, radial};
  return {b, axial};
}

/// @param up  selects the rim: -1 lower, +1 upper
inline ShapePoint rim_point(const Shape& cylinder, std::int32_t feature, double angle, double up) {
  const Vec3d radial{std::cos(angle), std::sin(angle), 0}, axial{0, 0, up};
  return {feature, cylinder.radius * radial + 0.5 * cylinder.length * axial, 0,
          std::sqrt(0.5) * (radial + axial)};
}

struct CylinderShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::cylinder;
  static constexpr const char* kName = "cylinder";
  static constexpr const char* kPlace = "axis z";
  static constexpr std::array<ShapeSize, 2> kSizes{{
      {"radius_m", "[m]", "try 0.05", &Shape::radius},
      {"length_m", "along its z axis [m]", "try 0.5", &Shape::length},
  }};
  static constexpr bool kKeepsFeatures = false;
  static constexpr std::int32_t kAxisPoint = 8;  ///< feature of the point on the axis

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return cylinder_distance(p, s.radius, s.length);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    return bounds_about_origin({s.radius, s.radius, 0.5 * s.length});
  }

  static constexpr bool kHasAxis = true, kHasCircle = true;
  static Vec3d axis_end(const Shape& s) { return {0, 0, 0.5 * s.length}; }
  /// Outside the wall and beyond the cap, or where both are equally near.
  static bool rim_at(const Shape& s, Vec3d p, SolidEdge* edge) {
    const double r = std::sqrt(p.x * p.x + p.y * p.y);
    if (!(r > kNoDirection)) return false;
    const double from_wall = r - s.radius, from_cap = std::fabs(p.z) - 0.5 * s.length;
    constexpr double kEqual = 1e-6;
    const bool is_outside = from_wall > 0 && from_cap > 0;
    if (!is_outside && !(std::fabs(from_wall - from_cap) <= kEqual * s.radius)) return false;
    const Vec3d radial{p.x / r, p.y / r, 0}, axial{0, 0, p.z < 0 ? -1.0 : 1.0};
    const Vec3d foot = s.radius * radial + 0.5 * s.length * axial;
    const Vec3d along = s.radius * cross(axial, radial);
    *edge = {foot - along, foot + along, {-axial, -radial}, {radial, axial}};
    return true;
  }

  static double volume(const Shape& s) { return std::numbers::pi * s.radius * s.radius * s.length; }
  static Vec3d inertia(const Shape& s, double m) {
    const double r = s.radius, l = s.length;
    const double across = m / 12 * (3 * r * r + l * l);
    return {across, across, 0.5 * m * r * r};
  }

  static double sharp_size(const Shape& s) { return s.radius + s.length; }
  template <class Add>
  static void faces(const Shape& s, Vec3d p, const Add& add) {
    for (const double sign : {1.0, -1.0}) add(sign * p.z - 0.5 * s.length, {0, 0, sign});
    if (const double r = std::sqrt(p.x * p.x + p.y * p.y); r > kNoDirection)
      add(r - s.radius, {p.x / r, p.y / r, 0});
  }

  static double point_radius(const Shape& s, std::int32_t feature) {
    return feature == kAxisPoint ? s.radius : 0;
  }

  /// 4 points of the lower rim (0 .. 3) and of the upper one (4 .. 7), a quarter turn apart, the
  /// first of each closest to the body; and the closest point of the axis between the caps, with
  /// the cylinder's radius (kAxisPoint), if it touches with the lateral surface.
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance& distance, const Visit& visit) {
    const Vec3d top{0, 0, 0.5 * s.length};
    for (std::int32_t rim = 0; rim < 2; ++rim) {
      const Vec3d c = rim == 0 ? -top : top;
      const double first = least_angle(c, s.radius, distance);
      for (std::int32_t k = 0; k < 4; ++k)
        visit(rim_point(s, 4 * rim + k, first + 0.5 * std::numbers::pi * k, rim == 0 ? -1 : 1));
    }
    const double place = least_inside(-top, top, distance);
    if (!(place > 0)) return;
    const Vec3d centre = (2 * place - 1) * top;
    const double on_surface = centre.z - s.radius * distance(centre).normal.z;
    if (std::fabs(on_surface) <= top.z) visit(ShapePoint{kAxisPoint, centre, s.radius, {}});
  }
  /// 8 points of each rim.
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    for (std::int32_t k = 0; k < 16; ++k)
      visit(rim_point(s, k, 0.25 * std::numbers::pi * k, k < 8 ? -1 : 1));
  }
  /// The largest sphere inside.
  template <class Visit>
  static void inner_points(const Shape& s, const Visit& visit) {
    visit(ShapePoint{0, {}, smaller(s.radius, 0.5 * s.length), {}});
  }
  /// The deepest point of each rim.
  template <class Distance, class Visit>
  static void round_points(const Shape& s, const Distance& distance, const Visit& visit) {
    for (const double up : {-1.0, 1.0}) {
      const double angle = least_angle({0, 0, 0.5 * up * s.length}, s.radius, distance);
      visit(rim_point(s, 0, angle, up));
    }
  }
};

}  // namespace nodia

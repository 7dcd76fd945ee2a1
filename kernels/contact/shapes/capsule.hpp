/// Collision shape capsule about the z axis; `length` is the distance of the cap centres.
#pragma once

#include "kernels/contact/shapes/closest_place.hpp"

namespace nodia {

/// On the axis between the cap centres the normal is x.
NODIA_HD SurfaceDistance capsule_distance(Vec3d p, double radius, double length) {
  const double half = 0.5 * length;
  const double z = p.z > half ? half : (p.z < -half ? -half : p.z);
  const Vec3d from_axis{p.x, p.y, p.z - z};
  const double r = norm(from_axis);
  if (r > kNoDirection) return {r - radius, (1 / r) * from_axis};
  return {-radius, {1, 0, 0}};
}

struct CapsuleShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::capsule;
  static constexpr const char* kName = "capsule";
  static constexpr const char* kPlace = "axis z";
  static constexpr std::array<ShapeSize, 2> kSizes{{
      {"radius_m", "[m]", "try 0.05", &Shape::radius},
      {"length_m", "along its z axis, between the centres of its caps [m]", "try 0.5",
       &Shape::length},
  }};
  static constexpr bool kKeepsFeatures = false;

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return capsule_distance(p, s.radius, s.length);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    return bounds_about_origin({s.radius, s.radius, 0.5 * s.length + s.radius});
  }

  static double curvature_radius(const Shape& s) { return s.radius; }
  static constexpr bool kHasAxis = true;
  static Vec3d axis_end(const Shape& s) { return {0, 0, 0.5 * s.length}; }

  static double volume(const Shape& s) {
    return std::numbers::pi * s.radius * s.radius * (s.length + s.radius * 4 / 3);
  }
  /// Cylinder of length l and two hemispheres, whose centres of mass are 3/8 r beyond its ends.
  static Vec3d inertia(const Shape& s, double m) {
    const double r = s.radius, l = s.length;
    const double part = l / (l + 4 * r / 3), tube = part * m, caps = (1 - part) * m;
    const double across =
        tube / 12 * (3 * r * r + l * l) + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    return {across, across, 0.5 * tube * r * r + 0.4 * caps * r * r};
  }

  static double point_radius(const Shape& s, std::int32_t) { return s.radius; }

  /// Ends of the axis (0, 1) that do not face away from the body, and the point between them
  /// closest to the body (2).
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance& distance, const Visit& visit) {
    // An end whose contact normal points into the capsule is not a contact point.
    constexpr double kInward = 0.1;  // sine
    const Vec3d top{0, 0, 0.5 * s.length};
    if (distance(-top).normal.z >= -kInward) visit(ShapePoint{0, -top, s.radius, {}});
    if (distance(top).normal.z <= kInward) visit(ShapePoint{1, top, s.radius, {}});
    const double place = least_inside(-top, top, distance);
    if (place > 0) visit(ShapePoint{2, (2 * place - 1) * top, s.radius, {}});
  }
  /// Ends of the axis.
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    const Vec3d top{0, 0, 0.5 * s.length};
    visit(ShapePoint{0, -top, s.radius, {}});
    visit(ShapePoint{1, top, s.radius, {}});
  }
  template <class Visit>
  static void inner_points(const Shape& s, const Visit& visit) {
    visit(ShapePoint{0, {}, s.radius, {}});
  }
};

}  // namespace nodia

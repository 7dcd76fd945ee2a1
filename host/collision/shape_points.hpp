/// Points of a shape that may touch another body.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "kernels/collision/edge_pair.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

/// A sphere within a shape that reaches its surface.
struct ShapePoint {
  std::int32_t feature = 0;  ///< which, the same in every step
  Vec3d centre{};            ///< [m]
  double radius = 0;         ///< 0: a point of the surface [m]
  Vec3d outward{};  ///< unit normal of the surface there; zero where it has none of its own
};

/// Place in (0, 1) on the segment a -> b where the distance is least, -1 where it is not lower than
/// at both ends by more than 1e-9 of the length.
/// @param distance  point -> SurfaceDistance, in one frame with a and b
template <class Distance>
double least_inside(Vec3d a, Vec3d b, const Distance& distance) {
  constexpr int kSamples = 8;  // brackets the lowest of several minima; a convex shape has one
  constexpr int kBisections = 48;
  const Vec3d axis = b - a;
  double value[kSamples + 1];
  int lowest = 0;
  for (int k = 0; k <= kSamples; ++k) {
    value[k] = distance(a + (k / double{kSamples}) * axis).distance;
    if (value[k] < value[lowest]) lowest = k;
  }
  double lo = std::fmax(0.0, lowest - 1) / kSamples;
  double hi = std::fmin(double{kSamples}, lowest + 1) / kSamples;
  for (int round = 0; round < kBisections; ++round) {
    const double s = 0.5 * (lo + hi);
    (dot(distance(a + s * axis).normal, axis) > 0 ? hi : lo) = s;
  }
  const double s = 0.5 * (lo + hi);
  const double least = distance(a + s * axis).distance;
  const bool is_inside = least < std::fmin(value[0], value[kSamples]) - 1e-9 * norm(axis);
  return is_inside && s > 0 && s < 1 ? s : -1;
}

/// Angle on the circle of radius r about c, in the plane z = c.z, where the distance is least
/// [rad]; 0 where it varies by less than 1e-6 r.
template <class Distance>
double least_angle(Vec3d c, double r, const Distance& distance) {
  constexpr int kSamples = 16;
  constexpr int kBisections = 48;
  const auto on_circle = [&](double angle) {
    return c + Vec3d{r * std::cos(angle), r * std::sin(angle), 0};
  };
  const double spacing = 2 * std::numbers::pi / kSamples;
  double least = HUGE_VAL, most = -HUGE_VAL, best = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double d = distance(on_circle(spacing * k)).distance;
    if (d < least) best = spacing * k;
    least = std::fmin(least, d);
    most = std::fmax(most, d);
  }
  if (!(most - least > 1e-6 * r)) return 0;
  double lo = best - spacing, hi = best + spacing;
  for (int round = 0; round < kBisections; ++round) {
    const double angle = 0.5 * (lo + hi);
    const Vec3d tangent{-std::sin(angle), std::cos(angle), 0};
    (dot(distance(on_circle(angle)).normal, tangent) > 0 ? hi : lo) = angle;
  }
  return 0.5 * (lo + hi);
}

/// Corner k of a box: bit 0 of k for +x, bit 1 for +y, bit 2 for +z.
inline Vec3d box_corner(Vec3d size, std::int32_t k) {
  return {(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
          (k & 4 ? 0.5 : -0.5) * size.z};
}

/// Corners of edge e of a box: along x for e < 4, y for e < 8, z for e < 12.
inline std::array<std::int32_t, 2> box_edge(std::int32_t e) {
  const std::int32_t axis = e / 4;
  const std::int32_t side = 1 << ((axis + 1) % 3), other = 1 << ((axis + 2) % 3);
  const std::int32_t first = (e & 1 ? side : 0) | (e & 2 ? other : 0);
  return {first, first | (1 << axis)};
}

inline SolidEdge box_solid_edge(Vec3d size, std::int32_t e) {
  const auto [k0, k1] = box_edge(e);
  const std::int32_t axis = e / 4;
  SolidEdge edge;
  edge.a = box_corner(size, k0);
  edge.b = box_corner(size, k1);
  Vec3d u{}, w{};
  u[(axis + 1) % 3] = e & 1 ? 1 : -1;
  w[(axis + 2) % 3] = e & 2 ? 1 : -1;
  edge.normal[0] = u;
  edge.normal[1] = w;
  edge.inward[0] = -w;
  edge.inward[1] = -u;
  return edge;
}

inline ShapePoint box_point(Vec3d size, std::int32_t k) {
  const Vec3d sign{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
  return {k, box_corner(size, k), 0, (1 / std::sqrt(3.0)) * sign};
}

/// @param up  the rim: -1 below, +1 above
inline ShapePoint rim_point(const Shape& cylinder, std::int32_t feature, double angle, double up) {
  const Vec3d radial{std::cos(angle), std::sin(angle), 0}, axial{0, 0, up};
  return {feature, cylinder.radius * radial + 0.5 * cylinder.length * axial, 0,
          std::sqrt(0.5) * (radial + axial)};
}

/// Cosine above which two outward normals do not face each other.
inline constexpr double kNotFacing = 0.5;

/// How close to an edge of a box or a cylinder a point may be on it [m]: a ten-thousandth of the
/// shape's size. Less than this decides neither what a contact's normal is nor whether two contacts
/// are one. 0 of other shapes.
inline double near_edge(const Shape& shape) {
  constexpr double kShare = 1e-4;
  if (shape.kind == ShapeKind::box) return kShare * norm(shape.size);
  return shape.kind == ShapeKind::cylinder ? kShare * (shape.radius + shape.length) : 0;
}

/// Distance of a point near a box or a cylinder over the plane (or the round) of a face of it, for
/// the faces that face the point: of those that are within `near` of the farthest one it is the one
/// that the point faces most, of two that it faces alike the farther one. False where none does.
/// @param p, facing  shape's frame; `facing` is the outward normal at p of the surface that has it
inline bool face_distance(const Shape& shape, Vec3d p, Vec3d facing, double near,
                          SurfaceDistance* found) {
  std::array<SurfaceDistance, 6> face;
  int n_face = 0;
  const auto add = [&](double distance, Vec3d normal) {
    if (dot(facing, normal) <= kNotFacing) face[n_face++] = {distance, normal};
  };
  const bool is_box = shape.kind == ShapeKind::box;
  const double half_height = 0.5 * (is_box ? shape.size.z : shape.length);
  for (const double sign : {1.0, -1.0}) {
    add(sign * p.z - half_height, {0, 0, sign});
    if (!is_box) continue;
    add(sign * p.x - 0.5 * shape.size.x, {sign, 0, 0});
    add(sign * p.y - 0.5 * shape.size.y, {0, sign, 0});
  }
  if (const double r = std::sqrt(p.x * p.x + p.y * p.y); !is_box && r > kNoDirection)
    add(r - shape.radius, {p.x / r, p.y / r, 0});
  double farthest = -HUGE_VAL, most = HUGE_VAL;
  for (int k = 0; k < n_face; ++k) farthest = std::fmax(farthest, face[k].distance);
  const auto is_candidate = [&](int k) { return face[k].distance >= farthest - near; };
  for (int k = 0; k < n_face; ++k)
    if (is_candidate(k)) most = std::fmin(most, dot(facing, face[k].normal));
  constexpr double kAlike = 0.1;  // cosine
  found->distance = -HUGE_VAL;
  for (int k = 0; k < n_face; ++k)
    if (is_candidate(k) && dot(facing, face[k].normal) <= most + kAlike &&
        face[k].distance > found->distance)
      *found = face[k];
  return n_face > 0;
}

/// Distance of the point p of a surface of outward normal `facing` to a shape; false where the two
/// surfaces do not face each other. Inside a box or a cylinder the normal is that of the nearest
/// face that faces the point: a box that sinks a little into one of the same size is pushed up and
/// not aside. Near an edge of one it is that of a face too (face_distance): the direction from the
/// edge to the point is rounding where they touch, and turns with the least motion.
/// @param facing  shape's frame; zero: the signed distance as it is
inline bool facing_distance(const Shape& shape, Vec3d p, Vec3d facing, SurfaceDistance* found) {
  *found = signed_distance(shape, p);
  if (!std::isfinite(found->distance)) return false;
  const double near = near_edge(shape), distance = found->distance;
  const bool faces = !(dot(facing, found->normal) > kNotFacing);
  if (!(near > 0) || squared_norm(facing) == 0) return faces;
  if (distance > near || (faces && distance < -near)) return faces;
  // Outside, beside a face that it does not face, it has to be near the edge with one that it does.
  constexpr double kTouching = 1e-5;  // of `near`
  return face_distance(shape, p, facing, near, found) &&
         (faces || distance <= kTouching * near || found->distance >= -near);
}

/// Calls visit(ShapePoint) for the points of a shape that may be the first to touch a body given by
/// its distance, all in the shape's frame, `feature` in brackets.
/// - box: its corners (0 .. 7)
/// - sphere: its centre (0)
/// - capsule: the ends of the axis (0, 1) that do not turn away from the body, and the place
/// between them closest to the body (2)
/// - cylinder: 4 points of the lower rim (0 .. 3) and of the upper one (4 .. 7), a quarter turn
///   apart, the first of either the closest to the body; and the place of the axis between the caps
///   that is closest, with the cylinder's radius (8)
/// - distance grid: `points`
template <class Distance, class Visit>
void for_each_contact_point(const Shape& shape, std::span<const Vec3d> points,
                            const Distance& distance, const Visit& visit) {
  const double r = shape.radius;
  const Vec3d top{0, 0, 0.5 * shape.length};
  switch (shape.kind) {
    case ShapeKind::half_space:
      return;
    case ShapeKind::box:
      for (std::int32_t k = 0; k < 8; ++k) visit(box_point(shape.size, k));
      return;
    case ShapeKind::sphere:
      visit(ShapePoint{0, {}, r, {}});
      return;
    case ShapeKind::capsule: {
      // An end that would touch inside the capsule is not the one to touch.
      constexpr double kInward = 0.1;  // sine
      if (distance(-top).normal.z >= -kInward) visit(ShapePoint{0, -top, r, {}});
      if (distance(top).normal.z <= kInward) visit(ShapePoint{1, top, r, {}});
      const double s = least_inside(-top, top, distance);
      if (s > 0) visit(ShapePoint{2, (2 * s - 1) * top, r, {}});
      return;
    }
    case ShapeKind::cylinder: {
      for (std::int32_t rim = 0; rim < 2; ++rim) {
        const Vec3d c = rim == 0 ? -top : top;
        const double first = least_angle(c, r, distance);
        for (std::int32_t k = 0; k < 4; ++k) {
          visit(
              rim_point(shape, 4 * rim + k, first + 0.5 * std::numbers::pi * k, rim == 0 ? -1 : 1));
        }
      }
      const double s = least_inside(-top, top, distance);
      if (s > 0) visit(ShapePoint{8, (2 * s - 1) * top, r, {}});
      return;
    }
    case ShapeKind::distance_grid:
      for (std::size_t k = 0; k < points.size(); ++k) {
        visit(ShapePoint{static_cast<std::int32_t>(k), points[k], 0, {}});
      }
      return;
  }
}

/// Calls visit(ShapePoint) for the points of a shape tested against a soft surface, shape's frame:
/// corners of a box, 8 points of either rim, the centre of a sphere, the ends of a capsule's axis,
/// `points`.
template <class Visit>
void for_each_sharp_point(const Shape& shape, std::span<const Vec3d> points, const Visit& visit) {
  const auto no_body = [](Vec3d) { return SurfaceDistance{}; };
  if (shape.kind != ShapeKind::cylinder) {
    for_each_contact_point(shape, points, no_body, visit);
    return;
  }
  for (std::int32_t k = 0; k < 16; ++k) {
    visit(rim_point(shape, k, 0.25 * std::numbers::pi * k, k < 8 ? -1 : 1));
  }
}

}  // namespace nodia

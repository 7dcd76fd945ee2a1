/// What a collision shape is, and what each states about itself; host and device.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "kernels/core/mat3.hpp"
#include "kernels/core/numbers.hpp"

namespace nodia {

enum class ShapeKind : std::uint8_t {
  half_space,
  box,
  sphere,
  cylinder,
  capsule,
  torus,
  distance_grid
};

/// A regular grid of signed distances; sample (i, j, k) lies at origin + spacing (i, j, k).
/// Trilinear in between; outside the grid, the value at the nearest point of the grid plus the
/// distance to it. The solid lies inside the grid: no sample on its outer faces is negative.
struct DistanceGridView {
  Vec3d origin{};                 ///< [m]
  double spacing = 1;             ///< [m]
  std::int32_t n[3] = {0, 0, 0};  ///< samples per axis, >= 2
  const double* value = nullptr;  ///< value[(k n_y + j) n_x + i] [m]
};

/// A shape in its own frame; what its sizes mean is said where the kind is
/// (kernels/contact/shapes).
struct Shape {
  ShapeKind kind = ShapeKind::half_space;
  Vec3d size{};       ///< [m]
  double radius = 0;  ///< [m]
  double length = 0;  ///< [m]
  DistanceGridView grid{};
  double tube_radius = 0;  ///< [m]
};

/// Signed distance (negative inside) and its gradient, the outward unit normal.
struct SurfaceDistance {
  double distance = 0;  ///< [m]
  Vec3d normal{};  ///< unit [-]; a fixed direction where the gradient is not defined (centre, axis)
};

/// Shorter vectors have no direction: their squares would leave the range of normal numbers.
inline constexpr double kNoDirection = 1e-150;

/// Axis-aligned box in a shape's frame [m]. The distance to it is never larger than the signed
/// distance to the shape.
struct ShapeBounds {
  Vec3d lo, hi;

  /// Whether p is less than `reach` away, rounding errors granted; false for a point that is not a
  /// number. In every lane of p.
  template <class P>
  NODIA_HD auto is_near(Vec3<P> p, double reach) const {
    return (p.x >= lo.x - reach) & (p.x <= hi.x + reach) & (p.y >= lo.y - reach) &
           (p.y <= hi.y + reach) & (p.z >= lo.z - reach) & (p.z <= hi.z + reach);
  }
  /// Largest distance of one of its points to the origin [m].
  NODIA_HD double radius() const {
    return norm(Vec3d{larger(hi.x, -lo.x), larger(hi.y, -lo.y), larger(hi.z, -lo.z)});
  }
};

/// Of these half extents, about the origin.
NODIA_HD ShapeBounds bounds_about_origin(Vec3d half) {
  return {-half, half};
}

/// A sphere within a shape that reaches its surface.
struct ShapePoint {
  std::int32_t feature = 0;  ///< which, the same in every step
  Vec3d centre{};            ///< [m]
  double radius = 0;         ///< 0: a point of the surface [m]
  Vec3d outward{};  ///< unit normal of the surface there; zero where it has none of its own
};

/// An edge a -> b of a closed surface and, for its two faces, the direction in the face that leads
/// away from the edge, perpendicular to it.
struct SolidEdge {
  Vec3d a{}, b{};     ///< [m]
  Vec3d inward[2]{};  ///< unit [-]
  Vec3d normal[2]{};  ///< outward unit normals of the faces [-]
};

using RealMember = double Shape::*;
using VectorMember = Vec3d Shape::*;

/// A size of a shape: its key in files, and where the shape has it, one of `real` and `vector`.
/// Above 0 and finite.
struct ShapeSize {
  const char* name;
  const char* meaning;  ///< with unit
  const char* hint;
  RealMember real = nullptr;
  VectorMember vector = nullptr;
};

/// A rule that sizes break together; none where `size` is null.
struct ShapeFault {
  const ShapeSize* size = nullptr;  ///< what to change
  const char* rule = "";            ///< what it must be
  const char* hint = "";
};

/// What every shape states (a row of the table in kernels/contact/shapes.hpp). A shape derives from
/// this, replaces what differs, and adds
///
///   kKind, kName  the word in files
///   kPlace        how it lies in its frame, in words
///   kSizes        array of ShapeSize
///   distance      NODIA_HD (shape, p) -> SurfaceDistance, 1-Lipschitz, bounded loops; NaN comes
///                 back as NaN
///   bounds        NODIA_HD (shape) -> ShapeBounds
///   contact_points, sharp_points
struct ShapeRow {
  static constexpr bool kIsBounded = true;
  /// Whether p - distance normal lies on the shape, for any p.
  static constexpr bool kHasFeet = true;
  /// Whether volume() and inertia() know it.
  static constexpr bool kHasIntegrals = true;
  /// Whether sharp_points have the features of contact_points.
  static constexpr bool kKeepsFeatures = true;
  /// Edges that edges of other bodies are held against: edge(shape, e), edge_ends(e), features of
  /// contact_points, and edge_depth(shape), beyond which nothing tells where they came in [m].
  static constexpr std::int32_t kEdges = 0;
  static SolidEdge edge(const Shape&, std::int32_t) { return {}; }
  static std::array<std::int32_t, 2> edge_ends(std::int32_t) { return {}; }
  static double edge_depth(const Shape&) { return 0; }

  /// Homogeneous, about the frame's origin, which is its centre; principal axes are the frame's.
  static double volume(const Shape&) { return 0; }                    ///< [m^3]
  static Vec3d inertia(const Shape&, double /*mass*/) { return {}; }  ///< diagonal [kg m^2]

  static ShapeFault fault(const Shape&) { return {}; }

  /// Size of a shape that has edges between faces, 0 of one that has none [m].
  static double sharp_size(const Shape&) { return 0; }
  /// Calls add(distance, normal) for every face of such a shape: the distance over its plane, or
  /// round, at p.
  template <class Add>
  static void faces(const Shape&, Vec3d, const Add&) {}

  /// Calls visit(ShapePoint) for spheres inside the shape. With its sharp_points and round_points
  /// they show how deep the shape lies in another body.
  template <class Visit>
  static void inner_points(const Shape&, const Visit&) {}

  /// Calls visit(ShapePoint) for the points of round edges and tubes that lie deepest in another
  /// body, which sharp_points only sample.
  /// @param distance  point -> SurfaceDistance to the other body, shape's frame
  template <class Distance, class Visit>
  static void round_points(const Shape&, const Distance&, const Visit&) {}
};

}  // namespace nodia

/// Collision shape and the interface of the shape kinds; host and device.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

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

struct MeshFeatures;

/// Triangle of a closed mesh.
struct MeshTriangle {
  std::int32_t vertex[3] = {0, 0, 0};
  std::int32_t edge[3] = {0, 0, 0};  ///< from corner k to k + 1
  /// Bit k: all triangles at corner k are in one plane; bit 3 + k: both triangles at edge k are.
  std::uint32_t flat = 0;
  Vec3d normal{};  ///< outward, unit; zero without area [-]
};

/// Entry in the list of a cell.
struct NearTriangle {
  std::int32_t triangle = 0;
  float from_centre = 0;  ///< lower bound of its distance from the cell's centre [m]
};

/// Surface of a closed mesh, and the triangles near the cells of its grid.
struct MeshSurfaceView {
  const Vec3d* vertex = nullptr;         ///< [m]
  const Vec3d* vertex_normal = nullptr;  ///< angle-weighted, outward, unit
  const Vec3d* edge_normal = nullptr;    ///< outward, unit
  const MeshTriangle* triangle = nullptr;
  const std::int32_t* cell_begin = nullptr;  ///< [n_cell + 1] in `near`; cells as samples
  const NearTriangle* near = nullptr;        ///< ascending in from_centre, per cell
  std::int32_t n_vertex = 0, n_edge = 0, n_triangle = 0, n_near = 0;
  Vec3d lo{}, hi{};         ///< box around the vertices [m]
  double resolution_m = 0;  ///< smaller vectors from the surface have no direction
};

/// Regular grid of signed distances to a closed mesh; sample (i, j, k) is at
/// origin + spacing (i, j, k). In a cell with a list of near triangles the distance is exact.
/// Elsewhere it is the trilinear interpolant; outside the grid, the value at its nearest point plus
/// the distance to it. The solid is inside the grid: no sample on its outer faces is negative.
struct DistanceGridView {
  Vec3d origin{};                 ///< [m]
  double spacing = 1;             ///< [m]
  std::int32_t n[3] = {0, 0, 0};  ///< samples per axis, >= 2
  const double* value = nullptr;  ///< value[(k n_y + j) n_x + i] [m]
  MeshSurfaceView mesh{};
  const MeshFeatures* features = nullptr;  ///< host only

  NODIA_HD std::int64_t n_sample() const { return std::int64_t{1} * n[0] * n[1] * n[2]; }
};

/// Shape in its own frame. The file of each kind (kernels/contact/shapes) defines the sizes.
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
  Vec3d normal{};       ///< unit [-]; a fixed direction if the gradient is undefined
};

/// Shorter vectors have no direction, because their squares would be subnormal.
inline constexpr double kNoDirection = 1e-150;

/// Axis-aligned box in a shape's frame [m]. The distance to it never exceeds that to the shape.
struct ShapeBounds {
  Vec3d lo, hi;

  /// True per lane if p is less than `reach` away, tolerant to rounding errors; false for NaN.
  template <class P>
  NODIA_HD auto is_near(Vec3<P> p, double reach) const {
    return (p.x >= lo.x - reach) & (p.x <= hi.x + reach) & (p.y >= lo.y - reach) &
           (p.y <= hi.y + reach) & (p.z >= lo.z - reach) & (p.z <= hi.z + reach);
  }
  /// Largest distance of its points from the origin [m].
  NODIA_HD double radius() const {
    return norm(Vec3d{larger(hi.x, -lo.x), larger(hi.y, -lo.y), larger(hi.z, -lo.z)});
  }
};

/// Box with these half extents about the origin.
NODIA_HD ShapeBounds bounds_about_origin(Vec3d half) {
  return {-half, half};
}

/// Sphere in a shape that touches its surface.
struct ShapePoint {
  std::int32_t feature = 0;  ///< identity, constant over the steps
  Vec3d centre{};            ///< [m]
  double radius = 0;         ///< 0: point on the surface [m]
  Vec3d outward{};           ///< unit normal of the surface there; zero if undefined
};

/// Edge a -> b of a closed surface and, for its two faces, the direction in the face that points
/// away from the edge, perpendicular to it.
struct SolidEdge {
  Vec3d a{}, b{};     ///< [m]
  Vec3d inward[2]{};  ///< unit [-]
  Vec3d normal[2]{};  ///< outward unit normals of the faces [-]
};

/// Features of a mesh that may touch other bodies.
struct MeshFeatures {
  std::vector<ShapePoint> points;  ///< vertices that are contact points; feature: the index here
  /// Directions of the edges from point k: [around_begin[k], around_begin[k + 1]) of `around`.
  std::vector<std::int32_t> around_begin{0};
  std::vector<Vec3d> around;  ///< unit
  std::vector<SolidEdge> edges;
  std::vector<std::array<std::int32_t, 2>> edge_ends;  ///< contact points at the ends; -1: none
};

/// Cosine above which two outward normals do not face each other.
inline constexpr double kNotFacing = 0.5;

/// Share of sharp_size() below which a point counts as on an edge.
inline constexpr double kNearEdge = 1e-4;

using RealMember = double Shape::*;
using VectorMember = Vec3d Shape::*;

/// Size of a shape: its key in files, and either `real` or `vector`. Positive and finite.
struct ShapeSize {
  const char* name;
  const char* meaning;  ///< with unit
  const char* hint;
  RealMember real = nullptr;
  VectorMember vector = nullptr;
};

/// Rule that a combination of sizes violates; none if `size` is null.
struct ShapeFault {
  const ShapeSize* size = nullptr;  ///< size to change
  const char* rule = "";            ///< required property
  const char* hint = "";
};

/// Interface of a shape kind (a row of the table in kernels/contact/shapes.hpp). A shape derives
/// from this, replaces what differs, and adds
///
///   kKind, kName  the name in files
///   kPlace        text about the position in its frame
///   kSizes        array of ShapeSize
///   distance      NODIA_HD (shape, p) -> SurfaceDistance, 1-Lipschitz, bounded loops; NaN gives
///                 NaN
///   bounds        NODIA_HD (shape) -> ShapeBounds
///   contact_points, sharp_points
struct ShapeRow {
  static constexpr bool kIsBounded = true;
  /// True if p - distance normal is on the shape, for any p.
  static constexpr bool kHasFeet = true;
  /// True if volume() and inertia() are defined.
  static constexpr bool kHasIntegrals = true;
  /// True if sharp_points have the features of contact_points.
  static constexpr bool kKeepsFeatures = true;
  /// Number of edges that are tested against edges of other bodies: edge(shape, e), edge_ends() as
  /// features of contact_points (-1: none), and edge_depth(shape), the overlap beyond which edges
  /// do not determine the contact direction [m].
  static std::int32_t n_edge(const Shape&) { return 0; }
  static SolidEdge edge(const Shape&, std::int32_t) { return {}; }
  static std::array<std::int32_t, 2> edge_ends(const Shape&, std::int32_t) { return {}; }
  static double edge_depth(const Shape&) { return 0; }

  /// Smallest radius of curvature of the surface [m]; 0 with edges, infinite for a plane.
  static double curvature_radius(const Shape&) { return 0; }
  /// True if the shape has a lateral surface at the distance `radius` from the segment between
  /// -axis_end and axis_end.
  static constexpr bool kHasAxis = false;
  static Vec3d axis_end(const Shape&) { return {}; }
  /// True if the shape has rims, or is a tube about a circle.
  static constexpr bool kHasCircle = false;
  /// The rim of the shape if it is the feature closest to p, as a tangent segment whose middle is
  /// the rim's closest point; false if another feature is closer.
  static bool rim_at(const Shape&, Vec3d /*p*/, SolidEdge*) { return false; }

  /// Homogeneous, about the frame's origin, which is its centre; the frame's axes are principal.
  static double volume(const Shape&) { return 0; }                    ///< [m^3]
  static Vec3d inertia(const Shape&, double /*mass*/) { return {}; }  ///< diagonal [kg m^2]

  static ShapeFault fault(const Shape&) { return {}; }

  /// False if the shape is closer than this point, one of contact_points, to a body in the
  /// direction `towards`, by an edge from the point at more than kLeaning to the normal plane.
  static bool is_closest(const Shape&, const ShapePoint&, Vec3d /*towards*/) { return true; }
  static constexpr double kLeaning = 0.3;  ///< sine

  /// Radius of the point of contact_points with this feature [m].
  static double point_radius(const Shape&, std::int32_t /*feature*/) { return 0; }

  /// Size of a shape that has edges between faces, 0 for others [m].
  static double sharp_size(const Shape&) { return 0; }
  /// Calls add(distance, normal) for every face of such a shape, with the distance of p to it.
  template <class Add>
  static void faces(const Shape&, Vec3d, const Add&) {}
  /// True if `faces` are those of a convex solid.
  static constexpr bool kIsConvex = true;
  /// Finds a face near p that faces a surface with this outward normal there, of a shape that is
  /// not convex. False if there is none.
  static bool facing_face(const Shape&, Vec3d /*p*/, Vec3d /*facing*/, double /*near*/,
                          SurfaceDistance*) {
    return false;
  }

  /// Calls visit(ShapePoint) for spheres inside the shape. With its sharp_points and round_points
  /// they determine the overlap depth in another body.
  template <class Visit>
  static void inner_points(const Shape&, const Visit&) {}

  /// Calls visit(ShapePoint) for the deepest points of round edges and tubes in another body, which
  /// sharp_points only sample.
  /// @param distance  point -> SurfaceDistance to the other body, shape's frame
  template <class Distance, class Visit>
  static void round_points(const Shape&, const Distance&, const Visit&) {}
};

}  // namespace nodia

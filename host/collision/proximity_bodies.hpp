/// Surfaces as a search sees them in one step; inside of proximity.hpp.
#pragma once

#include <cmath>
#include <variant>

#include "host/collision/bounds_tree.hpp"
#include "host/collision/proximity.hpp"
#include "kernels/collision/soft_edges.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

struct SoftBody {
  SoftBody(SurfaceMesh mesh, int first_node, const SoftSurfaceOptions& options);

  void update(const ProximityState& state);
  /// Lists what self-contact leaves out; does nothing where `margin_m` is that of the last call.
  /// @return whether it did anything
  bool prepare_self_contact(double margin_m);

  /// As the kernels take it, where it is now; valid until the surface changes.
  SoftSurface surface() const;
  SoftEdges edges() const;
  /// SoftSurface::find_closest.
  bool find_closest(Vec3d p, double reach, double search_depth, const Vec3d* facing,
                    SurfaceHit* hit, std::int64_t* n_test) const;
  /// What find_vertex_hit asks for: the triangle nearest to a point, or to a vertex of this surface
  /// that self-contact leaves some out for.
  auto nearest_to(Vec3d p, std::int64_t* n_test) const;
  auto nearest_to_vertex(std::int32_t vertex, std::int64_t* n_test) const;

  PointMotion velocity(const SurfaceHit& hit) const;
  BodyPoint body_point(const SurfaceHit& hit) const;
  BodyPoint body_point(std::int32_t vertex) const;
  BodyPoint body_point_on_edge(std::int32_t edge, double s, Vec3d position) const;
  SolidEdge solid_edge(std::int32_t edge) const;
  /// Nodes of the body in the state, from first_node on.
  std::int32_t n_node() const {
    return options.n_node > 0 ? options.n_node : mesh.nodes.back() + 1;
  }
  Vec3d position(std::int32_t vertex) const { return x[static_cast<std::size_t>(vertex)]; }
  Bounds edge_box(std::int32_t edge) const;
  /// Whether p is inside, or outside by less than `slack` [m].
  bool contains(Vec3d p, double slack) const;

  SurfaceMesh mesh;
  int first_node = 0;
  SoftSurfaceOptions options;
  double depth = 0, self_depth = 0, edge_depth = 0;  ///< [m]
  std::vector<std::int32_t> sharp_edges;
  std::vector<std::uint8_t> is_sharp;

  BodyExtent extent;
  std::vector<Vec3d> x;  ///< of the vertices
  std::vector<PointMotion> v;
  std::vector<Vec3d> normal;  ///< of the triangles
  std::vector<Bounds> boxes;  ///< of the triangles
  BoundsTree tree;

  double exclusion = -1;  ///< rest distance below which self-contact is left out [m]
  std::vector<std::int32_t> excluded_begin, excluded;  ///< triangles left out, by vertex, ascending
  BoundsTree::Cuts others;  ///< nodes of the tree with all other triangles, by vertex
  /// By sharp edge, but for triangles all of whose edges are near it at rest.
  BoundsTree::Cuts others_of_edge;

 private:
  auto nearest_below(std::span<const std::int32_t> nodes, Vec3d p, std::int64_t* n_test) const;
};

inline auto SoftBody::nearest_below(std::span<const std::int32_t> nodes, Vec3d p,
                                    std::int64_t* n_test) const {
  return [this, nodes, p, n_test](double squared_radius, const auto& squared_distance) {
    const BoundsTree::Nearest found =
        tree.nearest(p, {squared_radius, -1}, nodes, [&](std::int32_t place) {
          const double d2 = squared_distance(tree.item(place));
          *n_test += d2 < HUGE_VAL ? 1 : 0;
          return d2;
        });
    return found.place < 0 ? -1 : tree.item(found.place);
  };
}

inline auto SoftBody::nearest_to(Vec3d p, std::int64_t* n_test) const {
  return nearest_below(tree.root(), p, n_test);
}

inline auto SoftBody::nearest_to_vertex(std::int32_t vertex, std::int64_t* n_test) const {
  return nearest_below(others.of(vertex), position(vertex), n_test);
}

struct RodBody {
  explicit RodBody(const RodSurface& rod);
  void update(const ProximityState& state);

  PointMotion velocity(std::int32_t link, Vec3d point) const;
  /// The point on which a force acts, for a point on the axis of a link and the direction from
  /// there to the other body.
  BodyPoint body_point(std::int32_t link, Vec3d on_axis, Vec3d towards) const;
  /// Ends of the links: n_link + 1 of them, or the n_link centres.
  int n_point() const;
  std::int32_t link_of_point(std::int32_t point) const;
  Vec3d point(std::int32_t point) const;

  RodSurface rod;
  int exclusion = 3;  ///< links closer than this along the rod are in no pair

  BodyExtent extent;
  std::vector<Vec3d> a, b;  ///< ends of the axes [m]; equal where contact is at link centres
  std::vector<Vec3d> centre;
  std::vector<FrameMotion> motion;
  std::vector<Bounds> boxes;
  BoundsTree tree;
};

struct ShapeBody {
  explicit ShapeBody(const ShapeSurface& surface);
  void update(const ProximityState& state);
  /// The shape's, with its frame at `frame`.
  Pose pose_at(const Pose& frame) const;
  /// Of a prescribed shape, which velocity() then is of; after update().
  void set_motion(const ProximityState& state, double step_s);

  SurfaceDistance distance(Vec3d p) const;  ///< world
  /// As facing_distance() of shape_points.hpp, world.
  bool distance_facing(Vec3d p, Vec3d facing, SurfaceDistance* found) const;
  bool contains(Vec3d p, double slack) const { return distance(p).distance < slack; }
  PointMotion velocity(Vec3d point) const;
  BodyPoint body_point(Vec3d position) const;

  ShapeSurface surface;
  ShapeBounds bounds;  ///< shape's frame

  BodyExtent extent;
  Pose pose;       ///< of the shape, world
  Vec3d origin{};  ///< of the frame, world
  FrameMotion motion;
  PreparedObstacle prescribed;  ///< of a prescribed shape
};

using Body = std::variant<SoftBody, RodBody, ShapeBody>;

/// Where a frame is at the end of the step.
Pose next_of(const ProximityState& state, std::int32_t frame, double step_s);
const BodyExtent& extent_of(const Body& body);
/// Smallest extent of a body [m]: of its box at rest, in the axes of its mesh or shape; the
/// diameter of a rod; infinite for a half-space.
double smallest_extent(const Body& body);

}  // namespace nodia

/// Surfaces of a search in one step. Internal header of proximity.hpp.
#pragma once

#include <cmath>
#include <variant>

#include "host/collision/bounds_tree.hpp"
#include "host/collision/concave_faces.hpp"
#include "host/collision/mesh_surface.hpp"
#include "host/collision/proximity.hpp"
#include "host/collision/shape_points.hpp"
#include "kernels/collision/soft_edges.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

struct SoftBody {
  SoftBody(SurfaceMesh mesh, int first_node, const SoftSurfaceOptions& options);

  void update(const ProximityState& state);
  /// Extent in a state, without an update.
  BodyExtent extent_in(const ProximityState& state) const;
  /// Lists what self-contact omits. Does nothing if `margin_m` is that of the last call.
  /// @return true if the lists changed
  bool prepare_self_contact(double margin_m);

  /// View for kernels at the present position; valid until the surface changes.
  SoftSurface surface() const;
  SoftEdges edges() const;
  /// SoftSurface::find_closest.
  bool find_closest(Vec3d p, double reach, double search_depth, const Vec3d* facing,
                    SurfaceHit* hit, std::int64_t* n_test) const;
  /// Arguments of find_vertex_hit: the triangle nearest to a point, or to a vertex of this surface,
  /// without the triangles that self-contact omits.
  auto nearest_to(Vec3d p, std::int64_t* n_test) const;
  auto nearest_to_vertex(std::int32_t vertex, std::int64_t* n_test) const;

  PointMotion velocity(const SurfaceHit& hit) const;
  PointMotion velocity_on_edge(std::int32_t edge, double s) const;
  BodyPoint body_point(const SurfaceHit& hit) const;
  BodyPoint body_point(std::int32_t vertex) const;
  BodyPoint body_point_on_edge(std::int32_t edge, double s, Vec3d position) const;
  SolidEdge solid_edge(std::int32_t edge) const;
  /// Calls visit(edge) once for every edge between two triangles, the first of which has a box that
  /// overlaps `near`.
  template <class Visit>
  void for_each_edge(const Bounds& near, const Visit& visit) const {
    if (!near.overlaps(extent.box)) return;
    tree.for_each_overlap(near, [&](std::int32_t place) {
      const std::int32_t t = tree.item(place);
      for (const std::int32_t e : mesh.triangle_edges[static_cast<std::size_t>(t)]) {
        const auto around = mesh.triangles_of_edge(e);
        if (around.size() == 2 && around[0] == t) visit(e);
      }
    });
  }
  /// Lists the triangles whose boxes are within reach of p. @param out  replaced
  void list_faces(Vec3d p, double reach, std::vector<NearFace>* out) const;
  /// Nodes of the body in the state, from first_node on.
  std::int32_t n_node() const {
    return options.n_node > 0 ? options.n_node : mesh.nodes.back() + 1;
  }
  Vec3d position(std::int32_t vertex) const { return x[static_cast<std::size_t>(vertex)]; }
  Bounds edge_box(std::int32_t edge) const;
  /// True if p is inside, or outside by less than `slack` [m].
  bool contains(Vec3d p, double slack) const;

  SurfaceMesh mesh;
  int first_node = 0;
  SoftSurfaceOptions options;
  double depth = 0, self_depth = 0, edge_depth = 0;  ///< [m]
  double longest_edge = 0;                           ///< at rest [m]
  std::vector<std::int32_t> sharp_edges;
  std::vector<std::uint8_t> is_sharp;

  BodyExtent extent;
  std::vector<Vec3d> x;  ///< vertices [m]
  std::vector<PointMotion> v;
  std::vector<Vec3d> normal;  ///< unit normals of the triangles
  std::vector<Bounds> boxes;  ///< boxes of the triangles
  BoundsTree tree;

  double exclusion = -1;  ///< rest distance below which self-contact is omitted [m]
  std::vector<std::int32_t> excluded_begin, excluded;  ///< omitted triangles by vertex, ascending
  BoundsTree::Cuts others;  ///< by vertex: tree nodes with all other triangles
  /// Tree nodes by sharp edge, without triangles whose edges are all near it at rest.
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
  /// Point on which a force acts. @param on_axis  point on the link's axis
  /// @param towards  direction from there to the other body
  BodyPoint body_point(std::int32_t link, Vec3d on_axis, Vec3d towards) const;
  /// Number of points: the n_link + 1 ends of the links, or their n_link centres.
  int n_point() const;
  std::int32_t link_of_point(std::int32_t point) const;
  Vec3d point(std::int32_t point) const;

  RodSurface rod;
  int exclusion = 3;  ///< links closer than this along the rod form no pair

  BodyExtent extent;
  std::vector<Vec3d> a, b;  ///< ends of the axes [m]; equal if contact is at link centres
  std::vector<Vec3d> centre;
  std::vector<FrameMotion> motion;
  std::vector<Bounds> boxes;
  BoundsTree tree;
};

struct ShapeBody {
  explicit ShapeBody(const ShapeSurface& surface);
  void update(const ProximityState& state);
  /// Pose of the shape if its frame is at `frame`.
  Pose pose_at(const Pose& frame) const;
  /// Sets the motion of a prescribed shape, for velocity(). Call it after update().
  void set_motion(const ProximityState& state, double step_s);

  /// signed_distance() in the world frame.
  SurfaceDistance distance(Vec3d p, double reach = HUGE_VAL) const;
  /// facing_distance() of shape_points.hpp, in the world frame.
  bool distance_facing(Vec3d p, Vec3d facing, double reach, SurfaceDistance* found) const;
  bool contains(Vec3d p, double slack) const { return distance(p, slack).distance < slack; }
  PointMotion velocity(Vec3d point) const;
  BodyPoint body_point(Vec3d position) const;
  /// Lists the triangles of a mesh whose boxes are within reach of p; all in world axes. Empty for
  /// other shapes. @param out  replaced
  void list_faces(Vec3d p, double reach, std::vector<NearFace>* out) const;
  /// Calls visit(e, edge) for the edges whose boxes overlap `near`; all in the shape's frame.
  template <class Visit>
  void for_each_edge(const Bounds& near, const Visit& visit) const;

  ShapeSurface surface;
  ShapeBounds bounds;  ///< shape's frame

  BodyExtent extent;
  Pose pose;       ///< pose of the shape, world
  Vec3d origin{};  ///< origin of the frame, world
  FrameMotion motion;
  PreparedObstacle prescribed;  ///< for a prescribed shape
};

template <class Visit>
void ShapeBody::for_each_edge(const Bounds& near, const Visit& visit) const {
  if (surface.mesh_trees != nullptr) {
    const BoundsTree& tree = surface.mesh_trees->edges;
    tree.for_each_overlap(near, [&](std::int32_t place) {
      const std::int32_t e = tree.item(place);
      visit(e, solid_edge(surface.shape, e));
    });
    return;
  }
  for (std::int32_t e = 0; e < n_edge(surface.shape); ++e) {
    const SolidEdge edge = solid_edge(surface.shape, e);
    if (near.overlaps(bounds_of_points(edge.a, edge.b))) visit(e, edge);
  }
}

inline double smallest_size(const ShapeBounds& b) {
  return std::min({b.hi.x - b.lo.x, b.hi.y - b.lo.y, b.hi.z - b.lo.z});
}

/// Box around a box, given in the frame `b`, in the frame `a`.
Bounds seen_from(const Pose& a, const Bounds& box, const Pose& b);

using Body = std::variant<SoftBody, RodBody, ShapeBody>;

/// Pose of a frame at the end of the step.
Pose next_of(const ProximityState& state, std::int32_t frame, double step_s);
const BodyExtent& extent_of(const Body& body);
/// Smallest extent of a body [m]: box at rest in the axes of its mesh or shape; diameter of a rod;
/// infinite for a half-space.
double smallest_extent(const Body& body);

}  // namespace nodia

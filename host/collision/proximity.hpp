/// Search for near features of soft bodies, rods and shapes, also of a body with itself.
///
/// The search reports a pair if gap < margin + motion bound (closing_distance of
/// kernels/collision/obstacle.hpp). The bound assumes that contacts may stop either body in the
/// step, but never a prescribed shape; self-contact uses the relative motion. The tests:
/// - soft and soft: every vertex of each against the closest point of the other; edge against edge
///   (below).
/// - soft and prescribed shape: every node of the body, surface and interior, against the signed
///   distance, without the surface's thickness (vectorised, see NodeDetection); if the longest edge
///   exceeds half the shape's radius of curvature, also corners, rims and edges of the shape as
///   below.
/// - soft and another shape: every vertex against the signed distance; corners and rims of the
///   shape (for_each_sharp_point) against the closest point of the surface; its edges, axes and
///   tubes against edges (edges_at_shapes.hpp).
/// - soft and rod: every vertex against the closest link; the ends of the links against the closest
///   point of the surface; every edge between two triangles against every link (rod_edges.hpp).
/// - rod and rod: link against link.
/// - rod and shape: the ends of the links, and places of the axis between them (link_places.hpp),
///   against the signed distance.
/// - shape and shape: points of each against the signed distance of the other (shape_points.hpp);
///   box edge against box edge; a contact found from both sides counts once.
/// Points of shapes and rods also form pairs with further faces of a mesh or a soft surface in a
/// concave place (concave_faces.hpp).
///
/// Signs. The distance to a closed surface is negative inside; the angle-weighted normal of the
/// closest feature decides [Baerentzen & Aanaes 2005]. A vertex has no contact with a point whose
/// outward normal is within 60 degrees of its own (the far side of a thin body). If the closest
/// point of a vertex inside another body is such a point, the closest point that faces the vertex
/// within the search depth is used. A vertex deeper than the search depth forms no pair, nor does a
/// vertex on a coincident face of the same orientation. Self-contact uses the closest point of the
/// triangles that face the vertex; its normal and the contact's differ by more than 105 degrees.
///
/// Edges. An edge pair of soft surfaces is reported if one edge is sharp (more than 30 degrees
/// between its faces at rest; all edges of a box), both are convex or flat, both cross in their
/// interiors at more than 3 degrees and are in each other's normal cone
/// (kernels/collision/edge_pair.hpp), and they are not covered. Covered: both ends of either edge
/// are in vertex or point pairs whose gap exceeds the edge pair's by at most 1 % of the shorter
/// edge. Between two bodies an edge pair is also omitted if all vertices of its soft edges are in
/// pairs of these bodies with normals within 0.1 of its own, because its slightly different gap
/// would conflict with theirs. A vertex without a pair, as at a corner, keeps the edge pair.
/// Omitted are edges with one face or more than two, and edges that overlap by more than half the
/// mean edge at rest (half a box's smallest size).
///
/// Union. Shapes of one frame, and prescribed shapes of one unit (ShapeSurface::unit) that do not
/// move relative to each other in the step, act as one surface where they touch: a pair whose way
/// out leads into another of them, or that a nearer one makes superfluous, is omitted or takes the
/// nearest face of the shape that is free (shape_union.hpp).
///
/// Edges and links. An edge and the axis of a link form a pair if they cross at more than 3 degrees
/// and their closest points are inside both. The normal is the direction between these points; the
/// edge's outward normal decides on which side the axis is. A pair is omitted if the contact of the
/// nearer vertex, or of another edge of it, is almost the same (beside_vertex.hpp), unless it
/// carried force in the last step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/collision/bounds_tree.hpp"
#include "host/collision/pairs.hpp"
#include "host/collision/soft_searches.hpp"
#include "host/collision/surface_mesh.hpp"
#include "kernels/collision/obstacle.hpp"
#include "kernels/contact/rod_contact.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

struct MeshTrees;  // host/collision/mesh_surface.hpp

struct SoftSurfaceOptions {
  double thickness_m = 0;     ///< distance of the surface outside its triangles, >= 0 [m]
  bool self_contact = false;  ///< omits what is closer at rest than 2 (margin + 2 thickness), or
                              ///< than twice the self-contact depth
  double depth_m = 0;         ///< search depth inside; 0: twice the mean edge at rest [m]
  double self_depth_m = 0;    ///< search depth of self-contact; 0: half the mean edge at rest [m]
  int n_node = 0;  ///< nodes of the body, interior included; 0: up to the last surface node
};

/// Links along the z axes of frames, whose origins are the links' centres.
struct RodSurface {
  int first_frame = 0;
  int n_link = 0;
  double radius_m = 0;       ///< > 0 [m]
  double link_length_m = 0;  ///< > 0 [m]
  RodContact contact = RodContact::segments;
  bool self_contact = false;  ///< for links at least max(3, 1 + ceil(pi radius/length)) apart
};

struct ShapeSurface {
  Shape shape;
  int frame = 0;
  Pose in_frame{};          ///< pose of the shape in its frame
  bool prescribed = false;  ///< moves on a path; no force changes it
  bool is_fixed = false;    ///< never moves
  /// Prescribed shapes of one unit >= 0 do not move relative to each other; -1: none.
  int unit = -1;
  Pose start{};  ///< pose of the frame at which the shapes of a unit are compared
  /// Trees of a mesh; null: all edges are tested.
  std::shared_ptr<const MeshTrees> mesh_trees;
};

/// Overlaps that are searched.
enum class OverlapScope : std::uint8_t {
  all,
  cheap  ///< nodes in prescribed shapes; shapes and rods in each other
};

/// Two overlapping surfaces.
struct SurfaceOverlap {
  std::int32_t surface_i = 0, surface_j = 0;
  double depth_m = 0;  ///< depth of the deepest point of either surface in the other [m]
};

/// Point that tunnelled through a surface in a step without being in a pair of the search.
struct MissedTunnelling {
  std::int32_t surface_i = 0, surface_j = 0;  ///< surface of the point, and surface that it passed
  double depth_m = 0;                         ///< depth of the point behind the surface [m]
  std::vector<std::int32_t> points;           ///< SurfacePair::feature_i of points of shapes
};

/// State of all bodies at the start of a step. Non-finite positions form no pairs; non-finite
/// velocities count as zero.
struct ProximityState {
  std::span<const Vec3d> x, v;  ///< all nodes [m], [m/s]
  std::span<const Pose> pose;   ///< all frames
  std::span<const FrameTwist> twist;
  /// PointMotion::free of nodes and frames; empty: the present velocities.
  std::span<const Vec3d> v_free{};
  std::span<const FrameTwist> twist_free{};
  /// End poses of all frames, used for prescribed shapes; empty: computed from the twists.
  std::span<const Pose> pose_next{};
  /// Forces of the last step; a pair of edges that carried one stays until its gap opens.
  KeyedForces forces{};
  /// Points that tunnelled in an earlier solution of the step: they get a pair even if the body
  /// does not turn them towards the surface.
  std::span<const MissedTunnelling> tunnelled{};
};

/// Table of the nodes of soft bodies and prescribed shapes that may collide.
struct NodesAndShapes {
  std::vector<std::int32_t> surface_of_node;  ///< -1: none; also for nodes after the last entry
  std::vector<std::int32_t> shape;            ///< surfaces of the shapes, ascending
  std::vector<std::uint8_t> may_collide;      ///< [surface][shape]: 1 if they may collide
};

/// Operation counts of the last search.
struct ProximityCounters {
  std::int64_t body_pairs = 0;      ///< body pairs with near boxes
  std::int64_t queries = 0;         ///< queries of a primitive in a tree or in a shape's box
  std::int64_t distance_tests = 0;  ///< distance tests of two primitives
  std::int64_t pairs = 0;           ///< reported pairs
};

class ProximitySearch {
 public:
  ProximitySearch();
  ~ProximitySearch();
  ProximitySearch(ProximitySearch&&) noexcept;
  ProximitySearch& operator=(ProximitySearch&&) noexcept;

  /// Adds a surface and returns its number: 0, 1, 2, ...
  /// @param first_node  index of the surface's first node in the state
  /// @throws InputError
  int add_soft(SurfaceMesh mesh, int first_node, const SoftSurfaceOptions& options = {});
  int add_rod(const RodSurface& rod);
  int add_shape(const ShapeSurface& shape);

  /// Excludes pairs between a and b; exclude(a, a) turns self-contact off.
  void exclude(int a, int b);
  /// After the first call, the search tests only allowed pairs of surfaces that are not excluded.
  void allow(int a, int b);

  /// Sets whether edges and faces of soft surfaces form pairs with prescribed shapes that the nodes
  /// alone do not resolve. The default is true.
  void set_edges_at_prescribed(bool do_touch);

  /// Finds all pairs: nodes at prescribed shapes, ordered by (node, shape), then all others,
  /// ordered by (surface_i, surface_j, rule, feature_i, feature_j). The result does not depend on
  /// the number of threads. Edge and link pairs of two surfaces of one kind have surface_i <=
  /// surface_j.
  /// @param margin_m  >= 0 [m], @param step_s  >= 0 [s]
  /// @param out  replaced; its memory is reused
  /// @throws InputError if the state has too few nodes or frames, or an argument is out of range
  void find(const ProximityState& state, double margin_m, double step_s, int n_thread,
            std::vector<SurfacePair>* out);

  /// Searches between soft surfaces for the given margin. The same object until its content
  /// changes.
  const std::shared_ptr<const SoftSearches>& soft_searches(double margin_m);
  /// Table of the collisions besides soft-soft pairs; empty if other kinds than nodes, prescribed
  /// shapes and soft surfaces may collide, or if prescribed shapes form a union.
  std::optional<NodesAndShapes> nodes_and_shapes();
  /// Poses of the shapes of nodes_and_shapes() at the start and at the end of a step.
  void shape_poses(const ProximityState& state, double step_s, std::vector<ObstaclePose>* out);
  /// Makes the result of find() from near nodes and soft-soft pairs that another search found, in
  /// their order.
  void take(const ProximityState& state, double margin_m, double step_s, int n_thread,
            std::span<const NodeAtObstacle> near, std::span<const SoftPair> pairs,
            std::vector<SurfacePair>* out);

  /// SurfacePair::key of a node at a prescribed shape, by their surfaces.
  static std::uint64_t node_key(std::int32_t soft, std::int32_t shape, std::int32_t node);
  /// SurfacePair::key of a soft-soft pair.
  static std::uint64_t pair_key(const SoftPair& pair);

  /// Finds overlaps of any depth in a state: vertices of soft bodies, points of shapes (all
  /// vertices of a mesh, the lattice of a box) and of rods in other bodies, links in links, edges
  /// of soft bodies in links, and links that pierce soft bodies. Does not test self-overlap, nor
  /// other bodies that only edges or thin parts pierce. find_tunnelling() uses the state.
  /// @param out  replaced, ordered by (surface_i, surface_j); depths > 0
  void find_overlaps(const ProximityState& state, OverlapScope scope,
                     std::vector<SurfaceOverlap>* out);
  /// Finds points, links, and edges at links that tunnelled through a surface between the state of
  /// the last find() and the end of its step, are in none of its pairs, and end on the far side or
  /// deeper than 1/100 of the smaller body's smallest extent. Assumes straight paths. Call it
  /// before find_overlaps() of that end.
  /// @param out  replaced: deepest point per pair, ordered by (surface_i, surface_j)
  void find_tunnelling(const ProximityState& end, std::vector<MissedTunnelling>* out) const;
  /// Evaluates pairs of the last find() at the end of its step (turned_pair()). Call it before
  /// find_overlaps().
  /// @param out  replaced: one per pair
  void turn(const ProximityState& end, std::span<const SurfacePair> pairs,
            std::vector<TurnedPair>* out) const;
  /// Finds points and edges of movable shapes that overlap another shape at the end of the step of
  /// the last find(), but are in none of the given pairs. The points of a new pair are the places
  /// of the same material at the start of the step. Omits shapes that form a union with others,
  /// because the search at the end does not know their hidden faces.
  /// @param share  smallest overlap, relative to the smallest extent of the smaller body [-]
  /// @param out    appended
  /// @return true if it has appended a pair
  bool find_entered(const ProximityState& end, std::span<const SurfacePair> pairs, double share,
                    std::vector<SurfacePair>* out) const;
  /// Smallest extent of a surface's body [m]; infinite for a half-space.
  double smallest_extent(int surface) const;

  const ProximityCounters& counters() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia

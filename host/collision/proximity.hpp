/// Pairs of near features between soft bodies, rods and shapes, and of a body with itself.
///
/// A pair is reported where gap < margin + closing_distance (kernels/collision/obstacle.hpp):
/// something may stop either body in the step, but never a prescribed shape; in a body itself the
/// relative motion counts. What is tested against what:
/// - soft and soft: every vertex of each against the closest point of the other; edge against edge
///   (below).
/// - soft and prescribed shape: every node of the body, inside ones too, against the signed
///   distance, without the surface's thickness (NodeDetection: vectorised, side by side).
/// - soft and another shape: every vertex against the signed distance; corners and rims of the
///   shape (for_each_sharp_point) against the closest point of the surface; its edges against
///   edges.
/// - soft and rod: every vertex against the closest link; the ends of the links against the closest
///   point of the surface.
/// - rod and rod: link against link.
/// - rod and shape: the ends of the links, and the axis between where it is closer, against the
///   signed distance.
/// - shape and shape: points of each against the signed distance of the other (shape_points.hpp);
///   box edge against box edge; the same contact found from both sides counts once.
///
/// Signs. The distance to a closed surface is negative inside, decided by the angle-weighted normal
/// of the closest feature [Baerentzen & Aanaes 2005]. A vertex is not in contact with a point whose
/// outward normal is within 60 degrees of its own (the far side of a thin body); a vertex inside
/// another body whose closest point is such takes the closest one that faces it, within the search
/// depth. A vertex deeper than the search depth is in no pair, nor is one of a body that lies
/// exactly on another's face of the same orientation, nothing that faces it being within the depth.
/// In self-contact a vertex takes the closest point among the triangles that face it, and its
/// normal and that of the contact are more than 105 degrees apart.
///
/// Edges. An edge pair is reported where one of both is sharp (more than 30 degrees between its
/// faces at rest; all edges of a box), both are convex or flat, cross at more than 3 degrees inside
/// both, lie in each other's normal cone (kernels/collision/edge_pair.hpp), and are not covered:
/// both ends of either edge in vertex or point pairs with a gap at most 1 % of the shorter edge
/// larger. Between two bodies an edge pair asks for nothing that vertices do not where all vertices
/// of its soft edges are in pairs of the same two bodies with normals within 0.1 of its own: it is
/// left out, since its gap disagrees a little with theirs and such contacts work against each
/// other. One vertex without a pair, as at a corner, keeps it. Edges with one face or more than
/// two, and edges that have passed each other by more than half the mean edge at rest (half a box's
/// smallest size), are left out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/collision/pairs.hpp"
#include "host/collision/soft_searches.hpp"
#include "host/collision/surface_mesh.hpp"
#include "kernels/collision/obstacle.hpp"
#include "kernels/contact/rod_contact.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

struct SoftSurfaceOptions {
  double thickness_m = 0;     ///< the surface is this far outside its triangles, >= 0 [m]
  bool self_contact = false;  ///< leaves out what is closer than 2 (margin + 2 thickness), or than
                              ///< twice the self-contact depth, at rest
  double depth_m = 0;         ///< search depth inside, 0: twice the mean edge at rest [m]
  double self_depth_m = 0;    ///< the same for self-contact, 0: half the mean edge at rest [m]
  int n_node = 0;             ///< of the body, inside ones too; 0: to the last one of the surface
};

/// Links along the z axes of frames, whose origins are at the links' centres.
struct RodSurface {
  int first_frame = 0;
  int n_link = 0;
  double radius_m = 0;       ///< > 0 [m]
  double link_length_m = 0;  ///< > 0 [m]
  RodContact contact = RodContact::segments;
  bool self_contact = false;  ///< from max(3, 1 + ceil(pi radius/length)) links apart
};

struct ShapeSurface {
  Shape shape;
  int frame = 0;
  Pose in_frame{};          ///< of the shape
  bool prescribed = false;  ///< a path moves it, and nothing stops it
  bool is_fixed = false;    ///< nothing moves it
  /// Of a distance grid's surface, its frame [m]: tested against others, and all there are.
  std::vector<Vec3d> points, vertices;
};

/// Which overlaps are looked for.
enum class OverlapScope : std::uint8_t {
  all,
  cheap  ///< nodes in prescribed shapes, shapes and rods in each other
};

/// Two surfaces that lie in each other.
struct SurfaceOverlap {
  std::int32_t surface_i = 0, surface_j = 0;
  double depth_m = 0;  ///< of the deepest point of either below the other's surface [m]
};

/// A point that a step carried to the other side of a surface, although no pair of the search spoke
/// of it.
struct MissedPassage {
  std::int32_t surface_i = 0, surface_j = 0;  ///< whose point, and the surface passed
  double depth_m = 0;                         ///< of the point behind the surface [m]
};

/// The bodies at the start of a step. Whatever is not finite is in no pair; a velocity that is not
/// is zero.
struct ProximityState {
  std::span<const Vec3d> x, v;  ///< of all nodes [m], [m/s]
  std::span<const Pose> pose;   ///< of all frames
  std::span<const FrameTwist> twist;
  /// PointMotion::free of nodes and frames; empty: as now.
  std::span<const Vec3d> v_free{};
  std::span<const FrameTwist> twist_free{};
  /// Of all frames at the end of the step, read where a shape is prescribed; empty: by their
  /// twists.
  std::span<const Pose> pose_next{};
};

/// Which nodes of soft bodies can meet which prescribed shapes.
struct NodesAndShapes {
  std::vector<std::int32_t> surface_of_node;  ///< -1: of none, as of nodes behind the last one
  std::vector<std::int32_t> shape;            ///< surfaces of the shapes, ascending
  std::vector<std::uint8_t> meets;            ///< [surface][shape]: 1 where they can
};

/// What the last search cost.
struct ProximityCounters {
  std::int64_t body_pairs = 0;      ///< whose boxes were near each other
  std::int64_t queries = 0;         ///< of a primitive in a tree or in a shape's box
  std::int64_t distance_tests = 0;  ///< of two primitives
  std::int64_t pairs = 0;           ///< reported
};

class ProximitySearch {
 public:
  ProximitySearch();
  ~ProximitySearch();
  ProximitySearch(ProximitySearch&&) noexcept;
  ProximitySearch& operator=(ProximitySearch&&) noexcept;

  /// Each returns the surface's number: 0, 1, 2, ...
  /// @param first_node  the surface's nodes count from here in the state
  /// @throws InputError
  int add_soft(SurfaceMesh mesh, int first_node, const SoftSurfaceOptions& options = {});
  int add_rod(const RodSurface& rod);
  int add_shape(const ShapeSurface& shape);

  /// No pairs between a and b; exclude(a, a) turns self-contact off.
  void exclude(int a, int b);
  /// Once called, only pairs of surfaces allowed by such a call are tested (and not excluded ones).
  void allow(int a, int b);

  /// Nodes at prescribed shapes, ordered by (node, shape), then all other pairs, ordered by
  /// (surface_i, surface_j, rule, feature_i, feature_j); the same for every number of threads.
  /// Between two surfaces of one kind the rules edge and link have surface_i <=
  /// surface_j.
  /// @param margin_m  >= 0 [m], @param step_s  t >= 0 [s]
  /// @param out  replaced; its memory is used again
  /// @throws InputError where the state has too few nodes or frames, or an argument is out of range
  void find(const ProximityState& state, double margin_m, double step_s, int n_thread,
            std::vector<SurfacePair>* out);

  /// The same in two parts, between which somebody else may find vertices of soft surfaces near
  /// soft surfaces. What the state refers to stays as it is until the search has ended.
  /// @throws InputError as find()
  void begin(const ProximityState& state, double margin_m, double step_s);
  /// @param hits  of all soft_searches(), ordered by (surface_i, surface_j, vertex); null: they are
  ///              found here
  void finish(int n_thread, const std::vector<VertexHit>* hits, std::vector<SurfacePair>* out);
  /// The searches of a search that has begun, where each surface is, and how far is looked. The
  /// same object as long as nothing of it changes.
  const std::shared_ptr<const SoftSearches>& soft_searches();
  /// The same before a search has begun, of searches with this margin.
  const std::shared_ptr<const SoftSearches>& soft_searches(double margin_m);
  SoftVertices vertices(std::int32_t surface) const;
  DetectionReach reach() const;

  /// What can meet beside soft surfaces; nothing where other things than nodes, prescribed shapes
  /// and soft surfaces can.
  std::optional<NodesAndShapes> nodes_and_shapes();
  /// The shapes of nodes_and_shapes() at the start and at the end of a step.
  void shape_poses(const ProximityState& state, double step_s, std::vector<ObstaclePose>* out);
  /// As find(), where somebody else has found who of them is near, and which pairs soft surfaces
  /// make, in their order.
  void take(const ProximityState& state, double margin_m, double step_s, int n_thread,
            std::span<const NodeAtObstacle> near, std::span<const SoftPair> pairs,
            std::vector<SurfacePair>* out);

  /// SurfacePair::key of a node at a prescribed shape, by their surfaces.
  static std::uint64_t node_key(std::int32_t soft, std::int32_t shape, std::int32_t node);
  /// The same of a pair of soft surfaces.
  static std::uint64_t pair_key(const SoftPair& pair);

  /// What lies in each other in a state, as deep as it may be: vertices of soft bodies, points of
  /// shapes (all vertices of a mesh, the lattice of a box) and of rods in other bodies, and links
  /// in links. Bodies that only edges or thin parts pierce, and bodies in themselves, are not
  /// looked at. The state is kept for find_passages().
  /// @param out  replaced, ordered by (surface_i, surface_j); depths above 0
  void find_overlaps(const ProximityState& state, OverlapScope scope,
                     std::vector<SurfaceOverlap>* out);
  /// Which points came through a surface between the state of the last find() and the end of its
  /// step without being in one of its pairs, and end on its far side or deeper than a hundredth of
  /// the smaller body's smallest extent. Ways are straight. To be called before find_overlaps() of
  /// that end.
  /// @param out  replaced: the deepest of every two surfaces, ordered by (surface_i, surface_j)
  void find_passages(const ProximityState& end, std::vector<MissedPassage>* out) const;
  /// Smallest extent of a surface's body [m]; infinite for a half-space.
  double smallest_extent(int surface) const;

  const ProximityCounters& counters() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia

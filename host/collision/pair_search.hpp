/// Searches for contact pairs between two bodies. Internal header of proximity.hpp.
#pragma once

#include <vector>

#include "host/collision/proximity_bodies.hpp"

namespace nodia {

class ShapeUnion;

/// Reach of a search, and its output.
struct PairSearch {
  DetectionReach reach;
  std::int32_t surface_i = 0, surface_j = 0;
  bool i_is_prescribed = false, j_is_prescribed = false;
  bool takes_all = false;                       ///< the caller has already tested the reach
  KeyedForces forces;                           ///< ProximityState::forces
  std::span<const MissedTunnelling> tunnelled;  ///< ProximityState::tunnelled
  std::vector<SurfacePair>* out = nullptr;
  ProximityCounters* counters = nullptr;
  const std::vector<Body>* bodies = nullptr;  ///< all bodies, for `shape_union`
  const ShapeUnion* shape_union = nullptr;    ///< null: no shape has neighbours

  /// Margin of pairs of rule `face`, which only a body that touches needs [m].
  double face_margin() const { return 0.25 * reach.margin_m; }
  /// Faces of j for these pairs (keep_barriers). @param point_reach  reach of the point's other
  /// pairs
  template <class Body>
  std::vector<NearFace> barriers(const NearBall& ball, const Body& j, double point_reach) const {
    std::vector<NearFace> faces;
    const double face_reach = point_reach - reach.margin_m + face_margin();
    if (ball.closest.distance > face_reach) return faces;
    j.list_faces(ball.centre, face_reach, &faces);
    keep_barriers(ball, &faces);
    return faces;
  }
  /// Adds the pair if its gap is within reach or takes_all is set. @param v_i, v_j  velocities of
  /// the pair's points
  void add(PairRule rule, std::int32_t feature_i, std::int32_t feature_j, const BodyPoint& i,
           const BodyPoint& j, double gap, Vec3d normal, const PointMotion& v_i,
           const PointMotion& v_j) const;
  /// True if this point of shape i tunnelled through j in an earlier solution of the step.
  bool has_tunnelled(std::int32_t point) const;
  /// True if this pair carried force in the last step.
  bool carries(PairRule rule, std::int32_t feature_i, std::int32_t feature_j) const;
};

/// The hit of a face that is not the closest one.
SurfaceHit hit_of(const NearFace& f);

/// Thickness of a soft surface in contact with a shape [m]; zero at prescribed shapes, which the
/// nodes themselves touch.
inline double thickness_at(const SoftBody& soft, const ShapeBody& shape) {
  return shape.surface.prescribed ? 0 : soft.extent.thickness;
}
/// Transforms an edge from the frame of a shape to world axes.
SolidEdge world_edge(const ShapeBody& body, const SolidEdge& local);
/// Length of the shorter edge [m].
double shorter_length(const SolidEdge& i, const SolidEdge& j);

/// Identity of a pair, constant over the steps.
std::uint64_t key_of(std::int32_t surface_i, std::int32_t surface_j, PairRule rule,
                     std::int32_t feature_i, std::int32_t feature_j);

/// The pair with exchanged sides.
SurfacePair swapped(const SurfacePair& pair);

/// Finds pairs of the vertices [begin, end) of i with the surface j, which may be i itself.
void find_vertices_on_soft(const SoftBody& i, const SoftBody& j, std::int32_t begin,
                           std::int32_t end, const PairSearch& search);
/// Adds the pair of a vertex of i that find_vertex_hit found near j.
void add_vertex_hit(const SoftBody& i, const SoftBody& j, std::int32_t vertex,
                    const SurfaceHit& hit, const PairSearch& search);
/// Adds the pair of edge e of i and edge f of j that find_soft_edges found.
void add_found_edges(const SoftBody& i, const SoftBody& j, std::int32_t e, std::int32_t f,
                     const PairSearch& search);
void find_vertices_on_shape(const SoftBody& i, const ShapeBody& j, std::int32_t begin,
                            std::int32_t end, const PairSearch& search);
void find_vertices_on_rod(const SoftBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                          const PairSearch& search);
/// Finds pairs of points of i with the surface j.
void find_shape_points_on_soft(const ShapeBody& i, const SoftBody& j, const PairSearch& search);
void find_rod_points_on_soft(const RodBody& i, const SoftBody& j, const PairSearch& search);
void find_rod_points_on_shape(const RodBody& i, const ShapeBody& j, const PairSearch& search);
/// Finds pairs of the links [begin, end) of i with those of j, which may be i itself.
void find_links(const RodBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                const PairSearch& search);
/// Finds pairs in both directions, surfaces as in `search` or swapped; reports each contact once.
void find_shape_pairs(const ShapeBody& i, const ShapeBody& j, const PairSearch& search);

/// Ordered vertex and point pairs of the first round; edges that these pairs cover need no pair.
using FoundPairs = std::span<const SurfacePair>;
/// Returns the pair of a vertex or point of one surface with another surface, or null.
const SurfacePair* found_pair(FoundPairs found, std::int32_t surface_i, std::int32_t surface_j,
                              PairRule rule, std::int32_t feature);
/// Finds edge pairs of two surfaces, or of one with itself, ordered by (feature_i, feature_j).
void find_soft_edges(const SoftBody& i, const SoftBody& j, FoundPairs found,
                     const PairSearch& search);

/// Order of the pairs in the result of a search.
bool comes_before(const SurfacePair& a, const SurfacePair& b);

}  // namespace nodia

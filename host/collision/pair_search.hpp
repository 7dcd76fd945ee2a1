/// Searches between two bodies; inside of proximity.hpp.
#pragma once

#include <vector>

#include "host/collision/proximity_bodies.hpp"

namespace nodia {

/// How far a search looks, and where it puts what it finds.
struct PairSearch {
  DetectionReach reach;
  std::int32_t surface_i = 0, surface_j = 0;
  bool i_is_prescribed = false, j_is_prescribed = false;
  bool takes_all = false;  ///< whoever adds pairs knows that they are within reach
  std::vector<SurfacePair>* out = nullptr;
  ProximityCounters* counters = nullptr;

  /// Adds the pair if its gap is within reach, or all are taken. @param v_i, v_j  of the points of
  /// the pair
  void add(PairRule rule, std::int32_t feature_i, std::int32_t feature_j, const BodyPoint& i,
           const BodyPoint& j, double gap, Vec3d normal, const PointMotion& v_i,
           const PointMotion& v_j) const;
};

/// Identity of a pair over steps.
std::uint64_t key_of(std::int32_t surface_i, std::int32_t surface_j, PairRule rule,
                     std::int32_t feature_i, std::int32_t feature_j);

/// The same pair seen from the other side.
SurfacePair swapped(const SurfacePair& pair);

/// Vertices [begin, end) of i against the surface j, another or the same.
void find_vertices_on_soft(const SoftBody& i, const SoftBody& j, std::int32_t begin,
                           std::int32_t end, const PairSearch& search);
/// Adds the pair of a vertex of i that find_vertex_hit has found near j.
void add_vertex_hit(const SoftBody& i, const SoftBody& j, std::int32_t vertex,
                    const SurfaceHit& hit, const PairSearch& search);
/// Adds the pair of the edges e of i and f of j, which find_soft_edges has found before.
void add_found_edges(const SoftBody& i, const SoftBody& j, std::int32_t e, std::int32_t f,
                     const PairSearch& search);
void find_vertices_on_shape(const SoftBody& i, const ShapeBody& j, std::int32_t begin,
                            std::int32_t end, const PairSearch& search);
void find_vertices_on_rod(const SoftBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                          const PairSearch& search);
/// Points of i against the surface j.
void find_shape_points_on_soft(const ShapeBody& i, const SoftBody& j, const PairSearch& search);
void find_rod_points_on_soft(const RodBody& i, const SoftBody& j, const PairSearch& search);
void find_rod_points_on_shape(const RodBody& i, const ShapeBody& j, const PairSearch& search);
/// Links [begin, end) of i against those of j, another or the same.
void find_links(const RodBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                const PairSearch& search);
/// Both directions, surface_i and surface_j as in `search` or swapped; no contact twice.
void find_shape_pairs(const ShapeBody& i, const ShapeBody& j, const PairSearch& search);

/// Vertex and point pairs found before, ordered: which edges need no pair of their own.
using FoundPairs = std::span<const SurfacePair>;
/// The pair of a vertex or point of one surface with another one; null without one.
const SurfacePair* found_pair(FoundPairs found, std::int32_t surface_i, std::int32_t surface_j,
                              PairRule rule, std::int32_t feature);
/// Edge pairs of two surfaces, or of one with itself, ordered by (feature_i, feature_j).
void find_soft_edges(const SoftBody& i, const SoftBody& j, FoundPairs found,
                     const PairSearch& search);
/// Edges of a soft surface i against those of a shape j.
void find_soft_shape_edges(const SoftBody& i, const ShapeBody& j, FoundPairs found,
                           const PairSearch& search);

/// Order of the pairs in the answer of a search.
bool comes_before(const SurfacePair& a, const SurfacePair& b);

}  // namespace nodia

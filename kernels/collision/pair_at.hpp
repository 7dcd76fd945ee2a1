/// Function that computes the pair of a slot of PairTable again, because storing all pairs would
/// take more memory than the model.
#pragma once

#include "kernels/collision/paired_surfaces.hpp"

namespace nodia {

struct SoftPairAt {
  std::int32_t search = 0;
  std::int32_t feature = 0;  ///< vertex or edge of i
  std::int32_t edge = -1;    ///< edge of j; -1: a vertex of i is near a triangle of j
  SurfaceHit hit;            ///< for a vertex: hit on j
  EdgeContact crossing;      ///< for edges
  double gap_m = 0;          ///< without thicknesses [m]
  Vec3d normal{};            ///< unit, from j to i
};

/// @param slot  flagged in this step
template <class Memory>
NODIA_HD SoftPairAt pair_at(const PairedSurfaces& paired, std::int32_t slot, Memory memory) {
  SoftPairAt pair;
  for (std::int32_t end = paired.searches.n_search; end - pair.search > 1;) {
    const std::int32_t middle = pair.search + (end - pair.search) / 2;
    (paired.pairs.slots[middle].first <= slot ? pair.search : end) = middle;
  }
  const PairSlots& slots = paired.pairs.slots[pair.search];
  const VertexSearch& search = paired.searches.search[pair.search];
  if (slots.is_edge(slot)) {
    pair.feature = slots.edge(slot);
    pair.edge = memory.read(paired.pairs.other + slots.other(slot));
    const EdgeSearch edges = paired.edges_of(search, memory);
    find_soft_edge_contact(edges, pair.feature, pair.edge, &pair.crossing, memory);
    pair.gap_m = gap_of(edges, pair.crossing);
    pair.normal = pair.crossing.normal;
  } else {
    pair.feature = slot - slots.first;
    find_pair(paired.searches, search, pair.feature, &pair.hit, memory);
    pair.gap_m = vertex_gap(paired.searches, search, pair.hit);
    pair.normal = pair.hit.normal;
  }
  return pair;
}

}  // namespace nodia

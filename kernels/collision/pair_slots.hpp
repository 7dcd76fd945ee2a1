/// Table of the soft-soft pairs of a step: slots in the order in which contacts are generated.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Pairs with edges of j that one edge of i can store.
inline constexpr int kEdgePairs = 4;

/// Slots of a search, in addition to its VertexSearch. They are counted over all searches, ordered
/// by environment and (surface_i, surface_j): first the vertices of i, then kEdgePairs slots per
/// edge of i if the search includes edges.
struct PairSlots {
  std::int32_t first = 0;        ///< slot of its first vertex
  std::int32_t n_vertex = 0;     ///< vertices of i
  std::int32_t n_edge = 0;       ///< edges of i; 0: only the search of j near i includes edges
  std::int32_t first_other = 0;  ///< index of its edges in PairTable::other
  std::int32_t partner = 0;      ///< the search of j near i; for self-contact this one

  NODIA_HD std::int32_t end() const { return first + n_vertex + kEdgePairs * n_edge; }
  NODIA_HD bool is_edge(std::int32_t slot) const { return slot >= first + n_vertex; }
  /// @param slot  slot of an edge
  /// @return index in PairTable::other
  NODIA_HD std::int32_t other(std::int32_t slot) const {
    return first_other + slot - first - n_vertex;
  }
  NODIA_HD std::int32_t edge(std::int32_t slot) const {
    return (slot - first - n_vertex) / kEdgePairs;
  }

  bool operator==(const PairSlots&) const = default;
};

/// Pairs of all searches.
struct PairTable {
  int n_slot = 0;                    ///< 0: no search
  const PairSlots* slots = nullptr;  ///< [n_search]
  std::uint8_t* flag = nullptr;      ///< [n_slot]: 1 if the slot is a pair
  /// Gap, infinite without pair [m], and normal of vertex pairs; slots counted as in VertexSearch.
  double* gap = nullptr;
  Vec3d* normal = nullptr;
  std::int32_t* other = nullptr;  ///< edge of j for slots of edge pairs, ascending
  int n_edge = 0;                 ///< largest number of edges of a search
  /// [search][chunk of edges of i]: 1 if an edge is in more pairs than its slots can store.
  std::uint8_t* beyond = nullptr;

  bool operator==(const PairTable&) const = default;
};

}  // namespace nodia

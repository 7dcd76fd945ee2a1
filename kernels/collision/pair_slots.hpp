/// Where a step tells which features of soft surfaces are in pairs: slots in the order in which
/// contacts are made of them.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Edges of j that one edge of i can be told to be in pairs with.
inline constexpr int kEdgePairs = 4;

/// Of a search, beside its VertexSearch. Slots are counted over all searches, which are those of
/// one environment after another, ordered by (surface_i, surface_j): first those of the vertices of
/// i, then, where edges are looked at, kEdgePairs of each edge of i.
struct PairSlots {
  std::int32_t first = 0;     ///< slot of its first vertex
  std::int32_t n_vertex = 0;  ///< of i
  std::int32_t n_edge = 0;  ///< of i; 0: edges are looked at in the search of j near i, or nowhere
  std::int32_t first_other = 0;  ///< of its edges in PairTable::other
  std::int32_t partner = 0;      ///< the search of j near i; of a surface and itself this one

  NODIA_HD std::int32_t end() const { return first + n_vertex + kEdgePairs * n_edge; }
  NODIA_HD bool is_edge(std::int32_t slot) const { return slot >= first + n_vertex; }
  /// Of a slot of an edge. @return  place in PairTable::other
  NODIA_HD std::int32_t other(std::int32_t slot) const {
    return first_other + slot - first - n_vertex;
  }
  NODIA_HD std::int32_t edge(std::int32_t slot) const {
    return (slot - first - n_vertex) / kEdgePairs;
  }

  bool operator==(const PairSlots&) const = default;
};

/// What is found of all searches.
struct PairTable {
  int n_slot = 0;                    ///< 0: nothing is looked for
  const PairSlots* slots = nullptr;  ///< [n_search]
  std::uint8_t* flag = nullptr;      ///< [n_slot]: 1 where the slot is a pair
  /// Of the pairs of vertices, as VertexSearch counts slots: gap, infinite where there is none [m],
  /// and normal.
  double* gap = nullptr;
  Vec3d* normal = nullptr;
  std::int32_t* other = nullptr;  ///< of slots of edges that are pairs: the edge of j, ascending
  int n_edge = 0;                 ///< of the search with the most
  /// [search][chunk of edges of i]: 1 where one is in more pairs than its slots can tell.
  std::uint8_t* beyond = nullptr;

  bool operator==(const PairTable&) const = default;
};

}  // namespace nodia

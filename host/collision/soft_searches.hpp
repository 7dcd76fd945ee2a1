/// Data of vertex searches between soft surfaces outside of ProximitySearch.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/collision/surface_mesh.hpp"
#include "kernels/collision/soft_edges.hpp"

namespace nodia {

/// Searches and data that are constant over the steps.
struct SoftSearches {
  struct Surface {
    std::int32_t number = 0;      ///< numbered by ProximitySearch
    std::int32_t first_node = 0;  ///< index of its first node in the state
    SurfaceMesh mesh;
    std::vector<std::int32_t> left_out_begin, left_out;
    std::vector<std::int32_t> sharp_edges;
    // Views of the lists above.
    SoftSurface fixed;  ///< x, v and normals are null
    SoftEdges edges;
  };
  std::vector<Surface> surface;  ///< ascending
  /// Pairs of surface numbers, ascending: vertices of the first are searched near the second.
  /// Contains (i, j), (j, i) and (i, i).
  std::vector<std::pair<std::int32_t, std::int32_t>> search;
};

/// Soft-soft pair that another search found.
struct SoftPair {
  std::int32_t surface_i = 0, surface_j = 0;  ///< numbered by ProximitySearch
  std::int32_t feature = 0;                   ///< vertex or edge of i
  std::int32_t edge = -1;                     ///< edge of j; -1: a vertex of i near a triangle of j
  SurfaceHit at{};                            ///< for a vertex: the hit on j
};

}  // namespace nodia

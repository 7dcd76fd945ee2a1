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

/// Vertices of a surface at the start of a step.
struct SoftVertices {
  const Vec3d* x = nullptr;        ///< [m]
  const PointMotion* v = nullptr;  ///< finite [m/s]
};

/// Soft-soft pair that another search found.
struct SoftPair {
  std::int32_t surface_i = 0, surface_j = 0;  ///< numbered by ProximitySearch
  std::int32_t feature = 0;                   ///< vertex or edge of i
  std::int32_t edge = -1;                     ///< edge of j; -1: a vertex of i near a triangle of j
  SurfaceHit at{};                            ///< for a vertex: the hit on j
};

/// Vertex that find_vertex_hit found near a surface, and that is_within_reach.
struct VertexHit {
  std::int32_t surface_i = 0, surface_j = 0;  ///< numbered by ProximitySearch
  std::int32_t vertex = 0;                    ///< vertex of i
  SurfaceHit at;                              ///< hit on j
};

}  // namespace nodia

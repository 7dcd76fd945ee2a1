/// Searches of vertices of soft surfaces near soft surfaces, for who does them elsewhere than
/// ProximitySearch.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/collision/surface_mesh.hpp"
#include "kernels/collision/soft_edges.hpp"

namespace nodia {

/// What stays over the steps.
struct SoftSearches {
  struct Surface {
    std::int32_t number = 0;      ///< as ProximitySearch numbers it
    std::int32_t first_node = 0;  ///< its nodes count from here in the state
    SurfaceMesh mesh;
    std::vector<std::int32_t> left_out_begin, left_out;
    std::vector<std::int32_t> sharp_edges;
    // Into these.
    SoftSurface fixed;  ///< x, v and normals are null
    SoftEdges edges;
  };
  std::vector<Surface> surface;  ///< ascending
  /// Whose vertices are searched near whom, both by their numbers: ascending, i near j and j near
  /// i, and i near itself.
  std::vector<std::pair<std::int32_t, std::int32_t>> search;
};

/// Of a surface at the start of a step.
struct SoftVertices {
  const Vec3d* x = nullptr;        ///< [m]
  const PointMotion* v = nullptr;  ///< finite [m/s]
};

/// Features of soft surfaces that somebody else has found to be a pair.
struct SoftPair {
  std::int32_t surface_i = 0, surface_j = 0;  ///< as ProximitySearch numbers them
  std::int32_t feature = 0;                   ///< vertex or edge of i
  std::int32_t edge = -1;                     ///< of j; -1: a vertex of i is near a triangle of j
  SurfaceHit at{};                            ///< of a vertex, on j
};

/// A vertex that find_vertex_hit found near a surface, and is_within_reach.
struct VertexHit {
  std::int32_t surface_i = 0, surface_j = 0;  ///< as ProximitySearch numbers them
  std::int32_t vertex = 0;                    ///< of i
  SurfaceHit at;                              ///< on j
};

}  // namespace nodia

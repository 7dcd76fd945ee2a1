/// Boundary of a soft body: triangles, edges, vertices, and their adjacency.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fem/mesh/tet_mesh.hpp"
#include "kernels/collision/soft_surface.hpp"

namespace nodia {

/// Vertices are the surface nodes in ascending order. Triangles, edges and adjacency use vertex
/// indices, not node indices.
struct SurfaceMesh {
  using Triangle = std::array<std::int32_t, 3>;
  using Edge = std::array<std::int32_t, 2>;

  std::vector<std::int32_t> nodes;  ///< node of the body, per vertex
  std::vector<Vec3d> rest;          ///< rest position, per vertex [m]
  std::vector<Triangle> triangles;  ///< normals outward
  std::vector<Edge> edges;          ///< (low, high), ascending
  /// Edges from corner k to corner k + 1 of each triangle.
  std::vector<std::array<std::int32_t, 3>> triangle_edges;
  /// Triangles around a vertex or an edge, ascending: [begin[i], begin[i + 1]) of `around_*`.
  std::vector<std::int32_t> vertex_begin, around_vertex, edge_begin, around_edge;
  bool is_closed = false;  ///< every edge is between two opposed triangles, or an even number

  int n_vertex() const { return static_cast<int>(nodes.size()); }
  int n_triangle() const { return static_cast<int>(triangles.size()); }
  int n_edge() const { return static_cast<int>(edges.size()); }
  std::span<const std::int32_t> triangles_of_vertex(std::int32_t v) const;
  std::span<const std::int32_t> triangles_of_edge(std::int32_t e) const;
  /// Mean length of an edge at rest [m]; 0 without edges.
  double mean_edge_length() const;
};

/// Makes the surface of triangles given by nodes.
/// @throws InputError for a missing node, or a triangle with a repeated node
SurfaceMesh make_surface(const std::vector<Vec3d>& nodes,
                         const std::vector<std::array<std::int32_t, 3>>& triangles);

/// View for kernels; valid until the mesh changes.
SoftSurface view_of(const SurfaceMesh& mesh);

/// Makes the boundary of a tetrahedral mesh.
SurfaceMesh surface_of(const TetMesh& mesh);

}  // namespace nodia

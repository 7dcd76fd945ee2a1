/// Edges of triangle meshes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fem/mesh/triangle_mesh.hpp"

namespace nodia {

/// One use of an edge by a triangle.
struct EdgeUse {
  std::int32_t low, high;  ///< vertices, low < high
  std::int32_t triangle;
  bool forward;  ///< the triangle runs from low to high

  std::pair<std::int32_t, std::int32_t> edge() const { return {low, high}; }
};

/// Uses of the same edge one after the other, in the order of the triangles.
std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh);

/// Edges with a defect: how many, and a use of the first one.
struct EdgeDefects {
  std::size_t count = 0;
  EdgeUse first{};

  void add(const EdgeUse& use) {
    if (count++ == 0) first = use;
  }
};

struct SurfaceDefects {
  EdgeDefects open;     ///< used by an odd number of triangles
  EdgeDefects twisted;  ///< not used as often forward as backward
};

SurfaceDefects surface_defects(const TriangleMesh& mesh);

}  // namespace nodia

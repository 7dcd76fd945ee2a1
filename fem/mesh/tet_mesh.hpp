/// A tetrahedral mesh: what mesh readers and meshers produce.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

struct TetMesh {
  std::vector<Vec3d> nodes;                       ///< rest positions [m]
  std::vector<std::array<std::int32_t, 4>> tets;  ///< node indices, positive volume orientation
  std::map<std::string, std::vector<std::int32_t>>
      node_sets;  ///< named sets (Gmsh physical groups), ascending
};

/// Signed volume of a tetrahedron [m^3]: det(b - a, c - a, d - a)/6.
inline double tet_volume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  return dot(b - a, cross(c - a, d - a)) / 6.0;
}

/// Local nodes of the face opposite node k of a tetrahedron of positive volume, normal outward.
inline constexpr std::array<std::array<int, 3>, 4> kTetFace{
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Outer faces of the mesh (in one tetrahedron only), each a triangle with its normal outward,
/// ordered by tetrahedron and by opposite node. Node indices must be valid.
std::vector<std::array<std::int32_t, 3>> boundary_faces(const TetMesh& mesh);

/// Renumbers the nodes by ascending coordinate along `direction` (ties: old order) and sorts the
/// tetrahedra by lowest node, so that coupled nodes lie close in memory. Node indices must be
/// valid.
void sort_along(TetMesh& mesh, Vec3d direction);

}  // namespace nodia

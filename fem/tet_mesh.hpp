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
  std::vector<Vec3d> nodes;                          ///< rest positions [m]
  std::vector<std::array<std::int32_t, 4>> tets;     ///< node indices, positive volume orientation
  std::map<std::string, std::vector<std::int32_t>> node_sets;  ///< named sets (Gmsh physical groups), ascending
};

/// Signed volume of a tetrahedron [m^3]: det(b - a, c - a, d - a)/6.
inline double tet_volume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  return dot(b - a, cross(c - a, d - a)) / 6.0;
}

/// Outer faces of the mesh, each a triangle with its normal outward, in a fixed order.
std::vector<std::array<std::int32_t, 3>> boundary_faces(const TetMesh& mesh);

}  // namespace nodia

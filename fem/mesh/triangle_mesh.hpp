/// Triangle meshes: surfaces of solids, from files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

struct TriangleMesh {
  std::vector<Vec3d> vertices;                         ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< normals outward
};

/// Reads Wavefront OBJ or STL (ASCII, binary); polygons are split into triangles, equal STL
/// vertices merged.
/// @throws InputError (file, line or offset, rule)
TriangleMesh read_triangle_mesh(const std::string& path);

/// Throws InputError (which edge, how many, what to do) unless the mesh is closed, consistently
/// oriented and finite.
void require_closed(const TriangleMesh& mesh, const std::string& where);

}  // namespace nodia

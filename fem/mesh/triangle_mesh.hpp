/// Triangle meshes: surfaces of solids, from files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/vec3.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

struct TriangleMesh {
  std::vector<Vec3d> vertices;                         ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< normals outward
};

/// What `<up_axis>` of a COLLADA file does.
enum class ColladaUpAxis : std::uint8_t {
  as_written,  ///< nothing: coordinates stay as they are in the file, as in RViz and Pinocchio
  z_up         ///< the file's up axis becomes z
};

constexpr auto words_of(ColladaUpAxis) {
  return std::array{Word{ColladaUpAxis::as_written, "as_written"},
                    Word{ColladaUpAxis::z_up, "z_up"}};
}

/// Reads OBJ, STL, COLLADA (.dae) or glTF 2.0 (.gltf, .glb) with Assimp in a process of its own
/// (tools/read_mesh), which may use 4 GiB and 60 s. Polygons are split into triangles, equal
/// vertices merged, triangles that use a vertex twice left out. The `<unit>` of a COLLADA file
/// scales it to metres. The y axis of glTF, which points up, becomes z. Coordinates have the
/// precision of float.
/// @throws InputError with the file and the reason
TriangleMesh read_triangle_mesh(const std::string& path,
                                ColladaUpAxis up_axis = ColladaUpAxis::as_written);

/// Vertices of the triangles, each once, in their order.
std::vector<Vec3d> used_vertices(const TriangleMesh& mesh);

/// Throws InputError (which edge, how many, what to do) unless the mesh is closed, consistently
/// oriented and finite.
void require_closed(const TriangleMesh& mesh, const std::string& where);

}  // namespace nodia

/// Triangles of all meshes of an Assimp scene, in the frame of its root node.
#pragma once

#include <assimp/scene.h>

#include <array>
#include <cstdint>
#include <vector>

namespace nodia {

struct SceneTriangles {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

/// Collects the triangles and applies the transformations of all nodes. If a transformation mirrors
/// a mesh, the order of its vertices is reversed, such that normals remain outward. Points and
/// lines are ignored.
/// @throws std::runtime_error for indices out of range and for more than 2^31 - 1 vertices
SceneTriangles scene_triangles(const aiScene& scene);

}  // namespace nodia

#include "tools/read_mesh/scene_triangles.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace nodia {
namespace {

using Transform = aiMatrix4x4t<double>;

class Collector {
 public:
  explicit Collector(const aiScene& scene) : scene_(scene) {}

  SceneTriangles collect() {
    if (scene_.mRootNode) add_node(*scene_.mRootNode, Transform());
    return std::move(result_);
  }

 private:
  void add_node(const aiNode& node, const Transform& above) {
    const Transform transform = above * Transform(node.mTransformation);
    for (unsigned k = 0; k < node.mNumMeshes; ++k) {
      if (node.mMeshes[k] >= scene_.mNumMeshes)
        throw std::runtime_error("a node names a mesh that does not exist");
      add_mesh(*scene_.mMeshes[node.mMeshes[k]], transform);
    }
    for (unsigned k = 0; k < node.mNumChildren; ++k) add_node(*node.mChildren[k], transform);
  }

  void add_mesh(const aiMesh& mesh, const Transform& transform) {
    const std::size_t first = result_.vertices.size();
    if (first + mesh.mNumVertices > std::numeric_limits<std::int32_t>::max())
      throw std::runtime_error("more than 2^31 - 1 vertices");
    for (unsigned k = 0; k < mesh.mNumVertices; ++k) {
      const aiVector3t<double> p = transform * aiVector3t<double>(mesh.mVertices[k]);
      result_.vertices.push_back({p.x, p.y, p.z});
    }
    const bool is_mirrored = transform.Determinant() < 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;
      std::array<std::int32_t, 3> triangle{};
      for (unsigned k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices)
          throw std::runtime_error("a face names a vertex that does not exist");
        triangle[k] = static_cast<std::int32_t>(first + face.mIndices[k]);
      }
      if (is_mirrored) std::swap(triangle[1], triangle[2]);
      result_.triangles.push_back(triangle);
    }
  }

  const aiScene& scene_;
  SceneTriangles result_;
};

}  // namespace

SceneTriangles scene_triangles(const aiScene& scene) {
  return Collector(scene).collect();
}

}  // namespace nodia

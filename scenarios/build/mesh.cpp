#include "scenarios/build/mesh.hpp"

#include <fmt/format.h>

#include <utility>

#include "fem/mesh/mesh_quality.hpp"
#include "fem/mesh/meshers.hpp"
#include "fem/mesh/read_tet_mesh.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

TetMesh mesh_of(const MeshSource& source, SceneFiles* files) {
  if (source.file) {
    const auto found = files->meshes.find(*source.file);
    if (found != files->meshes.end()) return found->second;
    std::string notice;
    TetMesh mesh = read_tet_mesh(*source.file, &notice);
    require_usable(mesh, *source.file);
    if (!notice.empty()) files->mesh_notices[*source.file] = notice;
    return files->meshes[*source.file] = std::move(mesh);
  }
  if (source.box) {
    const std::array<int, 3>& n = source.box->cells;
    const double n_node = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    require(n_node <= kMaxMeshNodes, "box.cells", n_node,
            fmt::format("at most {} nodes in all", kMaxMeshNodes), "take fewer cells");
    return mesh_box(source.box->size_m, n);
  }
  if (source.mat) {
    return mesh_mat(source.mat->size_m, source.mat->nodes, source.mat->layers, source.mat->seed);
  }
  return mesh_ball(source.ball->radius_m, source.ball->nodes);
}

}  // namespace nodia

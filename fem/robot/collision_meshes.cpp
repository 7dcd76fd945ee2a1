#include "fem/robot/collision_meshes.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "fem/mesh/repair_surface.hpp"
#include "kernels/core/input_file.hpp"

namespace nodia {
namespace {

/// The up axis that a COLLADA file states: X_UP, Y_UP or Z_UP.
std::string up_axis_of(const std::string& path) {
  constexpr std::string_view kTag = "<up_axis>";
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t tag = text.find(kTag);
  if (tag == std::string::npos) return "Y_UP";  // COLLADA 1.4, section <up_axis>
  return text.substr(tag + kTag.size(), 4);
}

}  // namespace

const CollisionMesh& CollisionMeshes::read(const std::string& path, Vec3d scale,
                                           const std::string& where) {
  const auto [entry, is_new] = meshes_.try_emplace({path, scale.x, scale.y, scale.z});
  CollisionMesh& result = entry->second;
  if (!is_new) return result;
  TriangleMesh mesh = read_triangle_mesh(path, options_.collada_up_axis);
  for (Vec3d& vertex : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) vertex[axis] *= scale[axis];
  if (scale.x * scale.y * scale.z < 0)  // a mirrored mesh is inside out
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  if (options_.repair == RobotRepair::automatic)
    result.repair = repair_surface(&mesh, where);
  else
    require_closed(mesh, where);
  result.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  if (lower_extension(path) == ".dae" && options_.collada_up_axis == ColladaUpAxis::as_written &&
      not_z_up_.empty()) {
    if (const std::string axis = up_axis_of(path); axis != "Z_UP")
      not_z_up_ = fmt::format("{} has the up axis {}", path, axis);
  }
  return result;
}

}  // namespace nodia

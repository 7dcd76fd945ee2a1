#include <fmt/format.h>

#include <algorithm>

#include "fem/mesh/gmsh_content.hpp"
#include "kernels/core/error.hpp"

namespace nodia::gmsh {
namespace {

/// Distance of an edge's middle node from its middle, by the edge's length: rounding of files
/// written with 7 digits or more.
constexpr double kStraight = 1e-5;

/// Corners at the ends of the edge that node 4 + k lies on.
constexpr int kEdge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};

/// A volume element that is no tetrahedron of first or second order.
std::string name_of_volume(int type) {
  switch (type) {
    case 5:
    case 12:
    case 17:
      return "hexahedra";
    case 6:
    case 13:
    case 18:
      return "prisms";
    case 7:
    case 14:
    case 19:
      return "pyramids";
    default:
      return fmt::format("volume elements of type {}", type);
  }
}

bool is_straight(const TetMesh& mesh, const Tetrahedron10& t) {
  for (int k = 0; k < 6; ++k) {
    const Vec3d a = mesh.nodes[t[kEdge[k][0]]], b = mesh.nodes[t[kEdge[k][1]]];
    if (!(norm(mesh.nodes[t[4 + k]] - 0.5 * (a + b)) <= kStraight * norm(b - a))) return false;
  }
  return true;
}

/// Nodes between corners go; nodes in no element stay for repair_tets().
void drop_middles(Content& content) {
  TetMesh& mesh = content.mesh;
  std::vector<char> goes(mesh.nodes.size());
  for (const Tetrahedron10& t : content.second_order)
    for (int k = 4; k < 10; ++k) goes[t[k]] = 1;
  for (const auto& tet : mesh.tets)
    for (const std::int32_t node : tet) goes[node] = 0;
  std::vector<std::int32_t> number(mesh.nodes.size(), -1);
  std::size_t n = 0;
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) {
    if (goes[k]) continue;
    number[k] = static_cast<std::int32_t>(n);
    mesh.nodes[n++] = mesh.nodes[k];
  }
  mesh.nodes.resize(n);
  for (auto& tet : mesh.tets)
    for (std::int32_t& node : tet) node = number[node];
  for (auto& [name, nodes] : mesh.node_sets) {
    std::erase_if(nodes, [&](std::int32_t node) { return number[node] < 0; });
    for (std::int32_t& node : nodes) node = number[node];
  }
}

}  // namespace

std::string keep_corners(Content& content, const std::string& name) {
  for (const auto& [type, n] : content.other_volumes)
    throw InputError(fmt::format(
        "{}: {} {} (must be tetrahedra alone; mesh the geometry with gmsh -3 -order 1, without "
        "Recombine, e.g. gmsh -3 -order 1 part.geo -o part.msh)",
        name, n, name_of_volume(type)));
  if (content.second_order.empty()) return "";
  const auto curved = std::count_if(content.second_order.begin(), content.second_order.end(),
                                    [&](const auto& t) { return !is_straight(content.mesh, t); });
  for (const Tetrahedron10& t : content.second_order)
    content.mesh.tets.push_back({t[0], t[1], t[2], t[3]});
  const std::size_t n_before = content.mesh.nodes.size();
  drop_middles(content);
  return fmt::format(
      "{}: {} second-order (10-node) tetrahedra are taken as first-order ones, without their {} "
      "nodes in the middles of edges{}",
      name, content.second_order.size(), n_before - content.mesh.nodes.size(),
      curved > 0 ? fmt::format("; {} of them have curved edges, which became straight", curved)
                 : "");
}

}  // namespace nodia::gmsh

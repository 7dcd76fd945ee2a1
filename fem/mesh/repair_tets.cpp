#include "fem/mesh/repair_tets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace nodia {
namespace {

using Tet = std::array<std::int32_t, 4>;

bool has_valid_indices(const TetMesh& mesh) {
  const auto n_node = static_cast<std::int32_t>(mesh.nodes.size());
  return std::all_of(mesh.tets.begin(), mesh.tets.end(), [&](const Tet& t) {
    return std::all_of(t.begin(), t.end(), [&](std::int32_t i) { return i >= 0 && i < n_node; });
  });
}

/// True if two tetrahedra use a face in the same orientation, that is, lie on the same side of it.
bool overlaps(const std::vector<Tet>& tets) {
  std::vector<std::array<std::int32_t, 4>> faces;  // nodes ascending, then the orientation
  faces.reserve(4 * tets.size());
  for (const Tet& t : tets) {
    for (const auto& local : kTetFace) {
      std::array<std::int32_t, 4> face{t[local[0]], t[local[1]], t[local[2]], 0};
      for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}}) {
        if (face[a] <= face[b]) continue;
        std::swap(face[a], face[b]);
        face[3] = 1 - face[3];
      }
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());
  return std::adjacent_find(faces.begin(), faces.end()) != faces.end();
}

std::size_t turn_tets(TetMesh* mesh) {
  std::vector<Tet> turned = mesh->tets;
  std::size_t n_turned = 0;
  for (Tet& t : turned) {
    const auto& x = mesh->nodes;
    if (!(tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) < 0)) continue;
    std::swap(t[2], t[3]);
    ++n_turned;
  }
  if (n_turned == 0 || overlaps(turned)) return 0;
  mesh->tets = std::move(turned);
  return n_turned;
}

std::size_t drop_unused_nodes(TetMesh* mesh) {
  std::vector<std::int32_t> number(mesh->nodes.size(), -1);
  for (const Tet& t : mesh->tets)
    for (const std::int32_t i : t) number[i] = 0;
  std::int32_t n = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    mesh->nodes[n] = mesh->nodes[i];
    number[i] = n++;
  }
  const std::size_t n_dropped = mesh->nodes.size() - n;
  mesh->nodes.resize(n);
  for (Tet& t : mesh->tets)
    for (std::int32_t& i : t) i = number[i];
  for (auto& [name, nodes] : mesh->node_sets) {
    std::erase_if(nodes, [&](std::int32_t i) { return number[i] < 0; });
    for (std::int32_t& i : nodes) i = number[i];
  }
  return n_dropped;
}

}  // namespace

std::string repair_tets(TetMesh* mesh) {
  if (mesh->tets.empty() || !has_valid_indices(*mesh)) return "";
  std::vector<std::string> done;
  if (const std::size_t n = turn_tets(mesh))
    done.push_back(fmt::format("{} left-handed tetrahedra were turned", n));
  if (const std::size_t n = drop_unused_nodes(mesh))
    done.push_back(fmt::format("{} nodes in no tetrahedron were dropped", n));
  return fmt::format("{}", fmt::join(done, ", "));
}

}  // namespace nodia

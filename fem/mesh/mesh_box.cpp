#include <algorithm>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kMaxCells = 5e7;

const char* const kAxisName[3] = {"x", "y", "z"};

/// Kuhn's six tetrahedra of the unit cube: paths from corner 0 to corner 7 (bit k is axis k), one
/// per order of the axes. The odd orders are swapped to positive volume.
constexpr std::array<std::array<int, 4>, 6> kKuhn{
    {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}}};

}  // namespace

TetMesh mesh_box(Vec3d size_m, std::array<int, 3> cells) {
  for (int k = 0; k < 3; ++k) {
    require(size_m[k] > 0 && std::isfinite(size_m[k]), std::string("size_m.") + kAxisName[k],
            size_m[k], "positive and finite", "metres");
    require(cells[k] >= 1, std::string("cells.") + kAxisName[k], cells[k], "at least 1", "");
  }
  const double n_cell = 1.0 * cells[0] * cells[1] * cells[2];
  require(n_cell <= kMaxCells, "cells", n_cell, "at most 5e7 in all", "use fewer cells");

  // The axis with the most cells varies slowest.
  std::array<int, 3> by_cells{0, 1, 2};
  std::stable_sort(by_cells.begin(), by_cells.end(),
                   [&](int a, int b) { return cells[a] > cells[b]; });
  std::array<std::int32_t, 3> stride{};
  stride[by_cells[2]] = 1;
  stride[by_cells[1]] = cells[by_cells[2]] + 1;
  stride[by_cells[0]] = stride[by_cells[1]] * (cells[by_cells[1]] + 1);

  TetMesh mesh;
  const auto for_each = [&](std::array<int, 3> end, const auto& f) {
    std::array<int, 3> at{};
    for (at[by_cells[0]] = 0; at[by_cells[0]] < end[by_cells[0]]; ++at[by_cells[0]]) {
      for (at[by_cells[1]] = 0; at[by_cells[1]] < end[by_cells[1]]; ++at[by_cells[1]]) {
        for (at[by_cells[2]] = 0; at[by_cells[2]] < end[by_cells[2]]; ++at[by_cells[2]]) f(at);
      }
    }
  };
  for_each({cells[0] + 1, cells[1] + 1, cells[2] + 1}, [&](const std::array<int, 3>& at) {
    const auto node = static_cast<std::int32_t>(mesh.nodes.size());
    Vec3d p;
    for (int k = 0; k < 3; ++k) {
      p[k] = at[k] == cells[k] ? size_m[k] : size_m[k] * at[k] / cells[k];
      if (at[k] == 0) mesh.node_sets[std::string(kAxisName[k]) + "_min"].push_back(node);
      if (at[k] == cells[k]) mesh.node_sets[std::string(kAxisName[k]) + "_max"].push_back(node);
    }
    mesh.nodes.push_back(p);
  });
  mesh.tets.reserve(6 * static_cast<std::size_t>(n_cell));
  for_each(cells, [&](const std::array<int, 3>& at) {
    std::int32_t corner[8];
    const int mirror = at[0] % 2 + 2 * (at[1] % 2) + 4 * (at[2] % 2);
    for (int c = 0; c < 8; ++c) {
      corner[c ^ mirror] = 0;
      for (int k = 0; k < 3; ++k) corner[c ^ mirror] += stride[k] * (at[k] + (c >> k & 1));
    }
    const bool flipped = (at[0] + at[1] + at[2]) % 2 == 1;
    for (auto t : kKuhn) {
      if (flipped) std::swap(t[1], t[2]);
      mesh.tets.push_back({corner[t[0]], corner[t[1]], corner[t[2]], corner[t[3]]});
    }
  });
  return mesh;
}

}  // namespace nodia

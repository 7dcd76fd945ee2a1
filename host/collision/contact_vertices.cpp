/// Selection of the vertices of a mesh that may touch other bodies first.
#include "host/collision/contact_vertices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace nodia {

std::vector<std::int32_t> contact_vertices(const MeshSurface& surface, double spacing_m) {
  constexpr double kFlat = 1e-6;  // smallest sharpness; that of an edge of 0.16 degrees
  const std::vector<double>& flatness = surface.flatness();
  std::map<std::array<double, 3>, std::size_t> sharpest;  // by cell
  for (std::size_t v = 0; v < flatness.size(); ++v) {
    if (!(1 - flatness[v] > kFlat)) continue;
    const Vec3d x = surface.mesh().rest[v];
    const auto [cell, first] = sharpest.try_emplace(
        {std::floor(x.x / spacing_m), std::floor(x.y / spacing_m), std::floor(x.z / spacing_m)}, v);
    if (!first && flatness[v] < flatness[cell->second]) cell->second = v;
  }
  std::vector<std::int32_t> kept;
  for (const auto& [cell, v] : sharpest) kept.push_back(static_cast<std::int32_t>(v));
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace nodia

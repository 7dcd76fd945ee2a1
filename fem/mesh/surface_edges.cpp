#include "fem/mesh/surface_edges.hpp"

#include <algorithm>
#include <tuple>

namespace nodia {

std::vector<Vec3d> used_vertices(const TriangleMesh& mesh) {
  std::vector<char> is_used(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (const std::int32_t i : t) is_used[static_cast<std::size_t>(i)] = 1;
  std::vector<Vec3d> vertices;
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (is_used[i]) vertices.push_back(mesh.vertices[i]);
  return vertices;
}

std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = corners[k], b = corners[(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(t), a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return uses;
}

SurfaceDefects surface_defects(const TriangleMesh& mesh) {
  SurfaceDefects defects;
  const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
  for (std::size_t begin = 0; begin < uses.size();) {
    std::size_t end = begin, n_forward = 0;
    while (end < uses.size() && uses[end].edge() == uses[begin].edge())
      n_forward += uses[end++].forward ? 1 : 0;
    const std::size_t n = end - begin;
    if (n % 2 != 0)
      defects.open.add(uses[begin]);
    else if (2 * n_forward != n)
      defects.twisted.add(uses[begin]);
    begin = end;
  }
  return defects;
}

}  // namespace nodia

/// Selection of the vertices of a mesh that may touch other bodies first.
#include "host/collision/contact_vertices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace nodia {
namespace {

constexpr double kFlat = 1e-6;  ///< smallest sharpness; corresponds to an edge of 0.16 degrees

/// Angle between two directions, also accurate for small angles [rad].
double angle_between(Vec3d a, Vec3d b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

std::vector<double> sharpness_of(const TriangleMesh& mesh) {
  std::vector<Vec3d> normal(mesh.vertices.size());
  std::vector<double> weight(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(t[k % 3])]; };
    const Vec3d area = cross(corner(1) - corner(0), corner(2) - corner(0));
    if (!(norm(area) > 0)) continue;
    for (int k = 0; k < 3; ++k) {
      const double angle = angle_between(corner(k + 1) - corner(k), corner(k + 2) - corner(k));
      normal[static_cast<std::size_t>(t[k])] += (angle / norm(area)) * area;
      weight[static_cast<std::size_t>(t[k])] += angle;
    }
  }
  std::vector<double> sharpness(mesh.vertices.size());
  for (std::size_t v = 0; v < sharpness.size(); ++v)
    sharpness[v] = weight[v] > 0 ? 1 - norm(normal[v]) / weight[v] : 0;
  return sharpness;
}

}  // namespace

std::vector<Vec3d> contact_vertices(const TriangleMesh& mesh, double spacing_m) {
  const std::vector<double> sharpness = sharpness_of(mesh);
  std::map<std::array<double, 3>, std::size_t> sharpest;  // by cell
  for (std::size_t v = 0; v < sharpness.size(); ++v) {
    if (!(sharpness[v] > kFlat)) continue;
    const Vec3d x = mesh.vertices[v];
    const auto [cell, first] = sharpest.try_emplace(
        {std::floor(x.x / spacing_m), std::floor(x.y / spacing_m), std::floor(x.z / spacing_m)}, v);
    if (!first && sharpness[v] > sharpness[cell->second]) cell->second = v;
  }
  std::vector<std::size_t> kept;
  for (const auto& [cell, v] : sharpest) kept.push_back(v);
  std::sort(kept.begin(), kept.end());
  std::vector<Vec3d> points;
  for (const std::size_t v : kept) points.push_back(mesh.vertices[v]);
  return points;
}

}  // namespace nodia

/// Closed triangle meshes with known distances.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "fem/mesh/triangle_mesh.hpp"

namespace nodia::test {

/// The box [lo, hi] in 12 triangles.
inline TriangleMesh box_mesh(Vec3d lo, Vec3d hi) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// Torus about z of radii `major` and `minor` in n_u * n_v quadrilaterals.
inline TriangleMesh torus_mesh(double major, double minor, int n_u, int n_v) {
  TriangleMesh mesh;
  const double turn = 2 * std::numbers::pi;
  for (int i = 0; i < n_u; ++i) {
    for (int j = 0; j < n_v; ++j) {
      const double u = turn * i / n_u, v = turn * j / n_v;
      const double r = major + minor * std::cos(v);
      mesh.vertices.push_back({r * std::cos(u), r * std::sin(u), minor * std::sin(v)});
    }
  }
  const auto at = [&](int i, int j) {
    return static_cast<std::int32_t>((i % n_u) * n_v + j % n_v);
  };
  for (int i = 0; i < n_u; ++i) {
    for (int j = 0; j < n_v; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

/// Sphere about the origin, n_u meridians and n_v parallels with poles.
inline TriangleMesh sphere_mesh(double radius, int n_u, int n_v) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, 0, -radius});
  for (int j = 1; j < n_v; ++j) {
    for (int i = 0; i < n_u; ++i) {
      const double u = 2 * std::numbers::pi * i / n_u, v = std::numbers::pi * j / n_v;
      mesh.vertices.push_back({radius * std::sin(v) * std::cos(u),
                               radius * std::sin(v) * std::sin(u), -radius * std::cos(v)});
    }
  }
  mesh.vertices.push_back({0, 0, radius});
  const auto north = static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  const auto at = [&](int i, int j) {
    return static_cast<std::int32_t>(1 + (j - 1) * n_u + i % n_u);
  };
  for (int i = 0; i < n_u; ++i) {
    mesh.triangles.push_back({0, at(i + 1, 1), at(i, 1)});
    for (int j = 1; j + 1 < n_v; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    mesh.triangles.push_back({at(i, n_v - 1), at(i + 1, n_v - 1), north});
  }
  return mesh;
}

/// An L of two bars of length 3 and width 1, height 1, one vertex of the re-entrant edge at (1, 1,
/// 0).
inline TriangleMesh l_mesh() {
  TriangleMesh mesh;
  const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  for (const double z : {0., 1.}) {
    for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], z});
  }
  const std::int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (const auto& t : cap) {
    mesh.triangles.push_back({t[2], t[1], t[0]});
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::int32_t i = 0; i < 6; ++i) {
    const std::int32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  return mesh;
}

inline void append(TriangleMesh* mesh, const TriangleMesh& other) {
  const auto offset = static_cast<std::int32_t>(mesh->vertices.size());
  mesh->vertices.insert(mesh->vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) {
    mesh->triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
}

inline void flip(TriangleMesh* mesh) {
  for (auto& t : mesh->triangles) std::swap(t[1], t[2]);
}

}  // namespace nodia::test

/// Construction of the boundary of a soft body and its adjacency.
#include "host/collision/surface_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

void require_valid(const std::vector<Vec3d>& nodes,
                   const std::vector<std::array<std::int32_t, 3>>& triangles) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    const std::string key = fmt::format("surface: triangle {}", t);
    const std::string value = fmt::format("({}, {}, {})", a, b, c);
    for (const std::int32_t i : {a, b, c}) {
      if (i < 0 || static_cast<std::size_t>(i) >= nodes.size()) {
        throw_bad_value(key, value, fmt::format("nodes in [0, {})", nodes.size()),
                        "write the mesh again");
      }
    }
    if (a == b || b == c || c == a) {
      throw_bad_value(key, value, "three different nodes", "remove triangles without area");
    }
  }
}

/// Makes lists of triangles by owner. @param owner  (triangle, k) -> owner
template <class Owner>
void list_around(std::size_t n_owner, std::size_t n_triangle, const Owner& owner,
                 std::vector<std::int32_t>* begin, std::vector<std::int32_t>* around) {
  begin->assign(n_owner + 1, 0);
  for (std::size_t t = 0; t < n_triangle; ++t) {
    for (std::size_t k = 0; k < 3; ++k) ++(*begin)[static_cast<std::size_t>(owner(t, k)) + 1];
  }
  std::partial_sum(begin->begin(), begin->end(), begin->begin());
  std::vector<std::int32_t> next(begin->begin(), begin->end() - 1);
  around->resize(3 * n_triangle);
  for (std::size_t t = 0; t < n_triangle; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      auto& place = next[static_cast<std::size_t>(owner(t, k))];
      (*around)[static_cast<std::size_t>(place++)] = static_cast<std::int32_t>(t);
    }
  }
}

bool closed(const SurfaceMesh& mesh) {
  std::vector<int> balance(mesh.edges.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const bool forward = mesh.triangles[t][k] < mesh.triangles[t][(k + 1) % 3];
      balance[static_cast<std::size_t>(mesh.triangle_edges[t][k])] += forward ? 1 : -1;
    }
  }
  return !mesh.triangles.empty() &&
         std::all_of(balance.begin(), balance.end(), [](int b) { return b == 0; });
}

std::span<const std::int32_t> range(const std::vector<std::int32_t>& begin,
                                    const std::vector<std::int32_t>& items, std::int32_t i) {
  const auto first = begin[static_cast<std::size_t>(i)];
  const auto last = begin[static_cast<std::size_t>(i) + 1];
  return {items.data() + first, static_cast<std::size_t>(last - first)};
}

}  // namespace

std::span<const std::int32_t> SurfaceMesh::triangles_of_vertex(std::int32_t v) const {
  return range(vertex_begin, around_vertex, v);
}

std::span<const std::int32_t> SurfaceMesh::triangles_of_edge(std::int32_t e) const {
  return range(edge_begin, around_edge, e);
}

double SurfaceMesh::mean_edge_length() const {
  double sum = 0;
  for (const Edge& e : edges) {
    sum += norm(rest[static_cast<std::size_t>(e[1])] - rest[static_cast<std::size_t>(e[0])]);
  }
  return edges.empty() ? 0 : sum / static_cast<double>(edges.size());
}

SurfaceMesh make_surface(const std::vector<Vec3d>& nodes,
                         const std::vector<std::array<std::int32_t, 3>>& triangles) {
  require_valid(nodes, triangles);
  SurfaceMesh mesh;
  for (const auto& t : triangles) mesh.nodes.insert(mesh.nodes.end(), t.begin(), t.end());
  std::sort(mesh.nodes.begin(), mesh.nodes.end());
  mesh.nodes.erase(std::unique(mesh.nodes.begin(), mesh.nodes.end()), mesh.nodes.end());
  for (const std::int32_t i : mesh.nodes) mesh.rest.push_back(nodes[static_cast<std::size_t>(i)]);

  const auto vertex_of = [&](std::int32_t node) {
    const auto at = std::lower_bound(mesh.nodes.begin(), mesh.nodes.end(), node);
    return static_cast<std::int32_t>(at - mesh.nodes.begin());
  };
  for (const auto& t : triangles) {
    mesh.triangles.push_back({vertex_of(t[0]), vertex_of(t[1]), vertex_of(t[2])});
  }

  const auto edge = [&](std::size_t t, std::size_t k) {
    const std::int32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
    return SurfaceMesh::Edge{std::min(a, b), std::max(a, b)};
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) mesh.edges.push_back(edge(t, k));
  }
  std::sort(mesh.edges.begin(), mesh.edges.end());
  mesh.edges.erase(std::unique(mesh.edges.begin(), mesh.edges.end()), mesh.edges.end());
  mesh.triangle_edges.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = std::lower_bound(mesh.edges.begin(), mesh.edges.end(), edge(t, k));
      mesh.triangle_edges[t][k] = static_cast<std::int32_t>(at - mesh.edges.begin());
    }
  }

  list_around(
      mesh.nodes.size(), mesh.triangles.size(),
      [&](std::size_t t, std::size_t k) { return mesh.triangles[t][k]; }, &mesh.vertex_begin,
      &mesh.around_vertex);
  list_around(
      mesh.edges.size(), mesh.triangles.size(),
      [&](std::size_t t, std::size_t k) { return mesh.triangle_edges[t][k]; }, &mesh.edge_begin,
      &mesh.around_edge);
  mesh.is_closed = closed(mesh);
  return mesh;
}

SoftSurface view_of(const SurfaceMesh& mesh) {
  SoftSurface s;
  s.n_vertex = mesh.n_vertex();
  s.n_triangle = mesh.n_triangle();
  s.is_closed = mesh.is_closed;
  s.corner = reinterpret_cast<const std::int32_t*>(mesh.triangles.data());
  s.triangle_edge = reinterpret_cast<const std::int32_t*>(mesh.triangle_edges.data());
  s.vertex_begin = mesh.vertex_begin.data();
  s.around_vertex = mesh.around_vertex.data();
  s.edge_begin = mesh.edge_begin.data();
  s.around_edge = mesh.around_edge.data();
  return s;
}

SurfaceMesh surface_of(const TetMesh& mesh) {
  return make_surface(mesh.nodes, boundary_faces(mesh));
}

}  // namespace nodia

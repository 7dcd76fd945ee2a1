#include "fem/mesh/subdivide.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nodia {
namespace {

using Edge = std::pair<std::int32_t, std::int32_t>;  // the lower node first

constexpr int kEdgeEnds[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
/// Edges of a tetrahedron whose middles are opposite in the octahedron, and the other four around
/// them.
struct Diagonal {
  int from, to;
  std::array<int, 4> ring;
};
constexpr Diagonal kDiagonals[3] = {
    {0, 5, {1, 2, 4, 3}}, {1, 4, {0, 2, 5, 3}}, {2, 3, {0, 1, 5, 4}}};

Edge edge_of(std::int32_t a, std::int32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

void sort_unique(std::vector<Edge>* edges) {
  std::sort(edges->begin(), edges->end());
  edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
}

std::vector<Edge> edges_of(const TetMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(6 * mesh.tets.size());
  for (const auto& t : mesh.tets)
    for (const auto& [a, b] : kEdgeEnds)
      edges.push_back(edge_of(t[static_cast<std::size_t>(a)], t[static_cast<std::size_t>(b)]));
  sort_unique(&edges);
  return edges;
}

/// Edges and nodes of the surface.
struct Boundary {
  std::vector<Edge> edges;  ///< ascending
  std::vector<char> is_node;

  explicit Boundary(const TetMesh& mesh) : is_node(mesh.nodes.size(), 0) {
    for (const auto& face : boundary_faces(mesh))
      for (std::size_t k = 0; k < 3; ++k) {
        is_node[static_cast<std::size_t>(face[k])] = 1;
        edges.push_back(edge_of(face[k], face[(k + 1) % 3]));
      }
    sort_unique(&edges);
  }
};

/// The set with the middles of its edges.
std::vector<std::int32_t> refined_set(const std::vector<std::int32_t>& set,
                                      const std::vector<Edge>& edges, const Boundary& boundary) {
  const auto n_node = static_cast<std::int32_t>(boundary.is_node.size());
  std::vector<char> is_member(boundary.is_node.size(), 0);
  bool on_surface = true;
  for (const std::int32_t node : set) {
    is_member[static_cast<std::size_t>(node)] = 1;
    on_surface = on_surface && boundary.is_node[static_cast<std::size_t>(node)];
  }
  std::vector<std::int32_t> finer = set;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    if (is_member[static_cast<std::size_t>(a)] && is_member[static_cast<std::size_t>(b)] &&
        (!on_surface || std::binary_search(boundary.edges.begin(), boundary.edges.end(), edges[e])))
      finer.push_back(n_node + static_cast<std::int32_t>(e));
  }
  return finer;
}

}  // namespace

TetMesh subdivided(const TetMesh& mesh) {
  const std::vector<Edge> edges = edges_of(mesh);
  const auto n_node = static_cast<std::int32_t>(mesh.nodes.size());
  TetMesh finer;
  finer.nodes = mesh.nodes;
  finer.nodes.reserve(mesh.nodes.size() + edges.size());
  const auto node = [&](std::int32_t i) { return finer.nodes[static_cast<std::size_t>(i)]; };
  for (const auto& [a, b] : edges) finer.nodes.push_back(0.5 * (node(a) + node(b)));

  finer.tets.reserve(8 * mesh.tets.size());
  const auto add = [&](std::array<std::int32_t, 4> t) {
    if (tet_volume(node(t[0]), node(t[1]), node(t[2]), node(t[3])) < 0) std::swap(t[2], t[3]);
    finer.tets.push_back(t);
  };
  for (const auto& t : mesh.tets) {
    std::array<std::int32_t, 6> middle{};
    std::array<std::array<std::int32_t, 4>, 4> corner{};
    for (std::size_t k = 0; k < 4; ++k) corner[k].fill(t[k]);
    for (std::size_t e = 0; e < 6; ++e) {
      const auto a = static_cast<std::size_t>(kEdgeEnds[e][0]),
                 b = static_cast<std::size_t>(kEdgeEnds[e][1]);
      const auto found = std::lower_bound(edges.begin(), edges.end(), edge_of(t[a], t[b]));
      middle[e] = n_node + static_cast<std::int32_t>(found - edges.begin());
      corner[a][b] = corner[b][a] = middle[e];
    }
    for (const auto& tet : corner) add(tet);
    const auto length = [&](const Diagonal& d) {
      return squared_norm(node(middle[static_cast<std::size_t>(d.to)]) -
                          node(middle[static_cast<std::size_t>(d.from)]));
    };
    const Diagonal& shortest = *std::min_element(
        std::begin(kDiagonals), std::end(kDiagonals),
        [&](const Diagonal& a, const Diagonal& b) { return length(a) < length(b); });
    for (std::size_t k = 0; k < 4; ++k)
      add({middle[static_cast<std::size_t>(shortest.from)],
           middle[static_cast<std::size_t>(shortest.to)],
           middle[static_cast<std::size_t>(shortest.ring[k])],
           middle[static_cast<std::size_t>(shortest.ring[(k + 1) % 4])]});
  }

  const Boundary boundary(mesh);
  for (const auto& [name, set] : mesh.node_sets)
    finer.node_sets[name] = refined_set(set, edges, boundary);
  return finer;
}

}  // namespace nodia

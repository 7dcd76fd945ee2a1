#include "fem/mesh/tet_mesh.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nodia {

std::vector<std::array<std::int32_t, 3>> boundary_faces(const TetMesh& mesh) {
  struct Face {
    std::int32_t middle, high;  ///< the face's nodes but the lowest
    std::uint32_t id;           ///< 4 tet + opposite local node
  };
  const auto face_nodes = [&](std::uint32_t id) {
    const auto& t = mesh.tets[id / 4];
    const auto& f = kTetFace[id % 4];
    return std::array<std::int32_t, 3>{t[f[0]], t[f[1]], t[f[2]]};
  };
  const auto n_face = static_cast<std::uint32_t>(4 * mesh.tets.size());

  // Faces in buckets by their lowest node.
  std::vector<std::uint32_t> begin(mesh.nodes.size() + 1, 0);
  for (std::uint32_t id = 0; id < n_face; ++id) {
    const auto f = face_nodes(id);
    ++begin[std::min({f[0], f[1], f[2]}) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Face> faces(n_face);
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t id = 0; id < n_face; ++id) {
    auto f = face_nodes(id);
    std::sort(f.begin(), f.end());
    faces[next[f[0]]++] = {f[1], f[2], id};
  }

  std::vector<std::uint32_t> outer;
  for (std::size_t node = 0; node + 1 < begin.size(); ++node) {
    const auto first = faces.begin() + begin[node], last = faces.begin() + begin[node + 1];
    const auto same = [](const Face& a, const Face& b) {
      return a.middle == b.middle && a.high == b.high;
    };
    std::sort(first, last, [](const Face& a, const Face& b) {
      return std::tie(a.middle, a.high, a.id) < std::tie(b.middle, b.high, b.id);
    });
    for (auto run = first; run != last;) {
      const auto run_end =
          std::find_if_not(run, last, [&](const Face& f) { return same(*run, f); });
      if (run_end - run == 1) outer.push_back(run->id);
      run = run_end;
    }
  }
  std::sort(outer.begin(), outer.end());
  std::vector<std::array<std::int32_t, 3>> result;
  result.reserve(outer.size());
  for (const std::uint32_t id : outer) result.push_back(face_nodes(id));
  return result;
}

void sort_along(TetMesh& mesh, Vec3d direction) {
  const std::size_t n = mesh.nodes.size();
  std::vector<double> key(n);
  for (std::size_t i = 0; i < n; ++i) key[i] = dot(mesh.nodes[i], direction);
  std::vector<std::int32_t> order(n), new_index(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return key[a] < key[b]; });
  std::vector<Vec3d> nodes(n);
  for (std::size_t i = 0; i < n; ++i) {
    nodes[i] = mesh.nodes[order[i]];
    new_index[order[i]] = static_cast<std::int32_t>(i);
  }
  mesh.nodes = std::move(nodes);
  for (auto& t : mesh.tets) {
    for (auto& i : t) i = new_index[i];
  }
  std::stable_sort(mesh.tets.begin(), mesh.tets.end(), [](const auto& a, const auto& b) {
    return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
  });
  for (auto& [name, set] : mesh.node_sets) {
    for (auto& i : set) i = new_index[i];
    std::sort(set.begin(), set.end());
  }
}

}  // namespace nodia

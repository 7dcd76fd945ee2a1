#include <algorithm>
#include <cmath>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/splitmix.hpp"

namespace nodia {
namespace {

/// In-plane spacing over layer thickness of the committed mat: 738 nodes on 0.3 m x 0.3 m give 12.3
/// mm, one layer of 6 mm.
constexpr double kShape = 2.05;
/// Height over side of a regular triangle.
const double kRowHeight = std::sqrt(0.75);
/// Jitter of inner points over the spacing: half of what could flatten a triangle at the border.
constexpr double kJitter = 0.18;

/// In [-1, 1).
double symmetric_unit(std::uint64_t bits) {
  return 2 * (static_cast<double>(bits >> 11) * 0x1p-53) - 1;
}

/// Spacing of a triangular lattice of n points on a rectangle: n = A/(sqrt(3/4) h^2) + P/(2 h) + 1.
double spacing(double length, double width, double n) {
  const double a = length * width / kRowHeight, b = length + width;
  return 2 * a / (std::sqrt(b * b + 4 * a * std::max(n - 1, 1.0)) - b);
}

int choose_layers(double length, double width, double thickness, int n_node) {
  const auto misshape = [&](int n_layer) {
    const double h = spacing(length, width, n_node / (n_layer + 1.0));
    return std::fabs(std::log(h * n_layer / thickness / kShape));
  };
  int n_layer = 1;
  while (4 * (n_layer + 2) <= n_node && misshape(n_layer + 1) < misshape(n_layer)) ++n_layer;
  return n_layer;
}

/// Lines of points across the long side. Even lines have `n_across` intervals; odd lines are
/// shifted by half an interval and have one point more.
struct Lattice {
  int n_along = 1;   ///< intervals between lines
  int n_across = 1;  ///< intervals on an even line

  int line_begin(int line) const { return line * (n_across + 1) + line / 2; }
  int line_size(int line) const { return n_across + 1 + line % 2; }
  int n_point() const { return line_begin(n_along + 1); }
};

Lattice choose_lattice(double length, double width, double n_point) {
  const double across = width / spacing(length, width, n_point);
  Lattice best;
  double best_cost = HUGE_VAL;
  const int from = std::max(1, static_cast<int>(0.85 * across)),
            to = static_cast<int>(1.15 * across) + 1;
  for (int n_across = from; n_across <= to; ++n_across) {
    const double along = n_point / (n_across + 1.5) - 1;
    for (int k = 0; k <= 1; ++k) {
      const Lattice lattice{std::max(1, static_cast<int>(along) + k), n_across};
      const double squeeze =
          std::log(length / lattice.n_along / (kRowHeight * width / lattice.n_across));
      const double cost =
          20 * std::fabs(std::log(lattice.n_point() / n_point)) + std::fabs(squeeze);
      if (cost < best_cost) {
        best_cost = cost;
        best = lattice;
      }
    }
  }
  return best;
}

/// Triangles of the strips between neighbouring lines, counter-clockwise in (along, across).
std::vector<std::array<int, 3>> strip_triangles(const Lattice& lattice) {
  std::vector<std::array<int, 3>> triangles;
  for (int line = 0; line < lattice.n_along; ++line) {
    const bool even_first = line % 2 == 0;
    const int even = lattice.line_begin(even_first ? line : line + 1);
    const int odd = lattice.line_begin(even_first ? line + 1 : line);
    const auto add = [&](int a, int b, int c) {
      triangles.push_back(even_first ? std::array<int, 3>{a, b, c} : std::array<int, 3>{a, c, b});
    };
    for (int j = 0; j <= lattice.n_across; ++j) {
      add(even + j, odd + j, odd + j + 1);
      if (j < lattice.n_across) add(even + j, odd + j + 1, even + j + 1);
    }
  }
  return triangles;
}

}  // namespace

TetMesh mesh_mat(Vec3d size_m, int n_node, int n_layer, std::uint64_t seed) {
  const char* const name[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    require(size_m[k] > 0 && std::isfinite(size_m[k]), std::string("size_m.") + name[k], size_m[k],
            "positive and finite", "metres");
  }
  require(n_layer >= 0, "n_layer", n_layer, "at least 0", "0 chooses it");
  require(n_node >= 10 && n_node <= kMostMeshedNodes, "n_node", n_node, "in [10, 2e7]", "");
  require(n_layer <= n_node / 5 - 1, "n_layer", n_layer, "at most n_node/5 - 1",
          "use fewer layers or more nodes");

  const int along = size_m.x >= size_m.y ? 0 : 1, across = 1 - along;
  const double length = size_m[along], width = size_m[across];
  if (n_layer == 0) n_layer = choose_layers(length, width, size_m.z, n_node);
  const int n_level = n_layer + 1;
  const Lattice lattice = choose_lattice(length, width, n_node / static_cast<double>(n_level));

  TetMesh mesh;
  mesh.nodes.reserve(static_cast<std::size_t>(lattice.n_point()) * n_level);
  const double gap_along = length / lattice.n_along, gap_across = width / lattice.n_across;
  const double jitter = kJitter * std::min(gap_along / kRowHeight, gap_across);
  const std::array<std::string, 3> axis{"x", "y", "z"};
  for (int line = 0; line <= lattice.n_along; ++line) {
    const int n = lattice.line_size(line);
    for (int j = 0; j < n; ++j) {
      const bool first_line = line == 0, last_line = line == lattice.n_along;
      const bool first = j == 0, last = j == n - 1;
      Vec3d p;
      p[along] = last_line ? length : line * gap_along;
      p[across] = first ? 0 : last ? width : (j - 0.5 * (line % 2)) * gap_across;
      if (!first_line && !last_line && !first && !last) {
        const std::uint64_t bits =
            splitmix64(splitmix64(seed) + static_cast<std::uint64_t>(lattice.line_begin(line) + j));
        const double radius = jitter * std::sqrt(0.5);
        p[along] += radius * symmetric_unit(bits);
        p[across] += radius * symmetric_unit(splitmix64(bits));
      }
      for (int level = 0; level < n_level; ++level) {
        const auto node = static_cast<std::int32_t>(mesh.nodes.size());
        p.z = level == n_layer ? size_m.z : size_m.z * level / n_layer;
        mesh.nodes.push_back(p);
        if (first_line) mesh.node_sets[axis[along] + "_min"].push_back(node);
        if (last_line) mesh.node_sets[axis[along] + "_max"].push_back(node);
        if (first) mesh.node_sets[axis[across] + "_min"].push_back(node);
        if (last) mesh.node_sets[axis[across] + "_max"].push_back(node);
        if (level == 0) mesh.node_sets["z_min"].push_back(node);
        if (level == n_layer) mesh.node_sets["z_max"].push_back(node);
      }
    }
  }

  // A prism is cut from its lowest ranked corner below to its highest above; random ranks favour no
  // direction, and as they belong to the points, neighbouring prisms cut their common face alike.
  // Odd layers are mirrored.
  std::vector<std::uint64_t> rank(lattice.n_point());
  for (int i = 0; i < lattice.n_point(); ++i) {
    rank[i] = splitmix64(splitmix64(~seed) + static_cast<std::uint64_t>(i));
  }
  const std::vector<std::array<int, 3>> triangles = strip_triangles(lattice);
  mesh.tets.reserve(3 * triangles.size() * n_layer);
  for (auto t : triangles) {
    std::sort(t.begin(), t.end(),
              [&](int a, int b) { return rank[a] != rank[b] ? rank[a] < rank[b] : a < b; });
    for (int layer = 0; layer < n_layer; ++layer) {
      std::int32_t lower[3], upper[3];
      for (int k = 0; k < 3; ++k) {
        const int point = t[layer % 2 == 0 ? k : 2 - k];
        lower[k] = point * n_level + layer;
        upper[k] = lower[k] + 1;
      }
      for (std::array<std::int32_t, 4> tet : {std::array{lower[0], lower[1], lower[2], upper[2]},
                                              std::array{lower[0], lower[1], upper[1], upper[2]},
                                              std::array{lower[0], upper[0], upper[1], upper[2]}}) {
        if (tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]],
                       mesh.nodes[tet[3]]) < 0) {
          std::swap(tet[2], tet[3]);
        }
        mesh.tets.push_back(tet);
      }
    }
  }
  return mesh;
}

}  // namespace nodia

/// Ball from a central polyhedron: every surface triangle and the centre span a tetrahedron, which
/// is refined n times (edgewise, Freudenthal), and the polyhedron's shells are pushed out radially
/// to spheres. The map keeps rays and is smooth inside each central tetrahedron, so the worst
/// element does not get worse with n.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

struct Polyhedron {
  std::vector<Vec3d> corners;             ///< unit vectors
  std::vector<std::array<int, 3>> faces;  ///< counter-clockwise from outside
};

Vec3d on_sphere(double z, double azimuth) {
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(azimuth), r * std::sin(azimuth), z};
}

/// Two poles and `n_ring` rings of `k` corners between them (1: bipyramid, 2: gyroelongated
/// bipyramid; k = 5 with two rings is the icosahedron).
Polyhedron make_polyhedron(int n_ring, int k) {
  Polyhedron p;
  const int south = n_ring * k, north = south + 1;
  const double z = n_ring == 1 ? 0 : 1 / std::sqrt(5.0);
  for (int i = 0; i < k; ++i) p.corners.push_back(on_sphere(-z, 2 * M_PI * i / k));
  for (int i = 0; n_ring == 2 && i < k; ++i) {
    p.corners.push_back(on_sphere(z, 2 * M_PI * (i + 0.5) / k));
  }
  p.corners.push_back({0, 0, -1});
  p.corners.push_back({0, 0, 1});
  const int top = south - k;  // first corner of the upper ring
  for (int i = 0; i < k; ++i) {
    const int j = (i + 1) % k;
    p.faces.push_back({south, j, i});
    p.faces.push_back({north, top + i, top + j});
    if (n_ring == 2) {
      p.faces.push_back({i, j, top + i});
      p.faces.push_back({top + i, j, top + j});
    }
  }
  return p;
}

/// Shell s of a polyhedron with V corners has (V - 2) s^2 + 2 nodes.
double node_count(int n_corner, double n) {
  return (n_corner - 2) * n * (n + 1) * (2 * n + 1) / 6 + 2 * n + 1;
}

struct Choice {
  int n_ring = 2, k = 5, n = 1;
};

/// The icosahedron where it comes near the request, else the nearest of the others.
Choice choose(int n_node) {
  constexpr double kPreferIcosahedron = 0.08;
  Choice best;
  double best_cost = HUGE_VAL;
  for (int n_ring = 1; n_ring <= 2; ++n_ring) {
    for (int k = 4; k <= 6; ++k) {
      const int n_corner = n_ring * k + 2;
      const int n_near = static_cast<int>(std::cbrt(3.0 * n_node / (n_corner - 2)));
      for (int n = std::max(1, n_near - 2); n <= n_near + 1; ++n) {
        const double cost = std::fabs(std::log(node_count(n_corner, n) / n_node)) +
                            (n_ring == 2 && k == 5 ? 0 : kPreferIcosahedron);
        if (cost < best_cost) {
          best_cost = cost;
          best = {n_ring, k, n};
        }
      }
    }
  }
  return best;
}

/// Freudenthal's tetrahedra inside n >= x >= y >= z >= 0: unit steps along the axes, in every
/// order.
constexpr std::array<std::array<int, 3>, 6> kStepOrder{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

}  // namespace

TetMesh mesh_ball(double radius_m, int n_node) {
  require(radius_m > 0 && std::isfinite(radius_m), "radius_m", radius_m, "positive and finite",
          "metres");
  require(n_node >= 7 && n_node <= kMostMeshedNodes, "n_node", n_node, "in [7, 2e7]", "");
  const Choice choice = choose(n_node);
  const int n = choice.n;
  const Polyhedron base = make_polyhedron(choice.n_ring, choice.k);

  TetMesh mesh;
  std::vector<std::int32_t> surface;
  // A node is known by its weights on the corners; those that are zero are left out, so faces share
  // their nodes.
  std::unordered_map<std::uint64_t, std::int32_t> known;
  known.reserve(static_cast<std::size_t>(node_count(static_cast<int>(base.corners.size()), n)));
  const auto node_of = [&](const std::array<int, 3>& face, const std::array<int, 3>& weight) {
    struct Part {
      int corner = -1, weight = 0;
    };
    std::array<Part, 3> parts;
    for (int i = 0; i < 3; ++i) {
      if (weight[i] > 0) parts[i] = {face[i], weight[i]};
    }
    std::sort(parts.begin(), parts.end(), [](Part a, Part b) { return a.corner < b.corner; });
    std::uint64_t key = 0;
    for (const Part& part : parts) {
      key = key << 21 | static_cast<std::uint64_t>(part.corner + 1) << 16 |
            static_cast<std::uint64_t>(part.weight);
    }
    const auto [it, fresh] = known.try_emplace(key, static_cast<std::int32_t>(mesh.nodes.size()));
    if (!fresh) return it->second;
    const int shell = weight[0] + weight[1] + weight[2];
    Vec3d p{};
    for (const Part& part : parts) {
      if (part.corner >= 0) p += static_cast<double>(part.weight) * base.corners[part.corner];
    }
    if (shell > 0) p = radius_m * shell / n / norm(p) * p;
    if (shell == n) surface.push_back(it->second);
    mesh.nodes.push_back(p);
    return it->second;
  };

  for (const auto& face : base.faces) {
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y <= x; ++y) {
        for (int z = 0; z <= y; ++z) {
          for (const auto& order : kStepOrder) {
            // Distances from the centre, x on the shell: weights of the face's corners are x - y, y
            // - z, z.
            std::array<int, 3> at{x, y, z};
            std::array<std::int32_t, 4> tet;
            bool inside = true;
            for (int step = 0; step <= 3 && inside; ++step) {
              inside = at[0] >= at[1] && at[1] >= at[2];
              if (inside) tet[step] = node_of(face, {at[0] - at[1], at[1] - at[2], at[2]});
              if (step < 3) ++at[order[step]];
            }
            if (!inside) continue;
            if (tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]],
                           mesh.nodes[tet[3]]) < 0) {
              std::swap(tet[2], tet[3]);
            }
            mesh.tets.push_back(tet);
          }
        }
      }
    }
  }
  mesh.node_sets["surface"] = std::move(surface);
  sort_along(mesh, {1, 0, 0});
  return mesh;
}

}  // namespace nodia

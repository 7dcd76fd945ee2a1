#include "fem/mesh/mesh_quality.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "kernels/core/value_error.hpp"

namespace nodia {
namespace {

constexpr double kFlat = 1e-9;        ///< of (longest edge)^3
constexpr double kCoincident = 1e-9;  ///< of the diameter

constexpr std::array<std::array<int, 2>, 6> kTetEdge{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Adds "COUNT WHAT (first few): ADVICE" as one line, if there are any.
void add_line(std::string& text, const std::vector<std::int32_t>& which, const std::string& what,
              const std::string& advice) {
  if (which.empty()) return;
  constexpr std::size_t kShown = 5;
  text += std::to_string(which.size()) + " " + what + " (";
  for (std::size_t i = 0; i < std::min(kShown, which.size()); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(which[i]);
  }
  text += (which.size() > kShown ? ", ...): " : "): ") + advice + "\n";
}

/// Nodes at the position of an earlier node. A hash grid whose cells are four tolerances wide holds
/// the first node of each position; so a cell holds few nodes, however the mesh is spread.
std::vector<std::int32_t> find_coincident(const std::vector<Vec3d>& nodes) {
  double scale = 0;
  for (const Vec3d& p : nodes) {
    if (is_finite(p)) scale = std::max({scale, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
  }
  if (scale == 0) scale = 1;
  const auto scaled = [&](const Vec3d& p) { return Vec3d{p.x / scale, p.y / scale, p.z / scale}; };
  Vec3d low{1, 1, 1}, high{-1, -1, -1};
  for (const Vec3d& p : nodes) {
    if (!is_finite(p)) continue;
    const Vec3d u = scaled(p);
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], u[k]);
      high[k] = std::max(high[k], u[k]);
    }
  }
  const double tolerance = std::max(kCoincident * norm(high - low), 1e-15);
  const double cell = 4 * tolerance;

  std::unordered_map<std::uint64_t, std::int32_t> first_in_cell;
  first_in_cell.reserve(nodes.size());
  std::vector<std::int32_t> next_in_cell(nodes.size(), -1), coincident;
  const auto key = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    std::uint64_t h = 0;
    for (const std::int64_t v : {i, j, k}) {
      h = (h ^ static_cast<std::uint64_t>(v)) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return h;
  };
  const auto index = [&](double offset) {
    return static_cast<std::int64_t>(std::floor(offset / cell));
  };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!is_finite(nodes[n])) continue;
    const Vec3d u = scaled(nodes[n]) - low;
    const auto seen_in = [&](std::uint64_t cell_key) {
      const auto it = first_in_cell.find(cell_key);
      if (it == first_in_cell.end()) return false;
      for (std::int32_t m = it->second; m >= 0; m = next_in_cell[m]) {
        if (norm(scaled(nodes[m]) - low - u) <= tolerance) return true;
      }
      return false;
    };
    std::int64_t from[3], to[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = index(u[k] - tolerance);
      to[k] = index(u[k] + tolerance);
    }
    bool seen = false;
    for (std::int64_t i = from[0]; i <= to[0] && !seen; ++i) {
      for (std::int64_t j = from[1]; j <= to[1] && !seen; ++j) {
        for (std::int64_t k = from[2]; k <= to[2] && !seen; ++k) seen = seen_in(key(i, j, k));
      }
    }
    if (seen) {
      coincident.push_back(static_cast<std::int32_t>(n));
      continue;
    }
    const auto [it, fresh] = first_in_cell.try_emplace(key(index(u.x), index(u.y), index(u.z)),
                                                       static_cast<std::int32_t>(n));
    if (!fresh) {
      next_in_cell[n] = it->second;
      it->second = static_cast<std::int32_t>(n);
    }
  }
  return coincident;
}

std::vector<std::int32_t> find_duplicate_tets(
    const std::vector<std::array<std::int32_t, 4>>& tets) {
  std::vector<std::array<std::int32_t, 5>> keys(tets.size());  // sorted nodes, then the element
  for (std::size_t e = 0; e < tets.size(); ++e) {
    std::copy(tets[e].begin(), tets[e].end(), keys[e].begin());
    std::sort(keys[e].begin(), keys[e].begin() + 4);
    keys[e][4] = static_cast<std::int32_t>(e);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> duplicates;
  for (std::size_t k = 1; k < keys.size(); ++k) {
    if (std::equal(keys[k].begin(), keys[k].begin() + 4, keys[k - 1].begin())) {
      duplicates.push_back(keys[k][4]);
    }
  }
  std::sort(duplicates.begin(), duplicates.end());
  return duplicates;
}

}  // namespace

double tet_shape(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  const double volume = tet_volume(a, b, c, d);
  const double squared_edges = squared_norm(b - a) + squared_norm(c - a) + squared_norm(d - a) +
                               squared_norm(c - b) + squared_norm(d - b) + squared_norm(d - c);
  if (!(volume > 0)) return 0;
  const double root = std::cbrt(3 * volume);
  return 12 * root * root / squared_edges;
}

MeshQuality check_mesh(const TetMesh& mesh) {
  MeshQuality q;
  q.n_tet = mesh.tets.size();
  const auto n_node = static_cast<std::int32_t>(mesh.nodes.size());
  std::vector<bool> used(mesh.nodes.size(), false);
  for (std::int32_t i = 0; i < n_node; ++i) {
    if (!is_finite(mesh.nodes[i])) q.non_finite_nodes.push_back(i);
  }
  double squared_min_edge = HUGE_VAL, squared_max_edge = 0, min_shape = HUGE_VAL;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    bool good = true;
    for (int k = 0; k < 4; ++k) {
      if (t[k] < 0 || t[k] >= n_node) {
        good = false;
        continue;
      }
      used[t[k]] = true;
      for (int m = 0; m < k; ++m) good = good && t[m] != t[k];
    }
    if (!good) {
      q.bad_index_tets.push_back(static_cast<std::int32_t>(e));
      continue;
    }
    const Vec3d p[4] = {mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]};
    if (!is_finite(p[0]) || !is_finite(p[1]) || !is_finite(p[2]) || !is_finite(p[3])) continue;
    double squared_longest = 0;
    for (const auto& [i, j] : kTetEdge) {
      const double squared_length = squared_norm(p[j] - p[i]);
      squared_longest = std::max(squared_longest, squared_length);
      squared_min_edge = std::min(squared_min_edge, squared_length);
    }
    squared_max_edge = std::max(squared_max_edge, squared_longest);
    const double volume = tet_volume(p[0], p[1], p[2], p[3]);
    q.volume_m3 += volume;
    min_shape = std::min(min_shape, tet_shape(p[0], p[1], p[2], p[3]));
    // Written so that an overflow to infinity or NaN counts as flat.
    if (!(std::fabs(volume) > kFlat * squared_longest * std::sqrt(squared_longest))) {
      q.flat_tets.push_back(static_cast<std::int32_t>(e));
    } else if (volume < 0) {
      q.inverted_tets.push_back(static_cast<std::int32_t>(e));
    }
  }
  if (min_shape < HUGE_VAL) {
    q.min_shape = min_shape;
    q.min_edge_m = std::sqrt(squared_min_edge);
    q.max_edge_m = std::sqrt(squared_max_edge);
  }
  for (std::int32_t i = 0; i < n_node; ++i) {
    if (!used[i]) q.dangling_nodes.push_back(i);
  }
  q.duplicate_tets = find_duplicate_tets(mesh.tets);
  q.duplicate_nodes = find_coincident(mesh.nodes);
  return q;
}

bool MeshQuality::usable() const {
  return n_tet > 0 && inverted_tets.empty() && flat_tets.empty() && duplicate_tets.empty() &&
         duplicate_nodes.empty() && dangling_nodes.empty() && bad_index_tets.empty() &&
         non_finite_nodes.empty();
}

std::string MeshQuality::report() const {
  if (n_tet == 0) {
    return "no tetrahedra: mesh the volume (Gmsh: Mesh 3D) and save 4-node tetrahedra, first "
           "order\n";
  }
  std::string text;
  add_line(text, bad_index_tets, "tetrahedra with missing or repeated nodes",
           "remove them or correct their node numbers");
  add_line(text, non_finite_nodes, "nodes at NaN or infinity", "correct their coordinates");
  add_line(text, inverted_tets, "inverted tetrahedra",
           "swap two of their nodes, or mesh again if they overlap others");
  add_line(text, flat_tets, "flat tetrahedra",
           "remove or collapse them, or mesh again with optimisation on");
  add_line(text, duplicate_tets, "duplicate tetrahedra", "keep one of each");
  add_line(text, duplicate_nodes, "nodes at the place of an earlier node",
           "merge them (Gmsh: Coherence Mesh), or load touching bodies from files of their own");
  add_line(text, dangling_nodes, "nodes in no tetrahedron",
           "remove them (Gmsh: save the physical volume only)");
  return text;
}

void require_usable(const TetMesh& mesh, const std::string& where) {
  const MeshQuality quality = check_mesh(mesh);
  if (quality.usable()) return;
  std::string line = quality.report();
  line.pop_back();
  for (std::size_t at; (at = line.find('\n')) != std::string::npos;) line.replace(at, 1, "; ");
  throw ValueError(where, where + ": mesh cannot be used: " + line);
}

}  // namespace nodia

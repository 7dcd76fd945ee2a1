#include "fem/mesh/repair_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "fem/mesh/convex_hull.hpp"
#include "fem/mesh/surface_edges.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kLargestCaps = 0.1;  ///< area of the triangles that close holes, of the surface's

bool is_closed(const TriangleMesh& mesh) {
  try {
    require_closed(mesh, "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

double area_of(const TriangleMesh& mesh, std::size_t first, std::size_t end) {
  double area = 0;
  for (std::size_t t = first; t < end; ++t) {
    const auto corner = [&](std::size_t k) {
      return mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][k])];
    };
    area += 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
  }
  return area;
}

void turn(std::array<std::int32_t, 3>* triangle) {
  std::swap((*triangle)[1], (*triangle)[2]);
}

/// @return the number of triangles that were dropped
std::size_t drop_duplicates(TriangleMesh* mesh) {
  std::set<std::array<std::int32_t, 3>> seen;
  return std::erase_if(mesh->triangles, [&](std::array<std::int32_t, 3> corners) {
    std::sort(corners.begin(), corners.end());
    return !seen.insert(corners).second;
  });
}

/// Turns the triangles of each part, a set of triangles connected by edges that two of them use, so
/// that they agree and the part's volume is positive.
class Orienter {
 public:
  explicit Orienter(TriangleMesh* mesh) : mesh_(mesh), neighbours_(mesh->triangles.size()) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(*mesh);
    for (std::size_t begin = 0; begin < uses.size();) {
      std::size_t end = begin;
      while (end < uses.size() && uses[end].edge() == uses[begin].edge()) ++end;
      if (end == begin + 2) {
        const EdgeUse &a = uses[begin], &b = uses[begin + 1];
        const bool agree = a.forward != b.forward;
        neighbours_[static_cast<std::size_t>(a.triangle)].push_back({b.triangle, agree});
        neighbours_[static_cast<std::size_t>(b.triangle)].push_back({a.triangle, agree});
      }
      begin = end;
    }
  }

  void orient() {
    std::vector<char> is_seen(mesh_->triangles.size());
    for (std::size_t t = 0; t < is_seen.size(); ++t) {
      if (is_seen[t]) continue;
      const std::vector<std::int32_t> part = orient_part(static_cast<std::int32_t>(t), &is_seen);
      if (volume_of(part) >= 0) continue;
      for (const std::int32_t k : part) turn(&mesh_->triangles[static_cast<std::size_t>(k)]);
    }
  }

 private:
  struct Neighbour {
    std::int32_t triangle;
    bool agrees;
  };

  /// Turns the part of a triangle to agree with it.
  std::vector<std::int32_t> orient_part(std::int32_t seed, std::vector<char>* is_seen) {
    std::vector<std::int32_t> part{seed};
    std::map<std::int32_t, bool> is_turned{{seed, false}};
    (*is_seen)[static_cast<std::size_t>(seed)] = 1;
    for (std::size_t k = 0; k < part.size(); ++k) {
      for (const Neighbour& next : neighbours_[static_cast<std::size_t>(part[k])]) {
        if ((*is_seen)[static_cast<std::size_t>(next.triangle)]) continue;
        (*is_seen)[static_cast<std::size_t>(next.triangle)] = 1;
        is_turned[next.triangle] = is_turned[part[k]] != !next.agrees;
        part.push_back(next.triangle);
      }
    }
    for (const auto& [triangle, turned] : is_turned)
      if (turned) turn(&mesh_->triangles[static_cast<std::size_t>(triangle)]);
    return part;
  }

  double volume_of(const std::vector<std::int32_t>& part) const {
    const auto corner = [&](std::int32_t triangle, std::size_t k) {
      const auto& corners = mesh_->triangles[static_cast<std::size_t>(triangle)];
      return mesh_->vertices[static_cast<std::size_t>(corners[k])];
    };
    const Vec3d origin = corner(part.front(), 0);
    double volume = 0;
    for (const std::int32_t t : part)
      volume += dot(corner(t, 0) - origin, cross(corner(t, 1) - origin, corner(t, 2) - origin));
    return volume;
  }

  TriangleMesh* mesh_;
  std::vector<std::vector<Neighbour>> neighbours_;
};

/// Directed edges that the triangles use more often in one direction than in the other, by their
/// first vertex. As many begin as end at each vertex, because the boundary of a boundary is zero.
std::map<std::int32_t, std::vector<std::int32_t>> boundary_of(const TriangleMesh& mesh) {
  std::map<std::int32_t, std::vector<std::int32_t>> boundary;
  const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
  for (std::size_t begin = 0; begin < uses.size();) {
    std::size_t end = begin;
    int n_forward = 0;
    for (; end < uses.size() && uses[end].edge() == uses[begin].edge(); ++end)
      n_forward += uses[end].forward ? 1 : -1;
    const auto [low, high] = uses[begin].edge();
    for (int k = 0; k < std::abs(n_forward); ++k)
      boundary[n_forward > 0 ? low : high].push_back(n_forward > 0 ? high : low);
    begin = end;
  }
  return boundary;
}

/// Closes every hole by triangles around the centre of its vertices.
void close_holes(TriangleMesh* mesh) {
  auto boundary = boundary_of(*mesh);
  while (!boundary.empty()) {
    std::vector<std::int32_t> loop{boundary.begin()->first};
    Vec3d sum{};
    do {
      const auto at = boundary.find(loop.back());
      sum += mesh->vertices[static_cast<std::size_t>(loop.back())];
      loop.push_back(at->second.back());
      at->second.pop_back();
      if (at->second.empty()) boundary.erase(at);
    } while (loop.back() != loop.front());
    const auto centre = static_cast<std::int32_t>(mesh->vertices.size());
    mesh->vertices.push_back((1.0 / static_cast<double>(loop.size() - 1)) * sum);
    for (std::size_t k = 0; k + 1 < loop.size(); ++k)
      mesh->triangles.push_back({loop[k + 1], loop[k], centre});
  }
}

}  // namespace

std::string repair_surface(TriangleMesh* mesh, const std::string& where) {
  if (is_closed(*mesh)) return "";
  if (const std::size_t n = drop_duplicates(mesh); n > 0 && is_closed(*mesh))
    return fmt::format("had {} triangles twice: one of each is used", n);

  const SurfaceDefects defects = surface_defects(*mesh);
  Orienter(mesh).orient();
  if (is_closed(*mesh))
    return defects.twisted.count > 0
               ? fmt::format(
                     "had {} edges between triangles that face opposite sides: its "
                     "triangles were turned outward",
                     defects.twisted.count)
               : "faced inward: its triangles were turned outward";

  const std::string fault = defects.open.count > 0
                                ? fmt::format("is open ({} edges)", defects.open.count)
                                : "is not the surface of a solid";
  const std::size_t n_triangle = mesh->triangles.size();
  TriangleMesh capped = *mesh;
  close_holes(&capped);
  const double surface = area_of(capped, 0, n_triangle);
  if (area_of(capped, n_triangle, capped.triangles.size()) <= kLargestCaps * surface &&
      is_closed(capped)) {
    *mesh = std::move(capped);
    return fault + ": its holes were closed";
  }
  *mesh = convex_hull(used_vertices(*mesh), where);
  return fault + ": its convex hull is used";
}

}  // namespace nodia

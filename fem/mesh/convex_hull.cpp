#include "fem/mesh/convex_hull.hpp"

#include <fmt/format.h>
#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fem/mesh/solid_integrals.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kLeastVolume = 1e-9;  ///< of the cube of the longest extent

/// A run of Qhull with its memory.
class Qhull {
 public:
  explicit Qhull(const std::vector<Vec3d>& points) {
    for (const Vec3d p : points) coordinates_.insert(coordinates_.end(), {p.x, p.y, p.z});
    messages_ = open_memstream(&text_, &length_);
    qh_zero(&state_, messages_);
    char command[] = "qhull QJ Pp";
    is_good_ = qh_new_qhull(&state_, 3, static_cast<int>(points.size()), coordinates_.data(), False,
                            command, nullptr, messages_) == 0;
  }
  ~Qhull() {
    qh_freeqhull(&state_, qh_ALL);
    std::fclose(messages_);
    std::free(text_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  bool is_good() const { return is_good_; }

  /// Corners as indices of points, normals outward.
  std::vector<std::array<std::int32_t, 3>> triangles() {
    std::vector<std::array<std::int32_t, 3>> all;
    for (const facetT* facet = state_.facet_list; facet && facet->next; facet = facet->next) {
      std::array<std::int32_t, 3> corners{};
      for (int k = 0; k < 3; ++k)
        corners[static_cast<std::size_t>(k)] =
            qh_pointid(&state_, static_cast<const vertexT*>(facet->vertices->e[k].p)->point);
      if (facet->toporient != 0) std::swap(corners[1], corners[2]);
      all.push_back(corners);
    }
    return all;
  }

 private:
  std::vector<double> coordinates_;
  qhT state_{};
  FILE* messages_ = nullptr;
  char* text_ = nullptr;
  std::size_t length_ = 0;
  bool is_good_ = false;
};

double longest_extent(const std::vector<Vec3d>& points) {
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [lo, hi] = std::minmax_element(
        points.begin(), points.end(), [axis](Vec3d a, Vec3d b) { return a[axis] < b[axis]; });
    if (lo != points.end()) longest = std::max(longest, (*hi)[axis] - (*lo)[axis]);
  }
  return longest;
}

/// Drops the vertices that no triangle uses.
TriangleMesh without_unused_vertices(const TriangleMesh& mesh) {
  TriangleMesh used;
  std::vector<std::int32_t> index(mesh.vertices.size(), -1);
  for (auto triangle : mesh.triangles) {
    for (std::int32_t& corner : triangle) {
      std::int32_t& renamed = index[static_cast<std::size_t>(corner)];
      if (renamed < 0) {
        renamed = static_cast<std::int32_t>(used.vertices.size());
        used.vertices.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
      }
      corner = renamed;
    }
    used.triangles.push_back(triangle);
  }
  return used;
}

}  // namespace

TriangleMesh convex_hull(const std::vector<Vec3d>& points, const std::string& where) {
  const double size = longest_extent(points);
  const auto fail = [&] {
    throw InputError(fmt::format("{}: the mesh has no volume: all {} vertices lie in one plane",
                                 where, points.size()));
  };
  if (points.size() < 4 || !(size > 0)) fail();
  Qhull qhull(points);
  if (!qhull.is_good()) fail();
  TriangleMesh hull = without_unused_vertices({points, qhull.triangles()});
  require_closed(hull, where);
  if (!(solid_integrals(hull, where).volume_m3 > kLeastVolume * size * size * size)) fail();
  return hull;
}

}  // namespace nodia

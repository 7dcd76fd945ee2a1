#include "host/collision/mesh_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/collision/index.hpp"
#include "kernels/collision/edge_pair.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Angle between two directions, also accurate for small angles [rad].
double angle_between(Vec3d a, Vec3d b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

Vec3d unit_or_zero(Vec3d v) {
  const double length = norm(v);
  return length > kNoDirection ? (1 / length) * v : Vec3d{};
}

/// True if the normals of all these triangles, which have an area, are nearly equal. Meshes from
/// files have coordinates in the precision of float.
bool are_coplanar(const std::vector<MeshTriangle>& triangles,
                  std::span<const std::int32_t> around) {
  constexpr double kFlat = 1 - 5e-9;  // cosine of 1e-4 rad
  Vec3d first{};
  for (const std::int32_t t : around) {
    const Vec3d normal = triangles[at(t)].normal;
    if (squared_norm(normal) == 0) return false;
    if (squared_norm(first) == 0) first = normal;
    if (dot(first, normal) < kFlat) return false;
  }
  return true;
}

/// Lower bound of a distance as a float.
float rounded_down(double distance) {
  return static_cast<float>((1 - 1e-6) * distance);
}

/// Lists of near triangles of the cells of one line along x.
struct LineLists {
  std::vector<std::int32_t> count;
  std::vector<NearTriangle> near;
};

/// Makes the lists of near triangles of the cells of a grid.
class NearTriangleLister {
 public:
  NearTriangleLister(const MeshSurface& surface, const TriangleTree& tree,
                     const DistanceGridView& grid)
      : surface_(surface), tree_(tree), grid_(grid), row_(grid.n[0]), slice_(row_ * grid.n[1]) {
    nearest_.assign(static_cast<std::size_t>(grid.n_sample()), kFar);
  }

  /// First pass over the cells of a line along x: finds the triangles nearest to their centres.
  void find_nearest(int line, const std::vector<std::uint8_t>& is_ambiguous,
                    const std::vector<std::uint8_t>& centre_is_inside) {
    constexpr double kReach = 2.8;  // cells: half a diagonal to the centre, and kBand
    std::int32_t guess = 0;
    for_each_cell(line, [&](int, std::int64_t cell) {
      const auto index = static_cast<std::size_t>(cell);
      if (!(std::fabs(grid_.value[cell]) < kReach * grid_.spacing)) return;
      const Vec3d centre = corner(cell) + 0.5 * grid_.spacing * Vec3d{1, 1, 1};
      const TriangleTree::Nearest nearest = tree_.nearest(centre, guess);
      guess = nearest.place;
      if (std::sqrt(nearest.squared_distance) > half_diagonal() + kBand * grid_.spacing) return;
      nearest_[index] = nearest.place;
      bool contradicts =
          surface_.contradicts(centre, tree_.triangle(nearest.place), centre_is_inside[index] != 0);
      for (int c = 0; c < 8; ++c)
        contradicts |=
            is_ambiguous[static_cast<std::size_t>(cell + offset(c & 1, c >> 1 & 1, c >> 2))] != 0;
      if (contradicts) nearest_[index] = kAmbiguous;
    });
  }

  /// Second pass.
  void list(int line, LineLists* lists) const {
    lists->count.assign(at(grid_.n[0]), 0);
    for_each_cell(line, [&](int i, std::int64_t cell) {
      const std::int32_t nearest = nearest_[static_cast<std::size_t>(cell)];
      if (nearest < 0 || is_beside_ambiguous(cell)) return;
      const std::size_t before = lists->near.size();
      list_cell(corner(cell), nearest, &lists->near);
      lists->count[at(i)] = static_cast<std::int32_t>(lists->near.size() - before);
    });
  }

 private:
  static constexpr std::int32_t kFar = -1, kAmbiguous = -2;
  static constexpr double kBand = 1;  ///< cells between the surface and the farthest listed ones

  double half_diagonal() const { return 0.5 * std::sqrt(3.0) * grid_.spacing; }
  std::int64_t offset(int i, int j, int k) const { return k * slice_ + j * row_ + i; }
  Vec3d corner(std::int64_t cell) const {
    const auto i = cell % row_, j = cell % slice_ / row_, k = cell / slice_;
    return grid_.origin + grid_.spacing * Vec3d{double(i), double(j), double(k)};
  }
  template <class Visit>
  void for_each_cell(int line, const Visit& visit) const {
    const int j = line % grid_.n[1], k = line / grid_.n[1];
    if (j == grid_.n[1] - 1 || k == grid_.n[2] - 1) return;
    for (int i = 0; i + 1 < grid_.n[0]; ++i) visit(i, line * row_ + i);
  }
  /// Cells near the surface are not at the border of the grid.
  bool is_beside_ambiguous(std::int64_t cell) const {
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
          const std::int64_t other = cell + offset(i, j, k);
          if (other >= 0 && other < grid_.n_sample() &&
              nearest_[static_cast<std::size_t>(other)] == kAmbiguous)
            return true;
        }
    return false;
  }

  /// Appends the triangles that may be the nearest of a point in the cell.
  /// @param nearest  position of the triangle nearest to its centre
  void list_cell(Vec3d corner, std::int32_t nearest, std::vector<NearTriangle>* out) const {
    const SurfaceMesh& mesh = surface_.mesh();
    const double h = grid_.spacing;
    // The distance to a triangle is convex, so it is largest at a corner of the cell.
    double most = 0;
    for (int c = 0; c < 8; ++c) {
      const Vec3d p = corner + h * Vec3d{c & 1 ? 1.0 : 0.0, c & 2 ? 1.0 : 0.0, c & 4 ? 1.0 : 0.0};
      most = std::max(most, tree_.squared_distance(p, nearest));
    }
    most = (1 + 1e-9) * std::sqrt(most);
    const Bounds reach = Bounds{corner, corner + h * Vec3d{1, 1, 1}}.grown(most);
    const std::size_t first = out->size();
    const Vec3d centre = corner + 0.5 * h * Vec3d{1, 1, 1};
    tree_.for_each_within(centre, most + half_diagonal(), [&](std::int32_t t, double distance) {
      const auto& [a, b, c] = mesh.triangles[at(t)];
      if (reach.overlaps(bounds_of_points(mesh.rest[at(a)], mesh.rest[at(b)], mesh.rest[at(c)])))
        out->push_back({t, rounded_down(distance)});
    });
    std::sort(out->begin() + static_cast<std::ptrdiff_t>(first), out->end(),
              [](const NearTriangle& a, const NearTriangle& b) {
                return std::pair(a.from_centre, a.triangle) < std::pair(b.from_centre, b.triangle);
              });
  }

  const MeshSurface& surface_;
  const TriangleTree& tree_;
  const DistanceGridView& grid_;
  std::int64_t row_, slice_;
  std::vector<std::int32_t> nearest_;  ///< per cell: position in the tree, kFar or kAmbiguous
};

}  // namespace

MeshSurface::MeshSurface(const TriangleMesh& mesh)
    : mesh_(make_surface(mesh.vertices, mesh.triangles)) {
  const auto position = [&](std::int32_t v) { return mesh_.rest[at(v)]; };
  for (const Vec3d p : mesh_.rest) box_.add(p);
  resolution_m_ = 1e-9 * norm(box_.hi - box_.lo);
  vertex_normal_.resize(mesh_.rest.size());
  edge_normal_.resize(mesh_.edges.size());
  std::vector<double> weight(mesh_.rest.size());
  for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
    const auto& v = mesh_.triangles[t];
    MeshTriangle& own = triangles_.emplace_back();
    own.normal =
        unit_or_zero(cross(position(v[1]) - position(v[0]), position(v[2]) - position(v[0])));
    for (std::size_t k = 0; k < 3; ++k) {
      own.vertex[k] = v[k];
      own.edge[k] = mesh_.triangle_edges[t][k];
      edge_normal_[at(own.edge[k])] += own.normal;
      if (squared_norm(own.normal) == 0) continue;
      const Vec3d corner = position(v[k]);
      const double angle =
          angle_between(position(v[(k + 1) % 3]) - corner, position(v[(k + 2) % 3]) - corner);
      vertex_normal_[at(v[k])] += angle * own.normal;
      weight[at(v[k])] += angle;
    }
  }
  for (std::size_t v = 0; v < weight.size(); ++v) {
    flatness_.push_back(weight[v] > 0 ? norm(vertex_normal_[v]) / weight[v] : 1);
    vertex_normal_[v] = unit_or_zero(vertex_normal_[v]);
  }
  for (Vec3d& normal : edge_normal_) normal = unit_or_zero(normal);
  for (MeshTriangle& t : triangles_) {
    for (int k = 0; k < 3; ++k) {
      const bool at_vertex = are_coplanar(triangles_, mesh_.triangles_of_vertex(t.vertex[k]));
      const bool at_edge = are_coplanar(triangles_, mesh_.triangles_of_edge(t.edge[k]));
      t.flat |= (at_vertex ? 1U : 0U) << k | (at_edge ? 1U : 0U) << (3 + k);
    }
  }
}

bool MeshSurface::contradicts(Vec3d p, std::int32_t nearest, bool is_inside) const {
  const auto& [a, b, c] = mesh_.triangles[at(nearest)];
  const MeshFoot foot{
      nearest, closest_on_triangle(p, mesh_.rest[at(a)], mesh_.rest[at(b)], mesh_.rest[at(c)])};
  const double distance = distance_from(view(), foot, p).distance;
  return std::fabs(distance) > resolution_m_ && (distance < 0) != is_inside;
}

void MeshSurface::list_near(const DistanceGridView& grid, const TriangleTree& tree,
                            const std::vector<std::uint8_t>& is_ambiguous,
                            const std::vector<std::uint8_t>& centre_is_inside) {
  NearTriangleLister lister(*this, tree, grid);
  std::vector<LineLists> lines(at(grid.n[1] * grid.n[2]));
  const int n_line = grid.n[1] * grid.n[2];
#pragma omp parallel for schedule(dynamic, 16)
  for (int line = 0; line < n_line; ++line)
    lister.find_nearest(line, is_ambiguous, centre_is_inside);
#pragma omp parallel for schedule(dynamic, 16)
  for (int line = 0; line < n_line; ++line) lister.list(line, &lines[at(line)]);
  constexpr std::size_t kMost = std::size_t{1} << 28;
  std::size_t n_near = 0;
  for (const LineLists& line : lines) n_near += line.near.size();
  if (n_near >= kMost)
    throw_bad_value("distance grid: spacing_m", grid.spacing,
                    fmt::format("large enough for less than 2^28 near triangles, here {:.3g}",
                                static_cast<double>(n_near)),
                    "increase it, or simplify the mesh");
  near_.reserve(n_near);
  cell_begin_.assign(1, 0);
  cell_begin_.reserve(static_cast<std::size_t>(grid.n_sample()) + 1);
  for (const LineLists& line : lines) {
    near_.insert(near_.end(), line.near.begin(), line.near.end());
    for (const std::int32_t count : line.count) cell_begin_.push_back(cell_begin_.back() + count);
  }
}

void MeshSurface::list_features(const std::vector<std::int32_t>& contact_vertices) {
  constexpr double kBent = 0.02;  // sine of the angle between the faces
  const auto feature_of = [&](std::int32_t vertex) {
    const auto found = std::lower_bound(contact_vertices.begin(), contact_vertices.end(), vertex);
    return found != contact_vertices.end() && *found == vertex
               ? static_cast<std::int32_t>(found - contact_vertices.begin())
               : -1;
  };
  for (const std::int32_t v : contact_vertices) {
    features_.points.push_back({feature_of(v), mesh_.rest[at(v)], 0, vertex_normal_[at(v)]});
    for (const std::int32_t t : mesh_.triangles_of_vertex(v)) {
      const auto& corners =
          mesh_.triangles[at(t)];  // each edge leads to one triangle's next corner
      const auto k =
          static_cast<std::size_t>(std::find(corners.begin(), corners.end(), v) - corners.begin());
      const Vec3d along = mesh_.rest[at(corners[(k + 1) % 3])] - mesh_.rest[at(v)];
      features_.around.push_back(unit_or_zero(along));
    }
    features_.around_begin.push_back(static_cast<std::int32_t>(features_.around.size()));
  }
  std::vector<Bounds> boxes;
  for (std::int32_t e = 0; e < mesh_.n_edge(); ++e) {
    const auto around = mesh_.triangles_of_edge(e);
    const std::int32_t low = mesh_.edges[at(e)][0], high = mesh_.edges[at(e)][1];
    if (around.size() != 2) continue;
    const auto opposite = [&](std::int32_t t) {
      const auto& v = mesh_.triangles[at(t)];
      return mesh_.rest[at(v[0] + v[1] + v[2] - low - high)];
    };
    const Vec3d n0 = triangles_[at(around[0])].normal, n1 = triangles_[at(around[1])].normal;
    if (squared_norm(n0) == 0 || squared_norm(n1) == 0) continue;
    const Vec3d a = mesh_.rest[at(low)], b = mesh_.rest[at(high)];
    const SolidEdge edge = make_solid_edge(a, b, opposite(around[0]), n0, opposite(around[1]), n1);
    if (!is_convex(edge, {0, -kBent})) continue;
    features_.edges.push_back(edge);
    features_.edge_ends.push_back({feature_of(low), feature_of(high)});
    boxes.push_back(bounds_of_points(a, b));
  }
  trees_.edges = BoundsTree(boxes);
  boxes.clear();
  for (const auto& [a, b, c] : mesh_.triangles) {
    boxes.push_back(bounds_of_points(mesh_.rest[at(a)], mesh_.rest[at(b)]));
    boxes.back().add(mesh_.rest[at(c)]);
  }
  trees_.faces = BoundsTree(boxes);
}

MeshSurfaceView MeshSurface::view() const {
  MeshSurfaceView v;
  v.vertex = mesh_.rest.data();
  v.vertex_normal = vertex_normal_.data();
  v.edge_normal = edge_normal_.data();
  v.triangle = triangles_.data();
  v.cell_begin = cell_begin_.empty() ? nullptr : cell_begin_.data();
  v.near = near_.data();
  v.n_vertex = mesh_.n_vertex();
  v.n_edge = mesh_.n_edge();
  v.n_triangle = mesh_.n_triangle();
  v.n_near = static_cast<std::int32_t>(near_.size());
  v.lo = box_.lo;
  v.hi = box_.hi;
  v.resolution_m = resolution_m_;
  return v;
}

void MeshSurface::set_views(DistanceGridView* grid) const {
  grid->mesh = view();
  grid->features = &features_;
}

}  // namespace nodia

/// Construction of the signed-distance grid of a closed mesh.
#include "host/collision/distance_grid.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/collision/contact_vertices.hpp"
#include "host/collision/triangle_tree.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kMaxSamples = 268435456;  // 2^28

__extension__ typedef __int128 Int128;

/// Point of the plane x = 0 on an integer lattice, whose rounding error is that of a double.
struct LatticePoint {
  std::int64_t y = 0, z = 0;
};

struct Lattice {
  double y0, z0;   ///< position of lattice point (0, 0) [m]
  double quantum;  ///< [m]

  LatticePoint nearest(double y, double z) const {
    return {std::llround((y - y0) / quantum), std::llround((z - z0) / quantum)};
  }
};

/// Twice the signed area of the triangle (a, b, p) in lattice units; exact.
Int128 doubled_area(LatticePoint a, LatticePoint b, LatticePoint p) {
  return static_cast<Int128>(b.y - a.y) * (p.z - a.z) -
         static_cast<Int128>(b.z - a.z) * (p.y - a.y);
}

/// Side of the line a -> b on which p is: +1 or -1; 0 only if a equals b. A point on the line is
/// moved by an infinitesimal (e, e^2), the same for all lines, so that it is in exactly one of the
/// triangles around an edge or a vertex.
int side(LatticePoint a, LatticePoint b, LatticePoint p) {
  const Int128 area = doubled_area(a, b, p);
  if (area != 0) return area > 0 ? 1 : -1;
  if (b.z != a.z) return b.z > a.z ? -1 : 1;
  return b.y == a.y ? 0 : (b.y > a.y ? 1 : -1);
}

/// Adds the sign of each crossing of a grid line along x with the mesh (+1: leaves the solid
/// towards +x) to the last sample below it. Sums from the end of a line are then winding numbers.
void mark_crossings(const TriangleMesh& mesh, const DistanceGridView& grid,
                    std::vector<std::int32_t>* crossings) {
  const std::int32_t n_x = grid.n[0], n_y = grid.n[1], n_z = grid.n[2];
  const double h = grid.spacing;
  const double extent = h * std::max(n_y, n_z);
  const Lattice lattice{grid.origin.y, grid.origin.z, std::ldexp(extent, -50)};
  // Lines that may cross [lo, hi], plus one on either side for rounding.
  const auto first_line = [&](double lo, double origin, std::int32_t n) {
    return static_cast<std::int32_t>(std::clamp(std::floor((lo - origin) / h) - 1, 0.0, n - 1.0));
  };
  const auto last_line = [&](double hi, double origin, std::int32_t n) {
    return static_cast<std::int32_t>(std::clamp(std::ceil((hi - origin) / h) + 1, 0.0, n - 1.0));
  };
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[static_cast<std::size_t>(t[0])];
    const Vec3d b = mesh.vertices[static_cast<std::size_t>(t[1])];
    const Vec3d c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const LatticePoint la = lattice.nearest(a.y, a.z);
    const LatticePoint lb = lattice.nearest(b.y, b.z);
    const LatticePoint lc = lattice.nearest(c.y, c.z);
    const std::int32_t j_end = last_line(std::max({a.y, b.y, c.y}), grid.origin.y, n_y);
    const std::int32_t k_end = last_line(std::max({a.z, b.z, c.z}), grid.origin.z, n_z);
    for (std::int32_t k = first_line(std::min({a.z, b.z, c.z}), grid.origin.z, n_z); k <= k_end;
         ++k) {
      for (std::int32_t j = first_line(std::min({a.y, b.y, c.y}), grid.origin.y, n_y); j <= j_end;
           ++j) {
        const LatticePoint p = lattice.nearest(grid.origin.y + h * j, grid.origin.z + h * k);
        const int sign = side(la, lb, p);
        if (sign == 0 || side(lb, lc, p) != sign || side(lc, la, p) != sign) continue;
        const double wa = static_cast<double>(doubled_area(lb, lc, p));
        const double wb = static_cast<double>(doubled_area(lc, la, p));
        const double wc = static_cast<double>(doubled_area(la, lb, p));
        const double x = (wa * a.x + wb * b.x + wc * c.x) / (wa + wb + wc);
        const double below = std::ceil((x - grid.origin.x) / h) - 1;
        const auto i = static_cast<std::size_t>(std::clamp(below, 0.0, n_x - 1.0));
        const std::size_t line = static_cast<std::size_t>(k) * static_cast<std::size_t>(n_y) +
                                 static_cast<std::size_t>(j);
        (*crossings)[line * static_cast<std::size_t>(n_x) + i] += sign;
      }
    }
  }
}

/// Per sample of a grid: 1 if its winding number is not 0.
std::vector<std::uint8_t> inside_samples(const TriangleMesh& mesh, const DistanceGridView& grid) {
  std::vector<std::int32_t> crossings(static_cast<std::size_t>(grid.n_sample()));
  mark_crossings(mesh, grid, &crossings);
  std::vector<std::uint8_t> is_inside(crossings.size());
  const auto n_x = static_cast<std::size_t>(grid.n[0]);
  for (std::size_t end = n_x; end <= crossings.size(); end += n_x) {
    std::int32_t winding = 0;
    for (std::size_t k = end; k-- > end - n_x;) {
      winding += crossings[k];
      is_inside[k] = winding != 0 ? 1 : 0;
    }
  }
  return is_inside;
}

/// Sets the signed distances of one line along x.
struct FillLine {
  const TriangleTree& tree;
  const DistanceGridView& grid;
  const MeshSurface& surface;
  const std::vector<std::uint8_t>& is_inside;
  std::vector<double>& value;
  std::vector<std::uint8_t>& is_ambiguous;

  void operator()(int line) const {
    const int j = line % grid.n[1], k = line / grid.n[1];
    const std::size_t first = static_cast<std::size_t>(line) * static_cast<std::size_t>(grid.n[0]);
    std::int32_t guess = 0;
    for (int i = grid.n[0] - 1; i >= 0; --i) {
      const std::size_t sample = first + static_cast<std::size_t>(i);
      const Vec3d p = grid.origin + grid.spacing * Vec3d{double(i), double(j), double(k)};
      const TriangleTree::Nearest nearest = tree.nearest(p, guess);
      guess = nearest.place;
      const double distance = std::sqrt(nearest.squared_distance);
      value[sample] = is_inside[sample] != 0 ? -distance : distance;
      is_ambiguous[sample] =
          surface.contradicts(p, tree.triangle(nearest.place), is_inside[sample]);
    }
  }
};

/// Solid angle of a triangle seen from the origin [sr] (van Oosterom and Strackee 1983), positive
/// from behind.
double solid_angle(Vec3d a, Vec3d b, Vec3d c) {
  const double la = norm(a), lb = norm(b), lc = norm(c);
  return 2 * std::atan2(dot(a, cross(b, c)),
                        la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/// The mesh.
/// @throws InputError unless a grid can be made
const TriangleMesh& checked(const TriangleMesh& mesh, double spacing_m, int padding) {
  require(spacing_m > 0 && std::isfinite(spacing_m), "distance grid: spacing_m", spacing_m, "> 0",
          "try 1/64 of the mesh's size");
  require(padding >= 1, "distance grid: padding", padding, ">= 1", "the default is 3");
  require_closed(mesh, "distance grid");
  const double smallest = smallest_extent(mesh);
  require(spacing_m <= 0.5 * smallest, "distance grid: spacing_m", spacing_m,
          fmt::format("at most half of the mesh's smallest extent of {:.4g} m", smallest),
          "take a tenth of its smallest feature, or leave it out");
  return mesh;
}

/// Extents of points along the rows of `axes` [m].
Vec3d extents_along(const std::vector<Vec3d>& points, const Mat3d& axes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3d lo{kInfinity, kInfinity, kInfinity}, hi = -lo;
  for (const Vec3d p : points) {
    const Vec3d along = axes * p;
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], along[axis]);
      hi[axis] = std::max(hi[axis], along[axis]);
    }
  }
  return hi - lo;
}

/// Principal axes of points, as rows.
Mat3d principal_axes(const std::vector<Vec3d>& points) {
  Vec3d mean{};
  for (const Vec3d p : points) mean += (1.0 / static_cast<double>(points.size())) * p;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3d p : points) {
    const Eigen::Vector3d d(p.x - mean.x, p.y - mean.y, p.z - mean.z);
    spread += d * d.transpose();
  }
  const Eigen::Matrix3d axes =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  Mat3d rows;
  for (int k = 0; k < 3; ++k) rows.row[k] = {axes(0, k), axes(1, k), axes(2, k)};
  return rows;
}

}  // namespace

double smallest_extent(const TriangleMesh& mesh) {
  const std::vector<Vec3d> points = used_vertices(mesh);
  const Vec3d along = extents_along(points, Mat3d::identity()),
              principal = extents_along(points, principal_axes(points));
  return std::min({along.x, along.y, along.z, principal.x, principal.y, principal.z});
}

double default_grid_spacing(const TriangleMesh& mesh) {
  constexpr double kCells = 64, kSamples = 4194304;
  const Vec3d side = extents_along(used_vertices(mesh), Mat3d::identity());
  const double smallest = smallest_extent(mesh);
  const double fine = std::min(std::max({side.x, side.y, side.z}) / kCells, smallest / 4);
  const double affordable = std::cbrt(side.x * side.y * side.z / kSamples);
  return std::min(std::max(fine, affordable), smallest / 2);
}

DistanceGrid::DistanceGrid(const TriangleMesh& mesh, double spacing_m, int padding)
    : surface_(checked(mesh, spacing_m, padding)) {
  surface_.set_views(&view_);
  const Vec3d lo = view_.mesh.lo, hi = view_.mesh.hi;
  double n[3], n_sample = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double n_cell = std::ceil((hi[axis] - lo[axis]) / spacing_m) + 2.0 * padding;
    n[axis] = n_cell + 1;
    n_sample *= n[axis];
    view_.origin[axis] = 0.5 * (lo[axis] + hi[axis]) - 0.5 * n_cell * spacing_m;
  }
  if (!(n_sample <= kMaxSamples)) {
    throw_bad_value("distance grid: spacing_m", spacing_m,
                    fmt::format("large enough for at most 2^28 samples, here {:.3g}", n_sample),
                    "increase it, or check the unit of the mesh");
  }
  for (int axis = 0; axis < 3; ++axis) view_.n[axis] = static_cast<std::int32_t>(n[axis]);
  view_.spacing = spacing_m;

  value_.assign(static_cast<std::size_t>(n_sample), 0.0);
  const TriangleTree tree(mesh);
  std::vector<std::uint8_t> is_ambiguous(value_.size());
  const std::vector<std::uint8_t> is_inside = inside_samples(mesh, view_);
  const FillLine fill_line{tree, view_, surface_, is_inside, value_, is_ambiguous};
#pragma omp parallel for schedule(static)
  for (int line = 0; line < view_.n[1] * view_.n[2]; ++line) fill_line(line);
  DistanceGridView centres = view_;
  centres.origin += 0.5 * spacing_m * Vec3d{1, 1, 1};
  surface_.list_near(view(), tree, is_ambiguous, inside_samples(mesh, centres));
  surface_.list_features(
      contact_vertices(surface_, std::min(spacing_m, smallest_extent(mesh) / 8)));
}

DistanceGridView DistanceGrid::view() const {
  DistanceGridView v = view_;
  v.value = value_.data();
  surface_.set_views(&v);
  return v;
}

double brute_force_distance(const TriangleMesh& mesh, Vec3d point) {
  double squared = std::numeric_limits<double>::infinity();
  double angle = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[static_cast<std::size_t>(t[0])];
    const Vec3d b = mesh.vertices[static_cast<std::size_t>(t[1])];
    const Vec3d c = mesh.vertices[static_cast<std::size_t>(t[2])];
    squared = std::min(squared, squared_triangle_distance(point, a, b, c));
    angle += solid_angle(a - point, b - point, c - point);
  }
  const double winding = angle / (4 * std::numbers::pi);
  return std::fabs(winding) > 0.5 ? -std::sqrt(squared) : std::sqrt(squared);
}

}  // namespace nodia

/// Collision shape of a closed mesh, given by a grid of signed distances.
#pragma once

#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// The normal is the normalised gradient of the interpolant, or z if that vanishes.
NODIA_HD SurfaceDistance grid_distance(Vec3d p, const DistanceGridView& grid) {
  double fraction[3];
  std::int64_t cell[3];
  Vec3d beyond{};  // from the nearest point of the grid to p
  for (int axis = 0; axis < 3; ++axis) {
    const double last = grid.n[axis] - 1;
    const double g = (p[axis] - grid.origin[axis]) / grid.spacing;
    const double clamped = g > 0 ? (g < last ? g : last) : 0;
    if (g != clamped) beyond[axis] = (g - clamped) * grid.spacing;
    cell[axis] = static_cast<std::int64_t>(clamped);
    if (cell[axis] > grid.n[axis] - 2) cell[axis] = grid.n[axis] - 2;
    fraction[axis] = clamped - static_cast<double>(cell[axis]);
  }
  const std::int64_t row = grid.n[0];
  const std::int64_t slice = row * grid.n[1];
  const double* c = grid.value + cell[2] * slice + cell[1] * row + cell[0];
  const double x = fraction[0], y = fraction[1], z = fraction[2];

  // Interpolates along x (four values and slopes on the edges of the cell), then along y and z.
  const double v00 = c[0] + x * (c[1] - c[0]);
  const double v10 = c[row] + x * (c[row + 1] - c[row]);
  const double v01 = c[slice] + x * (c[slice + 1] - c[slice]);
  const double v11 = c[slice + row] + x * (c[slice + row + 1] - c[slice + row]);
  const double v0 = v00 + y * (v10 - v00);
  const double v1 = v01 + y * (v11 - v01);
  const double slope_x0 = (1 - y) * (c[1] - c[0]) + y * (c[row + 1] - c[row]);
  const double slope_x1 =
      (1 - y) * (c[slice + 1] - c[slice]) + y * (c[slice + row + 1] - c[slice + row]);

  double distance = v0 + z * (v1 - v0);
  const double per_cell = 1 / grid.spacing;
  Vec3d gradient{per_cell * ((1 - z) * slope_x0 + z * slope_x1),
                 per_cell * ((1 - z) * (v10 - v00) + z * (v11 - v01)), per_cell * (v1 - v0)};
  const double length = norm(beyond);
  if (length != 0) {
    distance += length;
    for (int axis = 0; axis < 3; ++axis) {
      if (beyond[axis] != 0) gradient[axis] = beyond[axis] / length;
    }
  }
  const double slope = norm(gradient);
  if (slope > kNoDirection) return {distance, (1 / slope) * gradient};
  return {distance, {0, 0, 1}};
}

struct GridShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::distance_grid;
  static constexpr const char* kName = "mesh";
  static constexpr const char* kPlace = "as in its file";
  static constexpr std::array<ShapeSize, 0> kSizes{};
  static constexpr bool kHasFeet = false, kHasIntegrals = false;  // the mesh has its own

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return grid_distance(p, s.grid);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    const DistanceGridView& g = s.grid;
    const Vec3d extent{g.spacing * (g.n[0] - 1), g.spacing * (g.n[1] - 1),
                       g.spacing * (g.n[2] - 1)};
    return {g.origin, g.origin + extent};
  }

  /// The given points.
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, std::span<const Vec3d> points, const Distance&,
                             const Visit& visit) {
    sharp_points(s, points, visit);
  }
  template <class Visit>
  static void sharp_points(const Shape&, std::span<const Vec3d> points, const Visit& visit) {
    for (std::size_t k = 0; k < points.size(); ++k)
      visit(ShapePoint{static_cast<std::int32_t>(k), points[k], 0, {}});
  }
  /// The middle of the grid, if it is inside.
  template <class Visit>
  static void inner_points(const Shape& s, const Visit& visit) {
    const ShapeBounds box = bounds(s);
    const Vec3d centre = 0.5 * (box.lo + box.hi);
    if (distance(s, centre).distance < 0) visit(ShapePoint{0, centre, 0, {}});
  }
};

}  // namespace nodia

/// Signed distance of analytic shapes and distance grids, host and device.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

enum class ShapeKind : std::uint8_t { half_space, box, sphere, cylinder, capsule, distance_grid };

/// A regular grid of signed distances; sample (i, j, k) lies at origin + spacing (i, j, k).
/// Trilinear in between; outside the grid, the value at the nearest point of the grid plus the
/// distance to it. The solid lies inside the grid: no sample on its outer faces is negative.
struct DistanceGridView {
  Vec3d origin{};                 ///< [m]
  double spacing = 1;             ///< [m]
  std::int32_t n[3] = {0, 0, 0};  ///< samples per axis, >= 2
  const double* value = nullptr;  ///< value[(k n_y + j) n_x + i] [m]
};

/// A shape in its own frame. Half-space: z <= 0 is solid. Box: |x| <= size/2. Cylinder, capsule:
/// axis z, of length `length` (capsule: between the centres of its caps), radius `radius`. Sphere
/// about the origin.
struct Shape {
  ShapeKind kind = ShapeKind::half_space;
  Vec3d size{};       ///< box [m]
  double radius = 0;  ///< [m]
  double length = 0;  ///< [m]
  DistanceGridView grid{};
};

/// Signed distance (negative inside) and its gradient, the outward unit normal.
struct SurfaceDistance {
  double distance = 0;  ///< [m]
  Vec3d normal{};  ///< unit [-]; a fixed direction where the gradient is not defined (centre, axis)
};

/// Shorter vectors have no direction: their squares would leave the range of normal numbers.
inline constexpr double kNoDirection = 1e-150;

NODIA_HD SurfaceDistance half_space_distance(Vec3d p) {
  return {p.z, {0, 0, 1}};
}

/// At the centre the normal is z.
NODIA_HD SurfaceDistance sphere_distance(Vec3d p, double radius) {
  const double r = norm(p);
  if (r > kNoDirection) return {r - radius, (1 / r) * p};
  return {-radius, {0, 0, 1}};
}

/// Inside and on the surface the normal is that of the nearest face, z before x before y where
/// several are equally near and the positive face before the negative one.
NODIA_HD SurfaceDistance box_distance(Vec3d p, Vec3d size) {
  const Vec3d q{std::fabs(p.x) - 0.5 * size.x, std::fabs(p.y) - 0.5 * size.y,
                std::fabs(p.z) - 0.5 * size.z};
  const Vec3d outside{q.x > 0 ? q.x : 0, q.y > 0 ? q.y : 0, q.z > 0 ? q.z : 0};
  const double length = norm(outside);
  if (length > kNoDirection) {
    return {length,
            {std::copysign(outside.x / length, p.x), std::copysign(outside.y / length, p.y),
             std::copysign(outside.z / length, p.z)}};
  }
  int axis = 2;
  if (q.x > q[axis]) axis = 0;
  if (q.y > q[axis]) axis = 1;
  Vec3d normal{};
  normal[axis] = p[axis] < 0 ? -1 : 1;
  return {q[axis], normal};
}

/// The rim's two faces: the cap where both are equally near. On the axis the radial direction is x.
NODIA_HD SurfaceDistance cylinder_distance(Vec3d p, double radius, double length) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec3d radial = r > kNoDirection ? Vec3d{p.x / r, p.y / r, 0} : Vec3d{1, 0, 0};
  const Vec3d axial{0, 0, p.z < 0 ? -1.0 : 1.0};
  const double a = r - radius;
  const double b = std::fabs(p.z) - 0.5 * length;
  if (a > 0 && b > 0) {
    const double d = std::sqrt(a * a + b * b);
    if (d > kNoDirection) return {d, (a / d) * radial + (b / d) * axial};
  }
  if (a > b) return {a, radial};
  return {b, axial};
}

/// On the axis between the centres of the caps the normal is x.
NODIA_HD SurfaceDistance capsule_distance(Vec3d p, double radius, double length) {
  const double half = 0.5 * length;
  const double z = p.z > half ? half : (p.z < -half ? -half : p.z);
  const Vec3d from_axis{p.x, p.y, p.z - z};
  const double r = norm(from_axis);
  if (r > kNoDirection) return {r - radius, (1 / r) * from_axis};
  return {-radius, {1, 0, 0}};
}

/// The normal is the normalised gradient of the interpolant, z where that vanishes.
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

  // Along x first: four values and four slopes on the edges of the cell, then along y and z.
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

/// Signed distance of a point to a shape and the outward unit normal, both in the shape's frame.
/// @param p  [m]
NODIA_HD SurfaceDistance signed_distance(const Shape& shape, Vec3d p) {
  switch (shape.kind) {
    case ShapeKind::half_space:
      return half_space_distance(p);
    case ShapeKind::box:
      return box_distance(p, shape.size);
    case ShapeKind::sphere:
      return sphere_distance(p, shape.radius);
    case ShapeKind::cylinder:
      return cylinder_distance(p, shape.radius, shape.length);
    case ShapeKind::capsule:
      return capsule_distance(p, shape.radius, shape.length);
    case ShapeKind::distance_grid:
      return grid_distance(p, shape.grid);
  }
  return {};
}

}  // namespace nodia

/// Signed distance of analytic shapes and distance grids, host and device.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

enum class ShapeKind : std::uint8_t { half_space, box, sphere, cylinder, capsule, distance_grid };

/// A regular grid of signed distances; sample (i, j, k) lies at origin + spacing (i, j, k). Trilinear in between; outside
/// the grid, the value at the nearest point of the grid plus the distance to it.
struct DistanceGridView {
  Vec3d origin{};                 ///< [m]
  double spacing = 1;             ///< [m]
  std::int32_t n[3] = {0, 0, 0};  ///< samples per axis, >= 2
  const double* value = nullptr;  ///< value[(k n_y + j) n_x + i] [m]
};

/// A shape in its own frame. Half-space: z <= 0 is solid. Box: |x| <= size/2. Cylinder, capsule: axis z, of length `length`
/// (capsule: between the centres of its caps), radius `radius`. Sphere about the origin.
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
  Vec3d normal{};       ///< unit [-]; a fixed direction where the gradient is not defined (centre, axis)
};

}  // namespace nodia

/// Software rasteriser of triangles with a depth buffer. Its pixels are the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/core/vec3.hpp"

namespace nodia::python {

struct Raster {
  int width = 0, height = 0;
  std::span<float> colour;    ///< [height, width, 3]
  std::span<float> nearness;  ///< [height, width] 1/depth of the visible surface [1/m]

  /// Draws the visible pixels of a triangle. Skips a triangle with a coordinate that is not finite
  /// or with 1/depth <= 0.
  /// @param point    corners: x from the left [pixel], y from the top [pixel], 1/depth [1/m]
  /// @param colours  colours of the corners, interpolated linearly in the picture
  void draw(const std::array<Vec3d, 3>& point, const std::array<Vec3d, 3>& colours);
};

}  // namespace nodia::python

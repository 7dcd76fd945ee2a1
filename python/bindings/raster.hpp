/// Triangles as pixels: a depth buffer in software, the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/core/vec3.hpp"

namespace nodia::python {

struct Raster {
  int width = 0, height = 0;
  std::span<float> colour;  ///< [height, width, 3]
  std::span<float>
      nearness;  ///< [height, width] 1/depth of what is seen [1/m], larger hides smaller

  /// @param point   pixel from the left, pixel from above, 1/depth > 0; a triangle with another
  ///                depth, or a number that is not finite, is left out
  /// @param colours of the corners, linear in between
  void draw(const std::array<Vec3d, 3>& point, const std::array<Vec3d, 3>& colours);
};

}  // namespace nodia::python

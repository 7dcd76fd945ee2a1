/// Largest difference of two lists of vectors.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia::test {

/// max |a_i - b_i| over max |b_i|, or the former if all b_i are zero.
inline double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, norm(a[i] - b[i]));
    scale = std::max(scale, norm(b[i]));
  }
  return scale > 0 ? largest / scale : largest;
}

}  // namespace nodia::test

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linalg/device/device_product.hpp"

namespace nodia {

double rounding_excess(const BlockCsrView<double>& A, const std::vector<Vec3d>& x,
                       const std::vector<Vec3d>& y, double half_unit) {
  double excess = 0;
  for (int i = 0; i < A.n_row; ++i) {
    const Vec3d right = block_row_product(A, i, x.data());
    const double n = 3.0 * (A.row_begin[i + 1] - A.row_begin[i]);
    for (int r = 0; r < 3; ++r) {
      double scale = 0;
      for (std::int32_t b = A.row_begin[i]; b < A.row_begin[i + 1]; ++b)
        for (int c = 0; c < 3; ++c)
          scale += std::abs(A.value[9 * static_cast<std::int64_t>(b) + 3 * c + r]) *
                   (std::abs(x[A.column[b]][c]) + std::abs(x[i][c]));
      const double difference = std::abs(y[i][r] - right[r]);
      if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
      if (difference > 0) excess = std::max(excess, difference / ((2 * n + 8) * half_unit * scale));
    }
  }
  return excess;
}

}  // namespace nodia

/// Comparisons of numbers, host and device. Device code has no <limits> and std::max, and std::max
/// keeps a NaN only as its first argument.
#pragma once

#include <cmath>

#include "kernels/core/macros.hpp"

namespace nodia {

NODIA_HD double infinity() {
  return HUGE_VAL;
}
NODIA_HD bool is_finite(double a) {
  return a - a == 0;
}
/// Maximum; b if either is NaN.
NODIA_HD double larger(double a, double b) {
  return a > b ? a : b;
}
/// Minimum; b if either is NaN.
NODIA_HD double smaller(double a, double b) {
  return a < b ? a : b;
}
/// Maximum; NaN if either is NaN.
NODIA_HD double larger_or_nan(double a, double b) {
  return a >= b || a != a ? a : b;
}

}  // namespace nodia

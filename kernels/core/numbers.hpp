/// Comparisons of numbers, host and device: <limits> and std::max are not for device code, and
/// std::max keeps a NaN only where it stands first.
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
/// The larger; b where either is NaN.
NODIA_HD double larger(double a, double b) {
  return a > b ? a : b;
}
/// The smaller; b where either is NaN.
NODIA_HD double smaller(double a, double b) {
  return a < b ? a : b;
}
/// The larger, or NaN where either is.
NODIA_HD double larger_or_nan(double a, double b) {
  return a >= b || a != a ? a : b;
}

}  // namespace nodia

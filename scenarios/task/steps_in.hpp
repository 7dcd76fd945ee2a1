/// Number of steps in a time span.
#pragma once

#include <cmath>

namespace nodia {

/// Number of steps in a time span, rounded up. An excess of up to 1e-9 of the span does not count,
/// because times are rounded.
inline double steps_in(double span_s, double step_s) {
  return std::ceil(span_s / step_s * (1 - 1e-9));
}

}  // namespace nodia

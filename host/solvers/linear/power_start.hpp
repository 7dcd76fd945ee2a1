/// The vector that a power iteration starts from where no earlier one has left its own.
#pragma once

#include <cmath>
#include <cstdint>

namespace nodia {

/// Entry i. Its phase grows as the square of i, so that it holds waves of all lengths and its share
/// of no eigenvector is small for the order of the rows.
inline double power_start(std::int64_t i) {
  const auto k = static_cast<double>(i + 1);
  return std::cos(k * k / 2);
}

}  // namespace nodia

/// Power laws through measured times, and what they foretell.
#pragma once

#include <vector>

namespace nodia::studies {

struct SizeTime {
  double n = 0, time = 0;  ///< > 0
};

/// time = coefficient n^exponent by least squares of the logarithms, with its coefficient of
/// determination. Below two points exponent and coefficient are 0.
struct PowerFit {
  int n_row = 0;
  double coefficient = 0, exponent = 0, r_squared = 0;
};
PowerFit fit_power(const std::vector<SizeTime>& points);

/// Time at a larger size, from those measured, ascending: by the power law through the last two, of
/// exponent 1 at least; by the square of the size from one; 0 from none.
double expected_time(const std::vector<SizeTime>& measured, double n);

}  // namespace nodia::studies

/// Power laws through measured times, and times that they predict.
#pragma once

#include <vector>

namespace nodia::studies {

struct SizeTime {
  double n = 0, time = 0;  ///< > 0
};

/// time = coefficient n^exponent by least squares of the logarithms, with its coefficient of
/// determination. With fewer than two points, exponent and coefficient are 0.
struct PowerFit {
  int n_row = 0;
  double coefficient = 0, exponent = 0, r_squared = 0;
};
PowerFit fit_power(const std::vector<SizeTime>& points);

/// Predicts the time at a larger size: by the power law through the last two points, with an
/// exponent of at least 1; from one point by the square of the size; from none it is 0.
/// @param measured  ascending sizes
double expected_time(const std::vector<SizeTime>& measured, double n);

}  // namespace nodia::studies

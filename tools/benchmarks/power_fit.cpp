#include "tools/benchmarks/power_fit.hpp"

#include <algorithm>
#include <cmath>

namespace nodia::studies {

PowerFit fit_power(const std::vector<SizeTime>& points) {
  PowerFit fit;
  fit.n_row = static_cast<int>(points.size());
  if (fit.n_row < 2) return fit;
  double mean_x = 0, mean_y = 0;
  for (const SizeTime& p : points)
    mean_x += std::log(p.n) / fit.n_row, mean_y += std::log(p.time) / fit.n_row;
  double xx = 0, xy = 0, yy = 0;
  for (const SizeTime& p : points) {
    const double x = std::log(p.n) - mean_x, y = std::log(p.time) - mean_y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (xx == 0) return fit;
  fit.exponent = xy / xx;
  fit.coefficient = std::exp(mean_y - fit.exponent * mean_x);
  fit.r_squared = yy > 0 ? xy * xy / (xx * yy) : 1;
  return fit;
}

double expected_time(const std::vector<SizeTime>& measured, double n) {
  if (measured.empty()) return 0;
  const SizeTime last = measured.back();
  double exponent = 2;
  if (measured.size() > 1)
    exponent = std::max(1.0, fit_power({measured[measured.size() - 2], last}).exponent);
  return last.time * std::pow(n / last.n, exponent);
}

}  // namespace nodia::studies

#include "tools/benchmarks/power_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nodia::studies {
namespace {

TEST(PowerFit, FindsTheLawOfPoints) {
  std::vector<SizeTime> points;
  for (const double n : {500.0, 1500.0, 100000.0}) points.push_back({n, 3e-4 * std::pow(n, 1.25)});
  const PowerFit fit = fit_power(points);
  EXPECT_EQ(fit.n_row, 3);
  EXPECT_NEAR(fit.exponent, 1.25, 1e-12);
  EXPECT_NEAR(fit.coefficient, 3e-4, 1e-15);
  EXPECT_NEAR(fit.r_squared, 1, 1e-12);
}

TEST(PowerFit, IsNoneBelowTwoSizes) {
  EXPECT_EQ(fit_power({}).n_row, 0);
  EXPECT_EQ(fit_power({{500, 2}}).exponent, 0);
  EXPECT_EQ(fit_power({{500, 2}, {500, 3}}).exponent, 0);
}

TEST(ExpectedTime, GoesOnAsTheLastTwoSizes) {
  EXPECT_EQ(expected_time({}, 1000), 0);
  EXPECT_DOUBLE_EQ(expected_time({{500, 2}}, 1000), 8);
  EXPECT_NEAR(expected_time({{100, 50}, {500, 1}, {1000, 8}}, 2000), 64, 1e-9);
  // A smaller size that happened to be slow foretells no fall.
  EXPECT_NEAR(expected_time({{500, 9}, {1000, 8}}, 2000), 16, 1e-9);
}

}  // namespace
}  // namespace nodia::studies

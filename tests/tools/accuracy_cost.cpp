#include "tools/compare/accuracy_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nodia::studies {
namespace {

AccuracyRow row(double error, double ms) {
  AccuracyRow made;
  made.mean_error = error;
  made.cpu_ms = ms;
  made.work_units = std::numeric_limits<double>::quiet_NaN();
  return made;
}

SolverCurve curve(std::vector<AccuracyRow> rows) {
  return {"a", std::move(rows), "", 0};
}

std::optional<double> ms_at(const SolverCurve& of, double error) {
  return cost_at(of, error, &AccuracyRow::cpu_ms);
}

TEST(AccuracyCost, IsAPowerOfTheErrorBetweenRows) {
  // cost = error^(-1/2)
  const SolverCurve law = curve({row(1e-2, 10), row(1e-4, 100), row(1e-6, 1000)});
  for (const double error : {1e-2, 1e-3, 1e-4, 3e-5, 1e-6})
    EXPECT_NEAR(ms_at(law, error).value(), std::pow(error, -0.5), 1e-9 * std::pow(error, -0.5));
}

TEST(AccuracyCost, IsThatOfTheFirstRowWhereNoneIsLooser) {
  EXPECT_EQ(ms_at(curve({row(1e-5, 7), row(1e-7, 9)}), 1e-3), 7);
  EXPECT_EQ(ms_at(curve({row(0, 7)}), 1e-3), 7);
}

TEST(AccuracyCost, IsTheLeastWhereErrorsDoNotFallInOrder) {
  EXPECT_EQ(ms_at(curve({row(1e-4, 5), row(1e-2, 6), row(1e-3, 8)}), 1e-3), 5);
}

TEST(AccuracyCost, IsNotKnownWhereNoRowGetsThere) {
  EXPECT_FALSE(ms_at(curve({}), 1e-3));
  EXPECT_FALSE(ms_at(curve({row(1e-2, 5)}), 1e-3));
  EXPECT_FALSE(ms_at(curve({row(std::numeric_limits<double>::infinity(), 5)}), 1e-3));
  EXPECT_EQ(ms_at(curve({row(std::numeric_limits<double>::infinity(), 5), row(1e-4, 6)}), 1e-3), 6);
  EXPECT_FALSE(cost_at(curve({row(1e-5, 5)}), 1e-3, &AccuracyRow::work_units));
}

TEST(AccuracyCost, IsNotKnownBelowTheResolution) {
  SolverCurve coarse = curve({row(1e-2, 10), row(1e-7, 100)});
  coarse.resolution = 1e-5;
  EXPECT_TRUE(ms_at(coarse, 1e-3));
  EXPECT_FALSE(ms_at(coarse, 1e-6));
}

}  // namespace
}  // namespace nodia::studies

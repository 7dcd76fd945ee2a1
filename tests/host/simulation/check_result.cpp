#include "host/simulation/check_result.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nodia {
namespace {

TEST(CheckResult, SaysTheMeasuredAndTheExpectedValue) {
  CheckResult c{"carried", false, 0.4905, 0.0049, "N"};
  c.quantity = "force";
  c.expectation = Expectation{0, 0.4905, 0.0049, "N"};
  EXPECT_EQ(comparison_of(c), "force 0 N, expected 0.4905 N +- 0.0049 N, off by 0.4905 N");
  c.passed = true;
  c.expectation->measured = 0.49;
  EXPECT_EQ(comparison_of(c), "force 0.49 N, expected 0.4905 N +- 0.0049 N");
}

TEST(CheckResult, SaysWhichBoundIsBrokenAndByHowMuch) {
  CheckResult c{"depth", false, 0.002, 0.0001, "m"};
  c.quantity = "largest penetration";
  EXPECT_EQ(comparison_of(c),
            "largest penetration 0.002 m, must be at most 0.0001 m, 0.0019 m too large");
  c.is_least = true;
  c.value = 0.00005;
  EXPECT_EQ(comparison_of(c),
            "largest penetration 5e-05 m, must be at least 0.0001 m, 5e-05 m too small");
  c.passed = true;
  c.unit = "-";
  EXPECT_EQ(comparison_of(c), "largest penetration 5e-05, must be at least 0.0001");
  c = {"depth", false, std::numeric_limits<double>::quiet_NaN(), 1, "m"};
  c.quantity = "depth";
  EXPECT_EQ(comparison_of(c), "depth nan m, must be at most 1 m");
}

}  // namespace
}  // namespace nodia

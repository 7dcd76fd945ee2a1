/// Functions of portable_math against those of the C library, which are right to a bit or two.
#include "scenarios/format/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nodia::portable {
namespace {

constexpr double kPi = 3.14159265358979323846;

TEST(PortableMath, ExponentialAndLogarithm) {
  for (int k = -7000; k <= 7000; ++k)
    EXPECT_NEAR(exponential(0.1 * k) / std::exp(0.1 * k), 1, 1e-14) << 0.1 * k;
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-800), 0);
  EXPECT_TRUE(std::isinf(exponential(800)));
  for (int k = -1000; k <= 1000; ++k) {
    const double x = std::ldexp(1 + 0.37 * std::fabs(std::sin(k)), k);
    EXPECT_NEAR(logarithm(x), std::log(x), 1e-14 * std::fabs(std::log(x))) << x;
  }
  EXPECT_EQ(logarithm(1), 0);
}

TEST(PortableMath, SineAndCosine) {
  for (int k = -1000; k <= 1000; ++k) {
    const double x = kPi * k / 1000;
    EXPECT_NEAR(sine(x), std::sin(x), 1e-14) << x;
    EXPECT_NEAR(cosine(x), std::cos(x), 1e-14) << x;
    if (k < 0) continue;
    EXPECT_NEAR(less_sine(x), x - std::sin(x), 1e-14) << x;
  }
  EXPECT_NEAR(less_sine(1e-5) / (1e-15 / 6), 1, 1e-10);
}

TEST(PortableMath, SharesOfTheNormalDistribution) {
  for (int k = 0; k <= 3700; ++k) {
    const double z = 0.01 * k;
    EXPECT_NEAR(normal_above(z) / (0.5 * std::erfc(z / std::sqrt(2.0))), 1, 1e-12) << z;
  }
  EXPECT_NEAR(normal_between(-1, 1), std::erf(1 / std::sqrt(2.0)), 1e-15);
  EXPECT_NEAR(normal_between(-40, 40), 1, 1e-15);
  for (const double z : {0.1, 1.0, 5.0, 20.0}) {
    EXPECT_EQ(normal_between(z, z + 1), normal_between(-z - 1, -z));
    EXPECT_NEAR(normal_between(z, z + 1) + normal_above(z + 1), normal_above(z),
                1e-14 * normal_above(z));
  }
}

}  // namespace
}  // namespace nodia::portable

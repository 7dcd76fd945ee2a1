#include "kernels/core/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nodia {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Numbers, LargerAndSmallerTakeTheSecondWhereEitherIsNoNumber) {
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, 1), 2);
  EXPECT_EQ(smaller(1, 2), 1);
  EXPECT_EQ(smaller(2, 1), 1);
  EXPECT_EQ(larger(kNan, 1), 1);
  EXPECT_EQ(smaller(kNan, 1), 1);
  EXPECT_TRUE(std::isnan(larger(1, kNan)));
  EXPECT_TRUE(std::isnan(smaller(1, kNan)));
}

TEST(Numbers, LargerOrNanIsNoNumberWhereEitherIsNone) {
  EXPECT_EQ(larger_or_nan(-3, 2), 2);
  EXPECT_EQ(larger_or_nan(2, -3), 2);
  EXPECT_EQ(larger_or_nan(infinity(), 1), infinity());
  EXPECT_TRUE(std::isnan(larger_or_nan(kNan, 1)));
  EXPECT_TRUE(std::isnan(larger_or_nan(1, kNan)));
  EXPECT_TRUE(std::isnan(larger_or_nan(kNan, infinity())));
}

TEST(Numbers, InfinityAndNanAreNotFinite) {
  EXPECT_TRUE(is_finite(0));
  EXPECT_TRUE(is_finite(-std::numeric_limits<double>::max()));
  EXPECT_FALSE(is_finite(infinity()));
  EXPECT_FALSE(is_finite(-infinity()));
  EXPECT_FALSE(is_finite(kNan));
}

}  // namespace
}  // namespace nodia

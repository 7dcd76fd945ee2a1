#include "kernels/core/time_step.hpp"

#include <gtest/gtest.h>

namespace nodia {
namespace {

TEST(TimeStep, VelocityOfTheStepIsTheMeanOfBothEnds) {
  for (const double theta : {0.5, 0.6, 0.85, 1.0}) {
    const TimeStep time{0.004, theta};
    const Vec3d v{0.3, -2, 7}, v_hat{1.5, -0.25, 4};
    const Vec3d next = time.next_velocity(v_hat, v);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(theta * next[c] + (1 - theta) * v[c], v_hat[c], 1e-15 * 8);
      EXPECT_NEAR(time.next_velocity(v_hat[c], v[c]), next[c], 1e-14 * 8);
    }
  }
}

TEST(TimeStep, MassRateIsThatOfTheScheme) {
  const TimeStep time{0.01, 0.5};
  EXPECT_EQ(time.theta_t(), 0.5 * 0.01);
  EXPECT_EQ(time.mass_rate(3), 3 / (0.5 * 0.01));
}

}  // namespace
}  // namespace nodia

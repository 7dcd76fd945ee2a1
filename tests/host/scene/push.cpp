#include "host/scene/push.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nodia {
namespace {

PushDescription push(double from_s, double to_s) {
  PushDescription push;
  push.force_N = {3, -5, 7};
  push.from_s = from_s;
  push.to_s = to_s;
  return push;
}

/// Whether spans lie on the steps' ends, in one step, or reach beyond the simulation's beginning.
TEST(Push, ItsImpulseDoesNotDependOnTheSteps) {
  const double spans[][2] = {{0, 0.1}, {0.013, 0.0471}, {0.021, 0.022}, {0.1, 0.2}, {0.2999, 0.3}};
  for (const double step_s : {0.3, 0.1, 0.01, 0.007, 1e-4}) {
    for (const auto& [from_s, to_s] : spans) {
      const PushDescription p = push(from_s, to_s);
      Vec3d impulse{};
      for (int k = 0; k * step_s < 0.35; ++k)
        impulse += step_s * p.mean_force_N(k * step_s, (k + 1) * step_s);
      const Vec3d expected = (to_s - from_s) * p.force_N;
      EXPECT_LT(norm(impulse - expected), 1e-12 * norm(expected)) << step_s << " " << from_s;
    }
  }
}

TEST(Push, IsWholeInsideItsSpanAndNothingOutside) {
  const PushDescription p = push(0.1, 0.3);
  for (int k = 0; k < 50; ++k) {
    const double begin_s = 0.01 * k, end_s = 0.01 * (k + 1);
    const Vec3d mean = p.mean_force_N(begin_s, end_s);
    if (k >= 11 && k < 29) {
      EXPECT_EQ(mean.x, 3) << k;
    } else if (k < 9 || k > 30) {
      EXPECT_EQ(norm(mean), 0) << k;
    }
  }
  EXPECT_EQ(norm(p.mean_force_N(-0.2, -0.1)), 0);
  EXPECT_EQ(norm(p.mean_force_N(0.3, 0.4)), 0) << "one that begins where it ends";
  EXPECT_DOUBLE_EQ(p.mean_force_N(0.05, 0.15).z, 3.5);
}

}  // namespace
}  // namespace nodia

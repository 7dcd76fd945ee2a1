#include "host/scene/external_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nodia {
namespace {

ExternalForceDescription external_force(double from_s, double duration_s) {
  ExternalForceDescription external_force;
  external_force.force_N = {3, -5, 7};
  external_force.from_s = from_s;
  external_force.duration_s = duration_s;
  return external_force;
}

/// Whether spans lie on the steps' ends, in one step, or reach beyond the simulation's beginning.
TEST(ExternalForce, ItsImpulseDoesNotDependOnTheSteps) {
  const double spans[][2] = {{0, 0.1}, {0.013, 0.0341}, {0.021, 0.001}, {0.1, 0.1}, {0.2999, 1e-4}};
  for (const double step_s : {0.3, 0.1, 0.01, 0.007, 1e-4}) {
    for (const auto& [from_s, duration_s] : spans) {
      const ExternalForceDescription p = external_force(from_s, duration_s);
      Vec3d impulse{};
      for (int k = 0; k * step_s < 0.35; ++k)
        impulse += step_s * p.mean_force_N(k * step_s, (k + 1) * step_s);
      const Vec3d expected = duration_s * p.force_N;
      EXPECT_LT(norm(impulse - expected), 1e-12 * norm(expected)) << step_s << " " << from_s;
    }
  }
}

TEST(ExternalForce, IsWholeInsideItsSpanAndNothingOutside) {
  const ExternalForceDescription p = external_force(0.125, 0.25);
  for (int k = 0; k < 50; ++k) {
    const double begin_s = 0.01 * k, end_s = 0.01 * (k + 1);
    const Vec3d mean = p.mean_force_N(begin_s, end_s);
    if (k >= 13 && k < 37) {
      EXPECT_EQ(mean.x, 3) << k;
    } else if (k < 12 || k > 37) {
      EXPECT_EQ(norm(mean), 0) << k;
    }
  }
  EXPECT_EQ(norm(p.mean_force_N(-0.2, -0.1)), 0);
  EXPECT_EQ(norm(p.mean_force_N(0.375, 0.4)), 0) << "one that begins where it ends";
  EXPECT_DOUBLE_EQ(p.mean_force_N(0.0625, 0.1875).z, 3.5);
}

}  // namespace
}  // namespace nodia

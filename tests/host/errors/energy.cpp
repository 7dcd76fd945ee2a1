#include "host/errors/energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/projection_oracle.hpp"

namespace nodia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Known values for a = 2, l = 0 (Enzenhoefer et al., (5)).
TEST(EnergyErrorScalar, KnownValues) {
  EXPECT_DOUBLE_EQ(energy_error_scalar(-0.1, 0, 2, 0, kInfinity), 0.01);
  EXPECT_DOUBLE_EQ(energy_error_scalar(0.3, 0.4, 2, 0, kInfinity), 0.04);
  EXPECT_EQ(energy_error_scalar(0.3, 0, 2, 0, kInfinity), 0);
  EXPECT_EQ(energy_error_scalar(0, 0.4, 2, 0, kInfinity), 0);
  // A normal velocity that penetrates has no bound to go to: w^2/(2a).
  EXPECT_DOUBLE_EQ(energy_error_scalar(0.3, -0.4, 2, 0, kInfinity), 0.04);
}

TEST(EnergyErrorScalar, BothBounds) {
  // At the bound that opposes the velocity there is no error; at the other one there is.
  EXPECT_EQ(energy_error_scalar(1, -5, 2, -1, 1), 0);
  EXPECT_EQ(energy_error_scalar(-1, 5, 2, -1, 1), 0);
  // sigma_l = 2: a/2 4 < w^2/(2a) = 6.25
  EXPECT_DOUBLE_EQ(energy_error_scalar(1, 5, 2, -1, 1), 4);
  // sigma_u = 0.5, not the 1.5 of the printed sign
  EXPECT_DOUBLE_EQ(energy_error_scalar(0.5, -5, 2, -1, 1), 0.25);
  // dx_u = 0.5
  EXPECT_DOUBLE_EQ(energy_error_scalar(1.5, 0, 2, -1, 1), 0.25);
}

TEST(EnergyErrorScalar, TakesTheLargestPart) {
  // Outside by 0.1 and separating at 0.4: the maximum, not the sum.
  EXPECT_DOUBLE_EQ(energy_error_scalar(-0.1, -0.4, 2, 0, kInfinity), 0.04);
}

TEST(EnergyErrorScalar, ScalesWithEnergy) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double x = uniform(engine), w = uniform(engine), s = 8;
    EXPECT_DOUBLE_EQ(energy_error_scalar(s * x, w, 2 / s, -s * 0.3, s * 0.5),
                     s * energy_error_scalar(x, w, 2, -0.3, 0.5));
  }
}

ContactImpulse random_impulse(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  ContactImpulse c;
  for (int axis = 0; axis < 3; ++axis) {
    c.x[axis] = uniform(engine);
    c.w[axis] = uniform(engine);
    c.a[axis] = 1.5 + uniform(engine);
  }
  c.mu1 = 0.6 + 0.4 * uniform(engine);
  c.mu2 = 0.6 + 0.4 * uniform(engine);
  return c;
}

TEST(EnergyErrorCone, VanishesAtCoulombSolutions) {
  std::mt19937_64 engine(2);
  for (int i = 0; i < 1000; ++i) {
    ContactImpulse c = random_impulse(engine);
    const double gamma = 0.7;
    const Vec3d free = c.w;
    c.x = oracle::coulomb_force(gamma, free, c.mu1, c.mu2);
    c.w = gamma * c.x + free;
    EXPECT_LT(energy_error_cone(c), 1e-24);
  }
}

TEST(EnergyErrorCone, IsPositiveElsewhere) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 1000; ++i) EXPECT_GT(energy_error_cone(random_impulse(engine)), 1e-9);
}

TEST(EnergyErrorCone, KnownValues) {
  ContactImpulse c;
  c.a = {2, 2, 2};
  c.mu1 = c.mu2 = 0.5;
  c.x = {1, 0.3, 0.4};  // on the edge of the section
  c.w = {0, -3, -4};    // slips against the force
  EXPECT_NEAR(energy_error_cone(c), 0, 1e-30);
  EXPECT_GT(energy_error_box(c), 0.01);  // the floor of box bounds
  c.w = {0, 3, 4};  // slips along the force, which must turn round: |x_0 - x_w| = 1
  EXPECT_DOUBLE_EQ(energy_error_cone(c), 1);
  c.w = {0, 0, 0};
  c.x = {1, 0.6, 0.8};  // outside by 0.5
  EXPECT_DOUBLE_EQ(energy_error_cone(c), 0.25);
  c.x = {-0.1, 0, 0};
  EXPECT_DOUBLE_EQ(energy_error_cone(c), 0.01);
}

TEST(EnergyErrorCone, EqualsTheBoxWithoutFriction) {
  std::mt19937_64 engine(4);
  for (int i = 0; i < 100; ++i) {
    ContactImpulse c = random_impulse(engine);
    c.mu1 = c.mu2 = 0;
    c.x.y = c.x.z = 0;
    EXPECT_DOUBLE_EQ(energy_error_cone(c), energy_error_box(c));
  }
}

TEST(EnergyError, PassesNotANumberOn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int axis = 0; axis < 3; ++axis) {
    std::mt19937_64 engine(5);
    ContactImpulse c = random_impulse(engine);
    c.x[axis] = nan;
    EXPECT_TRUE(std::isnan(energy_error_cone(c)));
    EXPECT_TRUE(std::isnan(energy_error_box(c)));
  }
}

}  // namespace
}  // namespace nodia

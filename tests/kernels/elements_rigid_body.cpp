#include "kernels/elements/rigid_body.hpp"

#include <gtest/gtest.h>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using test::FemRandom;

struct Spin {
  Quaternion q;
  Vec3d omega;
};

Vec3d momentum(const Mat3d& inertia, const Spin& s) {
  return world_inertia(rotation_matrix(s.q), inertia) * s.omega;
}
double energy(const Mat3d& inertia, const Spin& s) {
  return 0.5 * dot(s.omega, momentum(inertia, s));
}

Spin free_step(const Mat3d& inertia, const Spin& s, double t, double theta) {
  const Vec3d free = free_angular_velocity(inertia, s.q, s.omega, t);
  const Quaternion next = turned(s.q, free, t);
  return {next, next_angular_velocity(inertia, s.q, next, s.omega, free, free, theta)};
}

/// Euler's equations in body axes by Runge-Kutta of order 4, an oracle.
Spin runge_kutta(const Mat3d& inertia, Spin s, double t, int n_step) {
  const Mat3d inverse_inertia = inverse(inertia);
  const double h = t / n_step;
  Vec3d W = inverse_rotate(s.q, s.omega);
  const auto rate = [&](Vec3d w) { return inverse_inertia * gyroscopic_torque(inertia, w); };
  const auto turn = [](Quaternion q, Vec3d w) {
    const Quaternion p = q * Quaternion{0, w.x, w.y, w.z};
    return Quaternion{0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z};
  };
  const auto add = [](Quaternion q, double c, Quaternion p) {
    return Quaternion{q.w + c * p.w, q.x + c * p.x, q.y + c * p.y, q.z + c * p.z};
  };
  for (int k = 0; k < n_step; ++k) {
    const Vec3d a = rate(W), b = rate(W + 0.5 * h * a), c = rate(W + 0.5 * h * b);
    const Vec3d d = rate(W + h * c);
    const Quaternion p = turn(s.q, W), r = turn(add(s.q, h / 2, p), W + 0.5 * h * a);
    const Quaternion u = turn(add(s.q, h / 2, r), W + 0.5 * h * b);
    const Quaternion v = turn(add(s.q, h, u), W + h * c);
    s.q = add(add(add(add(s.q, h / 6, p), h / 3, r), h / 3, u), h / 6, v);
    W += (h / 6) * (a + 2.0 * b + 2.0 * c + d);
  }
  s.q = normalized(s.q);
  s.omega = rotate(s.q, W);
  return s;
}

double turn_between(Quaternion a, Quaternion b) {
  return norm(rotation_log(a * conjugate(b)));
}

Mat3d random_inertia(FemRandom* random) {
  const Mat3d R = random->rotation();
  const double a = random->uniform(0.2, 2), b = random->uniform(0.2, 2);
  return world_inertia(R, test::diagonal(a, b, random->uniform(std::fabs(a - b) + 0.05, a + b)));
}

TEST(RigidBody, WorldInertiaIsSymmetricToTheLastBit) {
  FemRandom random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3d I = world_inertia(random.rotation(), random_inertia(&random));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(I(i, j), I(j, i));
  }
}

TEST(RigidBody, FreeTurnKeepsMomentumAndEnergyForEveryThetaAndStep) {
  FemRandom random(2);
  double worst_momentum = 0, worst_energy = 0;
  for (const double theta : {0.5, 1.0}) {
    for (const double t : {1e-4, 1e-2, 0.1, 1.0, 7.0}) {
      for (int trial = 0; trial < 20; ++trial) {
        const Mat3d inertia = random_inertia(&random);
        Spin s{quaternion_exp(random.vector()), random.vector(6)};
        const Vec3d L = momentum(inertia, s);
        const double E = energy(inertia, s);
        for (int k = 0; k < 100; ++k) s = free_step(inertia, s, t, theta);
        worst_momentum = std::max(worst_momentum, norm(momentum(inertia, s) - L) / norm(L));
        worst_energy = std::max(worst_energy, std::fabs(energy(inertia, s) / E - 1));
      }
    }
  }
  EXPECT_LT(worst_momentum, 2e-13);
  EXPECT_LT(worst_energy, 2e-12);
}

TEST(RigidBody, FreeTurnIsOfSecondOrder) {
  FemRandom random(3);
  for (int trial = 0; trial < 10; ++trial) {
    const Mat3d inertia = random_inertia(&random);
    const Spin start{quaternion_exp(random.vector()), random.vector(2)};
    const Spin exact = runge_kutta(inertia, start, 2, 4000);
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const int n = 100 << level;
      Spin s = start;
      for (int k = 0; k < n; ++k) s = free_step(inertia, s, 2.0 / n, 0.5);
      error[level] = turn_between(s.q, exact.q);
    }
    EXPECT_LT(error[0], 2e-2);
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  }
}

TEST(RigidBody, TurnAboutAPrincipalAxisIsExactForLargeSteps) {
  const Mat3d inertia = test::diagonal(1, 2, 3);
  const Quaternion q = quaternion_exp({0.3, -1, 0.7});
  for (int axis = 0; axis < 3; ++axis) {
    for (const double angle : {1e-3, 0.039, 0.041, 0.4, 0.6, 3.0, 3.2, 6.2, 6.4, 25.0}) {
      if (axis == 1 && angle > 10) continue;  // unstable: rounding grows by exp(0.58 angle)
      Vec3d W{};
      W[axis] = angle;
      const Vec3d omega = rotate(q, W);
      EXPECT_LT(norm(free_angular_velocity(inertia, q, omega, 1) - omega), 1e-13 * angle);
    }
  }
}

TEST(RigidBody, SphereTurnsEvenly) {
  FemRandom random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d omega = random.vector(10);
    const Quaternion q = quaternion_exp(random.vector());
    EXPECT_LT(norm(free_angular_velocity(0.7 * Mat3d::identity(), q, omega, 0.4) - omega), 1e-13);
  }
}

// The flip of the middle axis.
TEST(RigidBody, DzhanibekovFlipsOnTimeAndKeepsMomentumAndEnergy) {
  const Mat3d inertia = test::diagonal(1, 2, 3);
  const double t = 1e-3;
  for (const double theta : {0.5, 1.0}) {
    Spin s{{}, {0.01, 1, 0.01}};
    const double L = norm(momentum(inertia, s));
    EXPECT_NEAR(2 * energy(inertia, s), 2.0004, 1e-14);
    std::vector<double> flips;
    double before = 1, worst_L = 0, worst_E = 0;
    for (int k = 1; k <= 70000; ++k) {
      s = free_step(inertia, s, t, theta);
      const double now = inverse_rotate(s.q, s.omega).y;
      if (before * now < 0) flips.push_back(t * (k - 1 + before / (before - now)));
      before = now;
      worst_L = std::max(worst_L, std::fabs(norm(momentum(inertia, s)) / L - 1));
      worst_E = std::max(worst_E, std::fabs(2 * energy(inertia, s) / 2.0004 - 1));
    }
    ASSERT_GE(flips.size(), 4u);
    EXPECT_NEAR(flips[0], 10.91691, 1e-3);
    for (std::size_t k = 1; k < flips.size(); ++k)
      EXPECT_NEAR(flips[k] - flips[k - 1], 19.55286, 1e-3);
    EXPECT_LT(worst_L, 1e-10);
    EXPECT_LT(worst_E, 1e-6);
  }
}

TEST(RigidBody, ConstantTorqueIsBalancedExactly) {
  FemRandom random(5);
  for (const double theta : {0.5, 1.0}) {
    const Mat3d inertia = random_inertia(&random);
    Spin s{quaternion_exp(random.vector()), random.vector(3)};
    const Vec3d L = momentum(inertia, s), torque = random.vector(2);
    const double t = 0.01;
    for (int k = 0; k < 100; ++k) {
      const Vec3d free = free_angular_velocity(inertia, s.q, s.omega, t);
      const Mat3d I = world_inertia(rotation_matrix(s.q), inertia);
      const Vec3d hat = free + (theta * t) * (inverse(I) * torque);
      const Quaternion next = turned(s.q, hat, t);
      s = {next, next_angular_velocity(inertia, s.q, next, s.omega, free, hat, theta)};
    }
    EXPECT_LT(norm(momentum(inertia, s) - L - torque), 1e-12);
  }
}

}  // namespace
}  // namespace nodia

#include "kernels/core/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using test::FemRandom;

constexpr double kPi = std::numbers::pi;

double distance(const Mat3d& a, const Mat3d& b) {
  return test::frobenius(a - b);
}

Vec3d unit_vector(FemRandom* random) {
  const Vec3d v{random->normal(), random->normal(), random->normal()};
  return (1 / norm(v)) * v;
}

Quaternion random_quaternion(FemRandom* random) {
  return normalized({random->normal(), random->normal(), random->normal(), random->normal()});
}

TEST(Rotation, SkewIsTheCrossProduct) {
  FemRandom random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3d a = random.vector(), b = random.vector();
    EXPECT_LT(norm(skew(a) * b - cross(a, b)), 1e-16);
  }
}

TEST(Rotation, ExponentialIsThatOfEigenAtEveryAngle) {
  FemRandom random(2);
  for (const double angle : {1e-300, 1e-12, 1e-7, 1e-3, 0.5, 2., kPi - 1e-9, kPi, 4., 100.}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Vec3d axis = unit_vector(&random);
      const Eigen::Matrix3d expected =
          Eigen::AngleAxisd(angle, Eigen::Vector3d(axis.x, axis.y, axis.z)).toRotationMatrix();
      EXPECT_LT((to_eigen(rotation_exp(angle * axis)) - expected).norm(), 4e-15 * (1 + angle));
    }
  }
}

// Relative to the angle below 1, where a strain is a small difference of orientations.
TEST(Rotation, LogarithmOfAQuaternionUndoesTheExponential) {
  FemRandom random(3);
  for (const double angle :
       {0., 1e-200, 1e-16, 1e-9, 1e-8, 1e-4, 0.034, 0.035, 0.1, 1., 3., kPi - 1e-12}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Vec3d phi = angle * unit_vector(&random);
      const Quaternion q = quaternion_exp(phi);
      EXPECT_LE(norm(rotation_log(q) - phi), 1e-15 * angle);
      EXPECT_LE(norm(rotation_log(Quaternion{-q.w, -q.x, -q.y, -q.z}) - phi), 1e-15 * angle);
    }
  }
}

TEST(Rotation, LogarithmOfAMatrixIsAccurateNearZeroAndNearPi) {
  FemRandom random(4);
  for (const double angle : {0., 1e-14, 1e-8, 1e-3, 1., 2.5, 3.1, kPi - 1e-5, kPi - 1e-9}) {
    for (int trial = 0; trial < 200; ++trial) {
      const Vec3d phi = angle * unit_vector(&random);
      EXPECT_LE(norm(rotation_log(rotation_exp(phi)) - phi), 3e-15);
    }
  }
}

TEST(Rotation, LogarithmOfHalfATurnHasLengthPi) {
  FemRandom random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d axis = unit_vector(&random);
    const Mat3d R = 2.0 * outer(axis, axis) - Mat3d::identity();
    const Vec3d phi = rotation_log(R);
    EXPECT_NEAR(norm(phi), kPi, 1e-15);
    EXPECT_LT(distance(rotation_exp(phi), R), 3e-15);
  }
}

TEST(Rotation, QuaternionOfAMatrixUndoesTheMatrixOfAQuaternion) {
  FemRandom random(6);
  for (int trial = 0; trial < 500; ++trial) {
    const Mat3d R = random.rotation();
    const Quaternion q = quaternion_from_rotation(R);
    EXPECT_GE(q.w, 0);
    EXPECT_LT(distance(rotation_matrix(q), R), 3e-15);
  }
}

TEST(Rotation, QuaternionsRotateAndComposeLikeTheirMatrices) {
  FemRandom random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const Quaternion p = random_quaternion(&random), q = random_quaternion(&random);
    const Vec3d v = random.vector();
    EXPECT_LT(distance(rotation_matrix(p * q), rotation_matrix(p) * rotation_matrix(q)), 3e-15);
    EXPECT_LT(norm(rotate(q, v) - rotation_matrix(q) * v), 2e-15);
    EXPECT_LT(norm(inverse_rotate(q, rotate(q, v)) - v), 2e-15);
  }
}

TEST(Rotation, InverseLeftJacobianIsTheDerivativeOfTheLogarithm) {
  FemRandom random(8);
  double worst = 0;
  for (const double angle : {0., 1e-6, 0.049, 0.051, 0.3, 1.5, 2.8, 3.0}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Vec3d phi = angle * unit_vector(&random);
      const Mat3d J = inverse_left_jacobian(phi);
      const double h = 1e-4;
      for (int axis = 0; axis < 3; ++axis) {
        const auto moved = [&](double s) {
          Vec3d d{};
          d[axis] = s * h;
          return rotation_log(quaternion_exp(d) * quaternion_exp(phi));
        };
        // Fourth-order central difference.
        const Vec3d slope =
            (1 / (12 * h)) * (8.0 * (moved(1) - moved(-1)) - (moved(2) - moved(-2)));
        const Vec3d column{J(0, axis), J(1, axis), J(2, axis)};
        worst = std::max(worst, norm(slope - column));
      }
    }
  }
  EXPECT_LT(worst, 1e-10);
}

TEST(Rotation, InverseLeftJacobianIsSmoothAcrossItsSeries) {
  const Vec3d axis{0.6, 0, 0.8};
  const double edge = 0.05;
  const Mat3d below = inverse_left_jacobian((edge * (1 - 1e-14)) * axis);
  const Mat3d above = inverse_left_jacobian((edge * (1 + 1e-14)) * axis);
  EXPECT_LT(distance(below, above), 2e-15);
  EXPECT_TRUE(std::isfinite(inverse_left_jacobian(kPi * axis)(0, 0)));
}

TEST(Rotation, TurnedFollowsAWorldAngularVelocityAndStaysUnit) {
  FemRandom random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Quaternion q = random_quaternion(&random);
    const Vec3d w = random.vector(5);
    const Quaternion next = turned(q, w, 0.3);
    EXPECT_LT(distance(rotation_matrix(next), rotation_exp(0.3 * w) * rotation_matrix(q)), 3e-15);
  }
  Quaternion q = random_quaternion(&random);
  for (int step = 0; step < 100000; ++step) q = turned(q, {3, -2, 1}, 1e-3);
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
}

}  // namespace
}  // namespace nodia

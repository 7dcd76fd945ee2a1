#include "kernels/core/pose.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace nodia {
namespace {

Quaternion random_rotation(std::mt19937_64* random) {
  std::normal_distribution<double> normal;
  const double w = normal(*random), x = normal(*random), y = normal(*random), z = normal(*random);
  return normalized({w, x, y, z});
}

Eigen::Quaterniond to_eigen(Quaternion q) {
  return {q.w, q.x, q.y, q.z};
}

double difference(const Mat3d& a, const Eigen::Matrix3d& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::fabs(a(i, j) - b(i, j)));
  }
  return largest;
}

TEST(Pose, RotationMatrixIsThatOfEigen) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Quaternion q = random_rotation(&random);
    EXPECT_LT(difference(rotation_matrix(q), to_eigen(q).toRotationMatrix()), 1e-15);
  }
}

TEST(Pose, NormalizedHasUnitLengthForHugeAndTinyQuaternions) {
  for (const double scale : {1e-320, 1e-200, 1e-3, 1., 1e200, 1e308}) {
    const Quaternion q = normalized({scale, -scale, 0.5 * scale, 0});
    EXPECT_NEAR(to_eigen(q).norm(), 1, 1e-15);
    EXPECT_NEAR(q.y / q.w, 0.5, 1e-3);
  }
}

TEST(Pose, SlerpIsThatOfEigen) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Quaternion a = random_rotation(&random), b = random_rotation(&random);
    const double s = trial / 199.0;
    EXPECT_LT(difference(rotation_matrix(slerp(a, b, s)),
                         to_eigen(a).slerp(s, to_eigen(b)).toRotationMatrix()),
              1e-14);
  }
}

TEST(Pose, SlerpTakesTheShortWayAndTurnsEvenly) {
  const Quaternion a{1, 0, 0, 0};
  const double half = 0.5 * 3.0;  // a turn of 3 rad about z, given by the far quaternion
  const Quaternion b{-std::cos(half), 0, 0, -std::sin(half)};
  for (const double s : {0., 0.25, 0.5, 0.75, 1.}) {
    const Mat3d r = rotation_matrix(slerp(a, b, s));
    EXPECT_NEAR(std::atan2(r(1, 0), r(0, 0)), 3 * s, 1e-14);
  }
}

TEST(Pose, SlerpIsAccurateForVerySmallTurns) {
  for (const double angle : {1e-3, 1e-8, 1e-12}) {
    const Quaternion b{std::cos(0.5 * angle), std::sin(0.5 * angle), 0, 0};
    const Quaternion q = slerp({}, b, 0.25);
    EXPECT_NEAR(q.x / std::sin(0.125 * angle), 1, 1e-14);
  }
}

TEST(Pose, SlerpOfEqualRotationsIsTheFirstBitForBit) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Quaternion a = random_rotation(&random);
    const Quaternion b = trial % 2 == 0 ? a : Quaternion{-a.w, -a.x, -a.y, -a.z};
    const Quaternion q = slerp(a, b, trial / 99.0);
    EXPECT_TRUE(q.w == a.w && q.x == a.x && q.y == a.y && q.z == a.z);
  }
}

TEST(Pose, LocalAndWorldAreInverse) {
  std::mt19937_64 random(4);
  const Pose pose{{1, -2, 3}, rotation_matrix(random_rotation(&random))};
  const Vec3d p{0.3, 0.7, -0.2};
  EXPECT_LT(norm(pose.to_local(pose.to_world(p)) - p), 1e-15);
  EXPECT_LT(norm(pose.to_world({}) - pose.position), 1e-15);
}

}  // namespace
}  // namespace nodia

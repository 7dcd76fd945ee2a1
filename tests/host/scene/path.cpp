#include "host/scene/path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

Quaternion about_z(double angle) {
  return {std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)};
}

double angle_about_z(const Mat3d& r) {
  return std::atan2(r(1, 0), r(0, 0));
}

Path sample_path() {
  return {{{1, {0, 0, 0}, about_z(0)},
           {3, {2, -4, 1}, about_z(1.2)},
           {4, {2, -4, 1}, about_z(1.2)},
           {4.5, {0, 1, 0}, about_z(-0.3)}}};
}

bool equal(const Pose& a, const Pose& b) {
  bool same = true;
  for (int i = 0; i < 3; ++i) {
    same = same && a.position[i] == b.position[i];
    for (int j = 0; j < 3; ++j) same = same && a.rotation(i, j) == b.rotation(i, j);
  }
  return same;
}

TEST(Path, WithoutKeysIsTheIdentityForEver) {
  const Path path;
  for (const double t : {-1., 0., 1e9}) EXPECT_TRUE(equal(path.at(t), Pose{}));
  EXPECT_FALSE(path.moves());
}

TEST(Path, WithOneKeyRestsThere) {
  const Path path{{{2, {1, 2, 3}, about_z(0.5)}}};
  EXPECT_FALSE(path.moves());
  for (const double t : {-1., 2., 5.}) {
    EXPECT_TRUE(equal(path.at(t), path.at(0)));
    EXPECT_EQ(path.at(t).position.y, 2);
    EXPECT_NEAR(angle_about_z(path.at(t).rotation), 0.5, 1e-15);
  }
}

TEST(Path, PassesThroughItsKeysExactly) {
  const Path path = sample_path();
  EXPECT_TRUE(path.moves());
  for (const Path::Key& key : path.keys) {
    const Pose expected{key.position, rotation_matrix(normalized(key.orientation_wxyz))};
    EXPECT_TRUE(equal(path.at(key.time_s), expected)) << key.time_s;
  }
}

TEST(Path, IsConstantBeforeAndBehindItsKeys) {
  const Path path = sample_path();
  EXPECT_TRUE(equal(path.at(-100), path.at(1)));
  EXPECT_TRUE(equal(path.at(0.999), path.at(1)));
  EXPECT_TRUE(equal(path.at(4.500001), path.at(4.5)));
  EXPECT_TRUE(equal(path.at(std::numeric_limits<double>::infinity()), path.at(4.5)));
}

TEST(Path, RestsBitForBitBetweenEqualKeys) {
  const Path path = sample_path();
  for (const double t : {3.1, 3.5, 3.999, 4.0}) EXPECT_TRUE(equal(path.at(t), path.at(3)));
}

TEST(Path, FollowsTheMinimumJerkProfile) {
  const Path path = sample_path();
  for (const double r : {0.1, 0.25, 0.5, 0.9}) {
    const double s = 10 * std::pow(r, 3) - 15 * std::pow(r, 4) + 6 * std::pow(r, 5);
    const Pose pose = path.at(1 + 2 * r);
    EXPECT_NEAR(pose.position.x, 2 * s, 1e-14);
    EXPECT_NEAR(pose.position.y, -4 * s, 1e-14);
    EXPECT_NEAR(pose.position.z, s, 1e-14);
    EXPECT_NEAR(angle_about_z(pose.rotation), 1.2 * s, 1e-14);
  }
  EXPECT_NEAR(path.at(2).position.x, 1, 1e-15);  // half way after half the time
}

TEST(Path, EasesFromNothingToAllAndTheRateIsTheSlope) {
  for (const PathProfile profile : {PathProfile::minimum_jerk, PathProfile::linear}) {
    EXPECT_EQ(path_share(profile, 0).share, 0);
    EXPECT_EQ(path_share(profile, 1).share, 1);
    for (const double r : {0.05, 0.3, 0.5, 0.95}) {
      const double h = 1e-5;
      const double slope = path_share(profile, r + h).share - path_share(profile, r - h).share;
      EXPECT_NEAR(path_share(profile, r).rate, slope / (2 * h), 1e-8);
    }
  }
  EXPECT_EQ(path_share(PathProfile::linear, 0.3).share, 0.3);
  EXPECT_EQ(path_share(PathProfile::minimum_jerk, 0).rate, 0);
  EXPECT_EQ(path_share(PathProfile::minimum_jerk, 1).rate, 0);
}

TEST(Path, TurnsTheShortWay) {
  const double far = 2 * std::numbers::pi - 0.4;  // 0.4 rad the other way round
  const Path path{{{0, {}, about_z(0)}, {1, {}, about_z(far)}}};
  EXPECT_NEAR(angle_about_z(path.at(0.5).rotation), -0.2, 1e-14);
}

TEST(Path, NormalisesItsQuaternions) {
  const Path path{{{0, {}, {3, 0, 0, 0}}, {1, {}, {0, 0, 0, 0.01}}}};
  EXPECT_NEAR(angle_about_z(path.at(0.5).rotation), 0.5 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(determinant(path.at(0.3).rotation), 1, 1e-14);
}

TEST(Path, ValueVelocityAndAccelerationAreContinuousAtItsKeys) {
  const Path path = sample_path();
  constexpr double h = 1e-4;
  for (const Path::Key& key : path.keys) {
    SCOPED_TRACE(key.time_s);
    // s = 10 r^3 + ... next to a key; the shortest interval lasts 0.5 s.
    const double r = h / 0.5;
    const Pose at = path.at(key.time_s);
    for (const double side : {-1., 1.}) {
      const Pose beside = path.at(key.time_s + side * h);
      EXPECT_LT(norm(beside.position - at.position), 10 * r * r * r * 10);
      EXPECT_LT(std::fabs(angle_about_z(beside.rotation) - angle_about_z(at.rotation)),
                10 * r * r * r * 10);
    }
    const Vec3d velocity =
        (1 / (2 * h)) * (path.at(key.time_s + h).position - path.at(key.time_s - h).position);
    EXPECT_LT(norm(velocity), 1e-4);
  }
}

TEST(Path, ValidateAcceptsGoodPaths) {
  EXPECT_NO_THROW(Path{}.validate("path"));
  EXPECT_NO_THROW(sample_path().validate("path"));
}

TEST(Path, ValidateNamesTheBrokenRule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto expect_rejected = [](const Path& path, const std::string& message) {
    EXPECT_THAT(
        [&] { path.validate("obstacles.bar.path"); },
        ThrowsMessage<InputError>(AllOf(StartsWith("obstacles.bar.path."), HasSubstr(message))));
  };
  for (const double bad : {nan, infinity, -infinity}) {
    Path path = sample_path();
    path.keys[0].time_s = bad;
    expect_rejected(path, "path.0.time_s = ");
    path = sample_path();
    path.keys[2].position.z = bad;
    expect_rejected(path, "path.2.position_m = [2, -4, ");
    path = sample_path();
    path.keys[3].orientation_wxyz.x = bad;
    expect_rejected(path, "path.3.orientation_wxyz = ");
  }
  for (const double bad : {3., 2.9, -1.}) {
    Path path = sample_path();
    path.keys[2].time_s = bad;
    expect_rejected(path, "(must be > 3, the time of the keyframe before; ");
  }
  Path path = sample_path();
  path.keys[1].orientation_wxyz = {0, 0, 0, 0};
  expect_rejected(path, "path.1.orientation_wxyz = [0, 0, 0, 0] (must be finite and not zero; ");
}

}  // namespace
}  // namespace nodia

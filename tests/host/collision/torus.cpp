#include "kernels/contact/shapes/torus.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fem/mesh/solid_integrals.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::ProximityScene;

constexpr double kTurn = 2 * std::numbers::pi;

Shape torus(double radius, double tube_radius) {
  Shape shape{ShapeKind::torus};
  shape.radius = radius;
  shape.tube_radius = tube_radius;
  return shape;
}
Mat3d turn_about_x(double angle) {
  return rotation_matrix({std::cos(angle / 2), std::sin(angle / 2), 0, 0});
}

/// Least distance of p to a circle of `n` points.
double distance_to_circle(Vec3d p, double radius, int n) {
  double least = HUGE_VAL;
  for (int k = 0; k < n; ++k)
    least = std::min(least,
                     norm(p - radius * Vec3d{std::cos(kTurn * k / n), std::sin(kTurn * k / n), 0}));
  return least;
}

TEST(Torus, DistanceIsThatToItsCircleLessTheTube) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
  const Shape ring = torus(0.8, 0.3);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3d p{coordinate(random), coordinate(random), coordinate(random)};
    const SurfaceDistance d = signed_distance(ring, p);
    EXPECT_NEAR(d.distance, distance_to_circle(p, 0.8, 4000) - 0.3, 1e-5);
    EXPECT_NEAR(norm(d.normal), 1, 1e-14);
    EXPECT_NEAR(signed_distance(ring, p - d.distance * d.normal).distance, 0, 1e-14);
    constexpr double kStep = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d step{};
      step[axis] = kStep;
      const double slope =
          (signed_distance(ring, p + step).distance - signed_distance(ring, p - step).distance) /
          (2 * kStep);
      EXPECT_NEAR(slope, d.normal[axis], 1e-8);
    }
    const Vec3d q{coordinate(random), coordinate(random), coordinate(random)};
    EXPECT_LE(std::fabs(d.distance - signed_distance(ring, q).distance), norm(p - q) + 1e-14);
    const ShapeBounds box = bounds_of(ring);
    EXPECT_TRUE(d.distance > 0 || box.is_near(p, 0));
  }
}

TEST(Torus, HasADirectionWhereTheGradientHasNone) {
  const Shape ring = torus(2, 0.5);
  const SurfaceDistance centre = signed_distance(ring, {});
  EXPECT_DOUBLE_EQ(centre.distance, 1.5);
  EXPECT_EQ(centre.normal.x, -1);
  const SurfaceDistance axis = signed_distance(ring, {0, 0, 1.5});
  EXPECT_DOUBLE_EQ(axis.distance, 2);
  EXPECT_DOUBLE_EQ(axis.normal.z, 0.6);
  const SurfaceDistance circle = signed_distance(ring, {0, -2, 0});
  EXPECT_DOUBLE_EQ(circle.distance, -0.5);
  EXPECT_EQ(circle.normal.z, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(signed_distance(ring, {nan, 0, 0}).distance));
}

TEST(Torus, WeighsAsAFineMeshOfIt) {
  constexpr double kRadius = 0.8, kTube = 0.3;
  const Shape ring = torus(kRadius, kTube);
  const SolidIntegrals mesh = solid_integrals(test::torus_mesh(kRadius, kTube, 600, 300), "torus");
  EXPECT_NEAR(solid_volume(ring) / mesh.volume_m3, 1, 2e-4);
  const Vec3d inertia = TorusShape::inertia(ring, mesh.volume_m3);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(inertia[axis] / mesh.inertia_m5(axis, axis), 1, 4e-4);
}

TEST(Torus, WhoseTubeFillsItsHoleIsNone) {
  EXPECT_EQ(TorusShape::fault(torus(0.2, 0.1)).size, nullptr);
  for (const double tube : {0.2, 0.3}) {
    const ShapeFault fault = TorusShape::fault(torus(0.2, tube));
    ASSERT_NE(fault.size, nullptr);
    EXPECT_STREQ(fault.size->name, "tube_radius_m");
  }
}

double least_gap(const std::vector<SurfacePair>& pairs) {
  double least = HUGE_VAL;
  for (const SurfacePair& p : pairs) least = std::min(least, p.gap_m);
  return least;
}

TEST(Torus, RestsOnAPlaneFlatAndTilted) {
  const double gap = 1e-3;
  for (const double tilt : {0.0, 0.4, kTurn / 4}) {
    SCOPED_TRACE(tilt);
    ProximityScene scene;
    const double height = 0.1 * std::sin(tilt) + 0.02 + gap;
    scene.add_shape(torus(0.1, 0.02), {{0.3, 0.1, height}, turn_about_x(tilt)});
    scene.add_shape({}, {}, {}, true);
    const std::vector<SurfacePair> pairs = scene.find();
    EXPECT_EQ(pairs.size(), tilt == 0 ? 8u : 1u);
    EXPECT_NEAR(least_gap(pairs), gap, 1e-14);
    for (const SurfacePair& p : pairs) {
      EXPECT_NEAR(p.normal.z, 1, 1e-12);
      EXPECT_NEAR(dot(p.i.position - p.j.position, p.normal), p.gap_m, 1e-14);
    }
  }
}

TEST(Torus, HoldsAPegInItsHole) {
  // A capsule through the hole, off the middle by more than its play: the gap is known.
  for (const double angle : {0.0, 0.3, 2.0}) {
    SCOPED_TRACE(angle);
    ProximityScene scene;
    const Vec3d aside{std::cos(angle), std::sin(angle), 0};
    scene.add_shape({ShapeKind::capsule, {}, 0.05, 0.3, {}}, {0.027 * aside, Mat3d::identity()});
    scene.add_shape(torus(0.1, 0.02), {});
    const std::vector<SurfacePair> pairs = scene.find();
    ASSERT_FALSE(pairs.empty());
    EXPECT_NEAR(least_gap(pairs), 0.1 - 0.02 - 0.05 - 0.027, 1e-12);
    for (const SurfacePair& p : pairs) {
      const double sign = p.surface_i == 0 ? -1 : 1;
      EXPECT_NEAR(p.gap_m < 0.0031 ? sign * dot(p.normal, aside) : 1, 1, 1e-9);
    }
  }
}

TEST(Torus, LinkedRingsTouchWhereTheirTubesAreClosest) {
  // Links of a chain: the second stands in the first's hole; moved apart until the tubes touch.
  for (const double gap : {2e-3, -1e-3}) {
    SCOPED_TRACE(gap);
    ProximityScene scene;
    scene.add_shape(torus(0.1, 0.02), {});
    scene.add_shape(torus(0.1, 0.02), {{2 * 0.1 - 2 * 0.02 - gap, 0, 0}, turn_about_x(kTurn / 4)});
    const std::vector<SurfacePair> pairs = scene.find();
    ASSERT_FALSE(pairs.empty());
    EXPECT_NEAR(least_gap(pairs), gap, 1e-6);
  }
}

TEST(Torus, ThroughASoftBlockIsSeenByItsTube) {
  ProximityScene scene;
  scene.add_soft(mesh_box({0.4, 0.4, 0.05}, {4, 4, 1}), test::moved_by({-0.2, -0.2, -0.05}));
  scene.add_shape(torus(0.1, 0.02), {{0, 0, 0.02 + 1e-3}, Mat3d::identity()});
  int n_point = 0;
  for (const SurfacePair& p : scene.find()) {
    if (p.rule != PairRule::point) continue;
    EXPECT_NEAR(p.gap_m, 1e-3, 1e-12);
    ++n_point;
  }
  EXPECT_EQ(n_point, 16);
}

}  // namespace
}  // namespace nodia

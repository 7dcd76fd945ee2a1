/// Shapes that do not move relative to each other have the contacts of their union.
#include "host/collision/shape_union.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernels/core/rotation.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::ProximityScene;

Shape union_box(Vec3d size) {
  return {ShapeKind::box, size, 0, 0, {}};
}
Shape union_round(ShapeKind kind, double radius, double length = 0) {
  return {kind, {}, radius, length, {}};
}
Mat3d yaw(double angle) {
  return rotation_matrix({std::cos(angle / 2), 0, 0, std::sin(angle / 2)});
}

/// Adds an obstacle of the unit 0, which never moves.
void add_obstacle(const Shape& shape, const Pose& pose, ProximityScene* scene) {
  ShapeSurface surface;
  surface.shape = shape;
  surface.frame = static_cast<int>(scene->pose.size());
  surface.prescribed = true;
  surface.unit = 0;
  surface.start = pose;
  scene->pose.push_back(pose);
  scene->twist.push_back({});
  scene->search.add_shape(surface);
}

/// Adds a board of 0.6 m x 0.4 m with its top at z = 0, as n strips along x.
void add_board(int n, ProximityScene* scene) {
  const double width = 0.6 / n;
  for (int k = 0; k < n; ++k)
    add_obstacle(union_box({width, 0.4, 0.1}),
                 {{-0.3 + width * (k + 0.5), 0, -0.05}, Mat3d::identity()}, scene);
}

std::vector<SurfacePair> pairs_on_board(int n, const Shape& shape, const Pose& pose) {
  ProximityScene scene;
  add_board(n, &scene);
  scene.add_shape(shape, pose, {{0.1, 0, 0}, {}});
  return scene.find();
}

TEST(ShapeUnion, AFlushSeamHasNoWall) {
  std::mt19937 random(1);
  const auto in = [&](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const double angle = trial % 3 == 0 ? 0 : in(0, 6);
    // Also corners within a micrometre of the seam at x = 0.
    const double x = trial % 2 == 0 ? in(-0.1, 0.1) : -0.03 + in(-1e-6, 1e-6);
    const double depth = in(-1e-9, 1e-9);
    const Pose pose{{x, in(-0.1, 0.1), 0.03 - depth}, yaw(angle)};
    for (const Shape& shape : {union_box({0.06, 0.06, 0.06}), union_round(ShapeKind::sphere, 0.03),
                               union_round(ShapeKind::cylinder, 0.03, 0.06)}) {
      const std::vector<SurfacePair> whole = pairs_on_board(1, shape, pose),
                                     cut = pairs_on_board(2, shape, pose);
      EXPECT_GE(cut.size(), whole.size());
      for (const SurfacePair& p : cut) {
        EXPECT_GT(std::fabs(p.normal.z), 1 - 1e-9) << trial << " " << x << " " << p.normal.x;
        EXPECT_NEAR(p.gap_m, -depth, 1e-12);
      }
    }
  }
}

TEST(ShapeUnion, ANodeHasTheGapOverTheBoard) {
  ProximityScene scene;
  add_board(5, &scene);
  scene.add_soft(mesh_box({0.06, 0.06, 0.06}, {3, 3, 3}), moved_by({-0.08, -0.03, -1e-9}));
  const std::vector<SurfacePair> pairs = scene.find();
  EXPECT_EQ(pairs.size(), 16u);
  for (const SurfacePair& p : pairs) {
    EXPECT_NEAR(p.gap_m, -1e-9, 1e-16);
    EXPECT_EQ(p.normal.z, 1);
  }
  EXPECT_FALSE(scene.search.nodes_and_shapes().has_value());
}

TEST(ShapeUnion, AWallAndAStepStay) {
  // A box of 60 mm in the corner of two walls on the floor touches all three at its lower corner,
  // and a step of 5 mm at its lower front corners.
  const Shape body = union_box({0.06, 0.06, 0.06});
  const auto normals = [&](const std::vector<SurfacePair>& pairs, Vec3d n) {
    return std::count_if(pairs.begin(), pairs.end(), [&](const SurfacePair& p) {
      const Vec3d out = p.surface_i < p.surface_j ? -p.normal : p.normal;
      return p.rule == PairRule::point && norm(out - n) < 1e-9 && std::fabs(p.gap_m) < 1e-8;
    });
  };
  ProximityScene corner;
  add_obstacle(union_box({1, 1, 0.1}), {{0, 0, -0.05}, Mat3d::identity()}, &corner);
  add_obstacle(union_box({0.1, 1, 0.2}), {{0.05, 0, 0.1}, Mat3d::identity()}, &corner);
  add_obstacle(union_box({1, 0.1, 0.2}), {{0, 0.05, 0.1}, Mat3d::identity()}, &corner);
  corner.add_shape(body, {{-0.03, -0.03, 0.03 - 1e-9}, Mat3d::identity()}, {{0.1, 0.1, 0}, {}});
  std::vector<SurfacePair> pairs = corner.find();
  EXPECT_GE(normals(pairs, {0, 0, 1}), 3);
  EXPECT_GE(normals(pairs, {-1, 0, 0}), 3);
  EXPECT_GE(normals(pairs, {0, -1, 0}), 3);

  ProximityScene step;
  add_board(1, &step);
  add_obstacle(union_box({0.3, 0.4, 0.1}), {{0.18, 0, -0.045}, Mat3d::identity()}, &step);
  step.add_shape(body, {{0, 0, 0.03 - 1e-9}, Mat3d::identity()}, {{0.1, 0, 0}, {}});
  pairs = step.find();
  EXPECT_GE(normals(pairs, {-1, 0, 0}), 2);
}

TEST(ShapeUnion, ACommandedObstacleLeavesIt) {
  // One strip moves: its side wall is no longer that of the board.
  ProximityScene scene;
  add_board(2, &scene);
  scene.add_shape(union_box({0.06, 0.06, 0.06}), {{-0.0301, 0, 0.03}, Mat3d::identity()},
                  {{0.1, 0, 0}, {}});
  const auto has_wall = [&] {
    const std::vector<SurfacePair> pairs = scene.find();
    return std::any_of(pairs.begin(), pairs.end(),
                       [](const SurfacePair& p) { return std::fabs(p.normal.x) > 0.5; });
  };
  EXPECT_FALSE(has_wall());
  scene.twist[1].linear = {0, 0, 0.1};
  EXPECT_TRUE(has_wall());
}

TEST(ShapeUnion, ABoxThatStandsOnAPlaneKeepsTheTableOfNodes) {
  const auto has_table = [](double height) {
    ProximityScene scene;
    scene.search.set_edges_at_prescribed(false);
    add_obstacle({}, {}, &scene);
    add_obstacle(union_box({0.1, 0.1, 0.1}), {{0, 0, height}, Mat3d::identity()}, &scene);
    scene.add_soft(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}), moved_by({1, 0, 0}));
    return scene.search.nodes_and_shapes().has_value();
  };
  EXPECT_TRUE(has_table(0.05));
  EXPECT_TRUE(has_table(0.2));
  EXPECT_FALSE(has_table(-0.05));  // its top is flush with the plane
}

TEST(ShapeUnion, PartsThatOverlapRestOnThePlaneByTheirOwnPoints) {
  ProximityScene scene;
  scene.add_shape({}, {}, {}, true);
  scene.pose.push_back({{0, 0, 0.05 - 1e-9}, Mat3d::identity()});
  scene.twist.push_back({});
  for (const double x : {-0.03, 0.03}) {
    ShapeSurface part;
    part.shape = union_round(ShapeKind::sphere, 0.05);
    part.frame = 1;
    part.in_frame.position = {x, 0, 0};
    scene.search.add_shape(part);
  }
  const std::vector<SurfacePair> pairs = scene.find();
  ASSERT_EQ(pairs.size(), 2u);
  for (const SurfacePair& p : pairs) EXPECT_NEAR(p.gap_m, -1e-9, 1e-16);
}

/// Contacts with a plane of a ball whose lowest point is in the slab below it. The slab is 2 mm
/// above the plane, and turns by `turn` in the step [rad].
std::size_t contacts_of_hidden_ball(double turn) {
  ProximityScene scene;
  scene.margin = 0.02;
  scene.add_shape({}, {}, {}, true);
  scene.pose.push_back({{0, 0, 0.057}, Mat3d::identity()});
  scene.twist.push_back({{}, {turn / scene.step, 0, 0}});
  ShapeSurface slab;
  slab.shape = union_box({0.2, 0.2, 0.01});
  slab.frame = 1;
  slab.in_frame.position = {0, 0, -0.05};
  scene.search.add_shape(slab);
  ShapeSurface ball;
  ball.shape = union_round(ShapeKind::sphere, 0.05);
  ball.frame = 1;
  const int number = scene.search.add_shape(ball);
  const std::vector<SurfacePair> pairs = scene.find();
  return static_cast<std::size_t>(std::count_if(
      pairs.begin(), pairs.end(),
      [&](const SurfacePair& p) { return p.surface_i == number || p.surface_j == number; }));
}

TEST(ShapeUnion, APointThatMayComeOutOfItsNeighbourKeepsItsContact) {
  EXPECT_EQ(contacts_of_hidden_ball(0), 0u);
  EXPECT_EQ(contacts_of_hidden_ball(0.3), 1u);
}

}  // namespace
}  // namespace nodia

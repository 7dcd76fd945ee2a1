#include "host/collision/detection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/support/random_obstacles.hpp"

namespace nodia {
namespace {

using test::l_grid;
using test::Nodes;
using test::RandomScene;

constexpr double kStep = 0.01;
constexpr double kMargin = 5e-3;

/// The definition, for every node and obstacle.
std::vector<NodeHit> brute_force_detect(const std::vector<ObstaclePose>& obstacles,
                                        const Nodes& nodes) {
  std::vector<NodeHit> out;
  for (int i = 0; i < nodes.size(); ++i) {
    const std::size_t node = static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      const ObstaclePose& o = obstacles[k];
      const SurfaceDistance local = signed_distance(o.shape, o.now.to_local(nodes.x[node]));
      const Vec3d normal = o.now.rotation * local.normal;
      const Vec3d foot = nodes.x[node] - local.distance * normal;
      const Vec3d surface_velocity = (1 / kStep) * (o.next.to_world(o.now.to_local(foot)) - foot);
      const double relative = -dot(nodes.v[node] - surface_velocity, normal);
      const double own =
          dot(surface_velocity, normal) +
          std::max({0.0, -dot(nodes.v[node], normal), -dot(nodes.v_free[node], normal)});
      if (local.distance < kMargin + kStep * std::max({0.0, 2 * relative, own})) {
        out.push_back({i, static_cast<std::int32_t>(k), local.distance, normal, surface_velocity});
      }
    }
  }
  return out;
}

std::vector<NodeHit> detect_all(const std::vector<ObstaclePose>& obstacles, const Nodes& nodes,
                                int n_thread = 1) {
  NodeDetection detection;
  detection.detect(obstacles, RandomScene(99).nodes(100, 5).motions(), {1, kStep}, 1);  // must go
  detection.detect(obstacles, nodes.motions(), {kMargin, kStep}, n_thread);
  return detection.hits();
}

bool equal(Vec3d a, Vec3d b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

void expect_identical(const std::vector<NodeHit>& a, const std::vector<NodeHit>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].node, b[i].node);
    EXPECT_EQ(a[i].obstacle, b[i].obstacle);
    EXPECT_EQ(a[i].gap_m, b[i].gap_m);
    EXPECT_TRUE(equal(a[i].normal, b[i].normal));
    EXPECT_TRUE(equal(a[i].surface_velocity, b[i].surface_velocity));
  }
}

TEST(Detection, IsThatOfBruteForceOnRandomScenes) {
  const DistanceGrid grid = l_grid();
  std::size_t n_pair = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene scene(seed);
    const Nodes nodes = scene.nodes(400, seed % 4 == 0 ? 5 : 0.3);
    const std::vector<ObstaclePose> obstacles = scene.obstacles(grid, seed % 2 == 0);
    const std::vector<NodeHit> found = detect_all(obstacles, nodes);
    const std::vector<NodeHit> expected = brute_force_detect(obstacles, nodes);
    n_pair += expected.size();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].node, expected[i].node);
      EXPECT_EQ(found[i].obstacle, expected[i].obstacle);
      EXPECT_EQ(found[i].gap_m, expected[i].gap_m);
      EXPECT_LT(norm(found[i].normal - expected[i].normal), 1e-15);
      EXPECT_LT(norm(found[i].surface_velocity - expected[i].surface_velocity), 1e-12);
    }
  }
  EXPECT_GT(n_pair, 10000u);
}

TEST(Detection, IsTheSameForEveryNumberOfThreads) {
  const DistanceGrid grid = l_grid();
  RandomScene scene(5);
  const Nodes nodes = scene.nodes(1001, 1);
  const std::vector<ObstaclePose> obstacles = scene.obstacles(grid, true);
  const std::vector<NodeHit> one = detect_all(obstacles, nodes, 1);
  for (const int n_thread : {2, 3, 7}) {
    SCOPED_TRACE(n_thread);
    expect_identical(detect_all(obstacles, nodes, n_thread), one);
  }
}

TEST(Detection, MoreThreadsThanNodesAreHarmless) {
  RandomScene scene(6);
  const Nodes nodes = scene.nodes(2, 1);
  const std::vector<ObstaclePose> floor{{Shape{}, {{0, 0, 1}, Mat3d::identity()}, {}}};
  expect_identical(detect_all(floor, nodes, 5), detect_all(floor, nodes, 1));
  EXPECT_TRUE(detect_all(floor, {}, 2).empty());
  EXPECT_TRUE(detect_all({}, nodes, 1).empty());
}

TEST(Detection, PairsFollowAPermutationOfTheNodes) {
  const DistanceGrid grid = l_grid();
  RandomScene scene(7);
  const Nodes nodes = scene.nodes(500, 0.5);
  const std::vector<ObstaclePose> obstacles = scene.obstacles(grid, true);
  std::vector<std::int32_t> old_of_new(500);
  std::iota(old_of_new.begin(), old_of_new.end(), 0);
  std::shuffle(old_of_new.begin(), old_of_new.end(), std::mt19937_64(8));
  Nodes permuted;
  for (const std::int32_t i : old_of_new) {
    permuted.x.push_back(nodes.x[static_cast<std::size_t>(i)]);
    permuted.v.push_back(nodes.v[static_cast<std::size_t>(i)]);
    permuted.v_free.push_back(nodes.v_free[static_cast<std::size_t>(i)]);
  }
  std::vector<NodeHit> pairs = detect_all(obstacles, permuted);
  for (NodeHit& p : pairs) p.node = old_of_new[static_cast<std::size_t>(p.node)];
  std::sort(pairs.begin(), pairs.end(), [](const NodeHit& a, const NodeHit& b) {
    return std::pair(a.node, a.obstacle) < std::pair(b.node, b.obstacle);
  });
  expect_identical(pairs, detect_all(obstacles, nodes));
}

TEST(Detection, GapsDoNotDependOnThePoseOfTheWholeScene) {
  const DistanceGrid grid = l_grid();
  RandomScene scene(9);
  Nodes nodes = scene.nodes(300, 0.5);
  std::vector<ObstaclePose> obstacles = scene.obstacles(grid, true);
  const std::vector<NodeHit> before = detect_all(obstacles, nodes);
  const Pose g{{0.5, -1, 2}, rotation_matrix(scene.rotation())};
  for (Vec3d& x : nodes.x) x = g.to_world(x);
  for (Vec3d& v : nodes.v) v = g.rotation * v;
  for (Vec3d& v : nodes.v_free) v = g.rotation * v;
  for (ObstaclePose& o : obstacles) {
    o.now = {g.to_world(o.now.position), g.rotation * o.now.rotation};
    o.next = {g.to_world(o.next.position), g.rotation * o.next.rotation};
  }
  const std::vector<NodeHit> after = detect_all(obstacles, nodes);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_NEAR(after[i].gap_m, before[i].gap_m, 1e-14);
    EXPECT_LT(norm(after[i].normal - g.rotation * before[i].normal), 1e-9);
    EXPECT_LT(norm(after[i].surface_velocity - g.rotation * before[i].surface_velocity), 1e-9);
  }
}

TEST(Detection, ReachGrowsWithTheApproachOnly) {
  const std::vector<ObstaclePose> floor{{Shape{}, {}, {}}};
  const double reach = kMargin + 2 * kStep * 0.5;
  const auto is_pair = [&](double z, Vec3d v) {
    return !detect_all(floor, {{{1, 2, z}}, {v}}).empty();
  };
  EXPECT_TRUE(is_pair(kMargin - 1e-9, {0, 0, 0}));
  EXPECT_FALSE(is_pair(kMargin + 1e-9, {0, 0, 0}));
  EXPECT_FALSE(is_pair(kMargin, {0, 0, 0}));
  EXPECT_TRUE(is_pair(reach - 1e-9, {0, 0, -0.5}));
  EXPECT_FALSE(is_pair(reach + 1e-9, {0, 0, -0.5}));
  EXPECT_FALSE(is_pair(kMargin + 1e-9, {3, 3, 0.5}));  // sliding and leaving
  EXPECT_TRUE(is_pair(kMargin - 1e-9, {0, 0, 100}));
  EXPECT_TRUE(is_pair(-10, {0, 0, 0}));
}

TEST(Detection, ReachGrowsWithWhatTheNodeWouldGainInTheStep) {
  const std::vector<ObstaclePose> floor{{Shape{}, {}, {}}};
  const double reach = kMargin + kStep * 0.5;
  const auto is_pair = [&](double z, Vec3d v, Vec3d v_free) {
    return !detect_all(floor, {{{1, 2, z}}, {v}, {v_free}}).empty();
  };
  EXPECT_TRUE(is_pair(reach - 1e-9, {0, 0, 0}, {0, 0, -0.5}));
  EXPECT_FALSE(is_pair(reach + 1e-9, {0, 0, 0}, {0, 0, -0.5}));
  EXPECT_TRUE(is_pair(reach - 1e-9, {0, 0, 3}, {0, 0, -0.5}));
  EXPECT_TRUE(is_pair(reach - 1e-9, {0, 0, -0.25}, {0, 0, 3}));
  EXPECT_FALSE(is_pair(kMargin + 1e-9, {0, 0, 0}, {0, 0, 0.5}));
}

TEST(Detection, AnObstacleThatApproachesCountsAsApproach) {
  ObstaclePose lift{Shape{}, {}, {}};
  lift.next.position.z = 0.5 * kStep;
  const double reach = kMargin + 2 * kStep * 0.5;
  EXPECT_EQ(detect_all({lift}, {{{0, 0, reach - 1e-9}}, {{}}}).size(), 1u);
  EXPECT_EQ(detect_all({lift}, {{{0, 0, reach + 1e-9}}, {{}}}).size(), 0u);
  // Something may stop a node that moves along with it.
  const double once = kMargin + kStep * 0.5;
  EXPECT_EQ(detect_all({lift}, {{{0, 0, once - 1e-9}}, {{0, 0, 0.5}}}).size(), 1u);
  EXPECT_EQ(detect_all({lift}, {{{0, 0, once + 1e-9}}, {{0, 0, 0.5}}}).size(), 0u);
  // A node does not reach an obstacle that flees.
  lift.next.position.z = -0.5 * kStep;
  EXPECT_EQ(detect_all({lift}, {{{0, 0, kMargin + 1e-9}}, {{0, 0, -0.5 + 1e-9}}}).size(), 0u);
}

TEST(Detection, RestingObstaclesHaveExactlyNoSurfaceVelocity) {
  const DistanceGrid grid = l_grid();
  RandomScene scene(10);
  const Nodes nodes = scene.nodes(400, 0.5);
  const std::vector<NodeHit> pairs = detect_all(scene.obstacles(grid, false), nodes);
  EXPECT_GT(pairs.size(), 100u);
  for (const NodeHit& p : pairs) EXPECT_TRUE(equal(p.surface_velocity, {}));
}

TEST(Detection, SurfaceVelocityOfATurningCylinderIsItsChordVelocity) {
  // A roller along y that turns by `angle` in the step about its own axis, and moves along x.
  const double angle = 0.2, radius = 0.1, speed = 0.3;
  const Quaternion along_y = normalized({1, -1, 0, 0});
  const Mat3d lay = rotation_matrix(along_y);
  const Mat3d turn = rotation_matrix({std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0});
  ObstaclePose roller{{ShapeKind::cylinder, {}, radius, 1, {}}, {{0, 0, 0}, lay}, {}};
  roller.next = {{speed * kStep, 0, 0}, turn * lay};
  const std::vector<NodeHit> pairs = detect_all({roller}, {{{0, 0.2, radius + 1e-3}}, {{0, 0, 0}}});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].gap_m, 1e-3, 1e-15);
  EXPECT_LT(norm(pairs[0].normal - Vec3d{0, 0, 1}), 1e-15);
  // The point (0, y, radius) goes to radius (sin, ., cos): a positive turn about y carries the top
  // along +x.
  const Vec3d expected{radius * std::sin(angle) / kStep + speed, 0,
                       radius * (std::cos(angle) - 1) / kStep};
  EXPECT_LT(norm(pairs[0].surface_velocity - expected), 1e-12);
}

TEST(Detection, NodesThatAreNotNumbersAreInNoPair) {
  const DistanceGrid grid = l_grid();
  RandomScene scene(11);
  const std::vector<ObstaclePose> obstacles = scene.obstacles(grid, true);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Nodes lost{{{nan, 0, 0}, {0, nan, 0}, {0, 0, nan}}, {{}, {}, {}}};
  EXPECT_TRUE(detect_all(obstacles, lost).empty());
  // The velocity of one lost node does not hide the others.
  Nodes nodes = scene.nodes(200, 0.5);
  const std::size_t n_pair = detect_all(obstacles, nodes).size();
  nodes.x.push_back({5, 5, 5});
  nodes.v.push_back({nan, nan, nan});
  nodes.v_free.push_back({nan, nan, nan});
  const std::vector<NodeHit> pairs = detect_all(obstacles, nodes);
  EXPECT_EQ(
      std::count_if(pairs.begin(), pairs.end(), [](const NodeHit& p) { return p.node < 200; }),
      static_cast<std::ptrdiff_t>(n_pair));
}

TEST(MaxPenetration, IsThatOfTheDeepestNode) {
  const DistanceGrid grid = l_grid();
  int n_deep = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomScene scene(seed);
    const Nodes nodes = scene.nodes(100, 1);
    for (const ObstaclePose& o : scene.obstacles(grid, false)) {
      double expected = 0;
      for (const Vec3d& x : nodes.x)
        expected = std::max(expected, -signed_distance(o.shape, o.now.to_local(x)).distance);
      n_deep += expected > 0;
      EXPECT_EQ(max_penetration(o.shape, o.now, nodes.x.data(), nodes.size()), expected);
    }
  }
  EXPECT_GT(n_deep, 60);
}

TEST(MaxPenetration, IsZeroWhereThereIsNone) {
  const Vec3d above[] = {{0, 0, 1}, {0, 0, 0}};
  EXPECT_EQ(max_penetration(Shape{}, Pose{}, above, 2), 0);
  EXPECT_EQ(max_penetration(Shape{}, Pose{}, above, 0), 0);
  const Vec3d below[] = {{0, 0, 1}, {5, 5, -0.125}};
  EXPECT_EQ(max_penetration(Shape{}, Pose{}, below, 2), 0.125);
}

}  // namespace
}  // namespace nodia

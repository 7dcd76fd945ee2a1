/// Depth of bodies in each other, and points that pass a surface unseen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "fem/mesh/meshers.hpp"
#include "host/collision/distance_grid.hpp"
#include "host/collision/proximity.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia::test {
namespace {

/// Bodies, their state, and the same state some way on.
struct World {
  ProximitySearch search;
  std::vector<Vec3d> x, v;
  std::vector<Pose> pose;
  std::vector<FrameTwist> twist;

  int add_box(Vec3d size, Vec3d position) {
    return add_shape({ShapeKind::box, size, 0, 0, {}}, position);
  }
  int add_shape(const Shape& shape, Vec3d position, const DistanceGrid* grid = nullptr) {
    ShapeSurface surface;
    surface.shape = shape;
    surface.frame = static_cast<int>(pose.size());
    if (grid) surface.mesh_trees = {std::shared_ptr<void>(), &grid->trees()};
    pose.push_back({position, Mat3d::identity()});
    twist.emplace_back();
    return search.add_shape(surface);
  }
  int add_soft_box(Vec3d size, std::array<int, 3> cells, Vec3d corner) {
    const TetMesh mesh = mesh_box(size, cells);
    const int first = static_cast<int>(x.size());
    for (const Vec3d p : mesh.nodes) x.push_back(corner + p);
    v.resize(x.size());
    return search.add_soft(surface_of(mesh), first);
  }
  int add_rod(Vec3d begin, int n_link, double length, double radius) {
    RodSurface rod;
    rod.first_frame = static_cast<int>(pose.size());
    rod.n_link = n_link;
    rod.radius_m = radius;
    rod.link_length_m = length;
    for (int k = 0; k < n_link; ++k) {  // along x: the links' z axes
      pose.push_back(
          {begin + Vec3d{(k + 0.5) * length, 0, 0}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}});
      twist.emplace_back();
    }
    return search.add_rod(rod);
  }
  ProximityState state() const { return {x, v, pose, twist}; }

  double depth(int i, int j, OverlapScope scope = OverlapScope::all) {
    std::vector<SurfaceOverlap> found;
    search.find_overlaps(state(), scope, &found);
    for (const SurfaceOverlap& o : found)
      if (o.surface_i == i && o.surface_j == j) return o.depth_m;
    return 0;
  }
  /// Finds pairs of the state as it is, then moves nodes and frames.
  std::vector<MissedTunnelling> pass(double margin, const std::function<void(World*)>& move) {
    std::vector<SurfacePair> pairs;
    search.find(state(), margin, 0.01, 1, &pairs);
    World& world = *this;
    move(&world);
    std::vector<MissedTunnelling> missed;
    search.find_tunnelling(state(), &missed);
    return missed;
  }
};

TEST(Overlaps, OfBoxesAreAsDeepAsTheirCornersLie) {
  World world;
  const int a = world.add_box({1, 1, 1}, {}), b = world.add_box({0.5, 0.5, 0.5}, {0, 0, 0.7});
  EXPECT_NEAR(world.depth(a, b), 0.05, 1e-15);
  world.pose[1].position.z = 0.7500001;
  EXPECT_EQ(world.depth(a, b), 0);
}

/// Neither has a corner, or the middle of an edge or a face, in the other.
TEST(Overlaps, OfCrossingBarsAreFoundByTheirEdges) {
  const Vec3d along_x{1, 0.1, 0.1}, along_y{0.1, 1, 0.1};
  const DistanceGrid bar_x(test::box_mesh(-0.5 * along_x, 0.5 * along_x), 0.025);
  const Shape mesh{ShapeKind::distance_grid, {}, 0, 0, bar_x.view()};
  World world;
  const int a = world.add_box(along_x, {}), b = world.add_box(along_y, {0.25, 0.25, 0.08}),
            c = world.add_shape(mesh, {5, 0, 0}, &bar_x),
            d = world.add_box(along_y, {5.25, 0.25, 0.08}),
            e = world.add_box(along_y, {9, 0, 0.1001});
  EXPECT_NEAR(world.depth(a, b), 0.02, 1e-3);
  EXPECT_NEAR(world.depth(c, d), 0.02, 1e-3);
  world.pose[static_cast<std::size_t>(e)].position = {0.25, 0.25, 0.1001};
  EXPECT_EQ(world.depth(a, e), 0);
}

/// Largest coordinate of a shape along a unit direction of its own frame [m].
double support(const Shape& s, Vec3d u) {
  const double across = std::hypot(u.x, u.y), along = std::fabs(u.z);
  switch (s.kind) {
    case ShapeKind::sphere:
      return s.radius;
    case ShapeKind::box:
      return 0.5 * (std::fabs(u.x) * s.size.x + std::fabs(u.y) * s.size.y + along * s.size.z);
    case ShapeKind::cylinder:
      return s.radius * across + 0.5 * s.length * along;
    case ShapeKind::capsule:
      return 0.5 * s.length * along + s.radius;
    default:  // torus
      return s.radius * across + s.tube_radius;
  }
}

/// A flat cylinder on a floor was reported deep in it: the sphere of its radius about its centre
/// reaches out of its caps.
TEST(Overlaps, OfEveryShapeAndAFloorAreExact) {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto size = [&] { return std::pow(10.0, uniform(-3, 1)); };
  constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::box, ShapeKind::cylinder,
                                  ShapeKind::capsule, ShapeKind::torus};
  for (int trial = 0; trial < 1000; ++trial) {
    Shape shape{};
    shape.kind = kKinds[trial % 5];
    shape.size = {size(), size(), size()};
    shape.radius = size();
    shape.length = size();
    shape.tube_radius = uniform(0.05, 0.95) * shape.radius;
    Quaternion turned{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    const Mat3d rotation = rotation_matrix(normalized(turned));
    const double below = support(shape, transpose_times(rotation, Vec3d{0, 0, -1}));
    const double depth = below * uniform(-0.5, 1.5);
    World world;
    Shape floor{};
    floor.kind = ShapeKind::half_space;
    const int a = world.add_shape(floor, {}),
              b = world.add_shape(shape, {uniform(-1, 1), uniform(-1, 1), below - depth});
    world.pose[1].rotation = rotation;
    const double extent = shape.size.x + shape.size.y + shape.size.z + shape.radius + shape.length;
    EXPECT_NEAR(world.depth(a, b), std::max(0.0, depth), 1e-12 * extent)
        << "trial " << trial << ", kind " << trial % 5;
  }
}

TEST(Overlaps, OfTwoBodiesAtOnePlaceAreSeen) {
  World world;
  const int a = world.add_box({1, 1, 1}, {}), b = world.add_box({1, 1, 1}, {});
  EXPECT_NEAR(world.depth(a, b), 0.5, 1e-15);
  World soft;
  const int c = soft.add_soft_box({1, 1, 1}, {2, 2, 2}, {}),
            d = soft.add_soft_box({1, 1, 1}, {2, 2, 2}, {});
  EXPECT_NEAR(soft.depth(c, d), 0.5, 1e-12);
}

TEST(Overlaps, OfCrossedBoxesWithoutCornersInEachOtherAreSeen) {
  World world;
  const int a = world.add_box({2, 0.2, 0.2}, {}), b = world.add_box({0.2, 2, 0.3}, {});
  EXPECT_NEAR(world.depth(a, b), 0.1, 1e-12);
}

TEST(Overlaps, OfSoftBodiesAreSeenBelowTheSearchDepth) {
  World world;
  const int a = world.add_soft_box({1, 1, 1}, {6, 6, 6}, {}),
            b = world.add_soft_box({0.2, 0.2, 0.2}, {1, 1, 1}, {0.4, 0.4, 0.5});
  EXPECT_NEAR(world.depth(a, b), 0.4, 1e-12);
}

TEST(Overlaps, OfSoftAndRigidOnesCountFromEitherSide) {
  World world;
  const int soft = world.add_soft_box({1, 1, 1}, {2, 2, 2}, {}),
            pin = world.add_box({0.01, 0.01, 0.4}, {0.23, 0.31, 1.1});
  EXPECT_NEAR(world.depth(soft, pin), 0.1, 1e-12);
  const int block = world.add_box({4, 4, 1}, {0, 0, -0.4});
  EXPECT_NEAR(world.depth(soft, block), 0.1, 1e-12);
}

TEST(Overlaps, OfRodsAreThoseOfTheirTubes) {
  World world;
  const int a = world.add_rod({0, 0, 0}, 4, 0.1, 0.02),
            b = world.add_rod({0.05, 0, 0.03}, 3, 0.1, 0.02),
            box = world.add_box({0.1, 0.1, 0.1}, {0.2, 0, -0.06});
  EXPECT_NEAR(world.depth(a, b), 0.01, 1e-12);
  EXPECT_NEAR(world.depth(a, box), 0.01, 1e-12);
}

TEST(Overlaps, CheapOnesAreAllButThoseOfSoftSurfaces) {
  World world;
  const int rod = world.add_rod({0, 0, 0}, 4, 0.1, 0.02),
            other = world.add_rod({0.05, 0, 0.03}, 3, 0.1, 0.02),
            box = world.add_box({0.1, 0.1, 0.1}, {0.2, 0, -0.06}),
            lid = world.add_box({0.1, 0.1, 0.1}, {0.2, 0, -0.15}),
            soft = world.add_soft_box({0.1, 0.1, 0.1}, {2, 2, 2}, {0.16, -0.05, -0.06});
  for (const auto& [i, j] : {std::pair{rod, other}, {rod, box}, {box, lid}}) {
    EXPECT_GT(world.depth(i, j), 0);
    EXPECT_EQ(world.depth(i, j, OverlapScope::cheap), world.depth(i, j));
  }
  EXPECT_GT(world.depth(box, soft), 0);
  EXPECT_EQ(world.depth(box, soft, OverlapScope::cheap), 0);
}

TEST(Overlaps, OfAMeshCountAllItsVertices) {
  // Points thinned to one a cell need not be the deepest.
  const DistanceGrid grid(sphere_mesh(0.1, 40, 20), 0.05);
  ASSERT_LT(grid.points().size(), grid.vertices().size());
  World world;
  const int mesh = world.add_shape({ShapeKind::distance_grid, {}, 0, 0, grid.view()}, {0, 0, 0.095},
                                   &grid),
            floor = world.add_shape({}, {});
  EXPECT_NEAR(world.depth(mesh, floor), 0.005, 1e-12);
}

TEST(Tunnelling, OfAPointThatNoPairSpokeOfAreFound) {
  const auto fall = [](double by) {
    return [by](World* world) { world->pose[0].position.z -= by; };
  };
  World world;
  world.add_box({0.1, 0.1, 0.1}, {0, 0, 0.1});
  world.add_shape({}, {});
  EXPECT_TRUE(world.pass(1e-3, fall(0.049)).empty());
  const std::vector<MissedTunnelling> missed = world.pass(1e-4, fall(0.03));
  ASSERT_EQ(missed.size(), 1u);
  EXPECT_EQ(missed[0].surface_i, 0);
  EXPECT_EQ(missed[0].surface_j, 1);
  EXPECT_NEAR(missed[0].depth_m, 0.029, 1e-12);
}

TEST(Tunnelling, OfPointsInPairsAreNotMissed) {
  World world;
  world.add_box({0.1, 0.1, 0.1}, {0, 0, 0.055});
  world.add_shape({}, {});
  EXPECT_TRUE(world.pass(0.01, [](World* w) { w->pose[0].position.z -= 0.03; }).empty());
}

TEST(Tunnelling, ThroughThinPlatesAreFoundWhereTheEndIsFreeAgain) {
  World world;
  const int ball = world.add_shape({ShapeKind::sphere, {}, 0.01, 0, {}}, {0, 0, 0.1}),
            plate = world.add_box({0.3, 0.3, 0.002}, {});
  const auto missed = world.pass(1e-3, [](World* w) { w->pose[0].position.z -= 0.2; });
  ASSERT_EQ(missed.size(), 1u);
  EXPECT_EQ(missed[0].surface_i, ball);
  EXPECT_EQ(missed[0].surface_j, plate);
  EXPECT_GT(missed[0].depth_m, 0.1);
}

TEST(Tunnelling, OfSoftVerticesThroughSoftSurfacesAreFound) {
  World world;
  const int upper = world.add_soft_box({0.1, 0.1, 0.1}, {2, 2, 2}, {0.013, 0.017, 0.12}),
            lower = world.add_soft_box({0.2, 0.2, 0.1}, {3, 3, 2}, {0, 0, 0});
  const auto move = [](Vec3d by) {
    return [by](World* w) {
      for (std::size_t i = 0; i < 27; ++i) w->x[i] += by;
    };
  };
  EXPECT_TRUE(world.pass(1e-3, move({0, 0, -0.019})).empty());
  const auto missed = world.pass(1e-4, move({0, 0, -0.011}));
  ASSERT_FALSE(missed.empty());
  EXPECT_EQ(missed[0].surface_i, upper);
  EXPECT_EQ(missed[0].surface_j, lower);
  EXPECT_NEAR(missed[0].depth_m, 0.01, 1e-9);
  // Both falling together pass nothing.
  World together;
  together.add_soft_box({0.1, 0.1, 0.1}, {2, 2, 2}, {0.013, 0.017, 0.12});
  together.add_soft_box({0.2, 0.2, 0.1}, {3, 3, 2}, {0, 0, 0});
  EXPECT_TRUE(together
                  .pass(1e-3,
                        [](World* w) {
                          for (Vec3d& p : w->x) p.z -= 1;
                        })
                  .empty());
}

TEST(Tunnelling, OfATubeWhoseAxisStaysOutsideAreFound) {
  World world;
  const int rod = world.add_rod({0, 0, 0.2}, 4, 0.1, 0.02),
            box = world.add_box({0.1, 0.1, 0.1}, {0.2, 0, 0});
  const auto missed = world.pass(1e-3, [](World* w) {
    for (std::size_t k = 0; k < 4; ++k) w->pose[k].position.z = 0.06;
  });
  ASSERT_EQ(missed.size(), 1u);
  EXPECT_EQ(missed[0].surface_i, rod);
  EXPECT_EQ(missed[0].surface_j, box);
  EXPECT_NEAR(missed[0].depth_m, 0.01, 1e-12);
}

TEST(Tunnelling, OfRodsThroughEverythingAreFound) {
  World world;
  world.add_rod({0, 0.01, 0.2}, 4, 0.1, 0.005);
  const int box = world.add_box({0.1, 0.1, 0.1}, {0.2, 0, 0}),
            soft = world.add_soft_box({0.1, 0.1, 0.1}, {1, 1, 1}, {0.25, -0.033, -0.05});
  const auto missed = world.pass(1e-3, [](World* w) {
    for (std::size_t k = 0; k < 4; ++k) w->pose[k].position.z -= 0.2;
  });
  const auto passed = [&](int j) {
    return std::any_of(missed.begin(), missed.end(), [&](const MissedTunnelling& m) {
      return m.surface_i == 0 && m.surface_j == j;
    });
  };
  EXPECT_TRUE(passed(box));
  EXPECT_TRUE(passed(soft));
  World crossed;
  crossed.add_rod({0, 0, 0.1}, 3, 0.1, 0.005);
  crossed.add_rod({0.15, 0, 0}, 2, 0.1, 0.005);
  for (std::size_t k = 3; k < 5; ++k) {  // along y
    crossed.pose[k].rotation = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    crossed.pose[k].position = {0.15, 0.1 * (static_cast<double>(k) - 3.4), 0};
  }
  const auto through = crossed.pass(1e-3, [](World* w) {
    for (std::size_t k = 0; k < 3; ++k) w->pose[k].position.z -= 0.2;
  });
  ASSERT_EQ(through.size(), 1u);
  EXPECT_EQ(through[0].surface_i, 0);
  EXPECT_EQ(through[0].surface_j, 1);
}

}  // namespace
}  // namespace nodia::test

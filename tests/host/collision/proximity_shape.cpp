#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "host/collision/detection.hpp"
#include "host/collision/shape_points.hpp"
#include "kernels/collision/edge_pair.hpp"
#include "kernels/core/rotation.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::ProximityScene;
using test::RandomScene;

constexpr double kHalfTurn = std::numbers::pi;

Shape box(Vec3d size) {
  return {ShapeKind::box, size, 0, 0, {}};
}
Shape round(ShapeKind kind, double radius, double length = 0) {
  return {kind, {}, radius, length, {}};
}
Mat3d turn_about_x(double angle) {
  return rotation_matrix({std::cos(angle / 2), std::sin(angle / 2), 0, 0});
}
Mat3d turn_about_z(double angle) {
  return rotation_matrix({std::cos(angle / 2), 0, 0, std::sin(angle / 2)});
}

/// Pairs of a shape over the half-space z <= 0.
std::vector<SurfacePair> on_plane(const Shape& shape, const Pose& pose) {
  ProximityScene scene;
  scene.add_shape(shape, pose);
  scene.add_shape({}, {}, {}, true);
  return scene.find();
}

/// Area of the convex hull of the pairs' points, from above.
double support_area(const std::vector<SurfacePair>& pairs) {
  std::vector<Vec3d> p;
  for (const SurfacePair& pair : pairs) p.push_back(pair.j.position);
  double area = 0;
  // Every edge that has all points on its left.
  for (std::size_t a = 0; a < p.size(); ++a) {
    for (std::size_t b = 0; b < p.size(); ++b) {
      if (norm(p[b] - p[a]) < 1e-9) continue;
      const bool is_hull = std::all_of(p.begin(), p.end(), [&](Vec3d q) {
        const double side = cross(p[b] - p[a], q - p[a]).z;
        const double along = dot(q - p[a], p[b] - p[a]) / squared_norm(p[b] - p[a]);
        return side > 1e-12 || (side > -1e-12 && along > -1e-9 && along < 1 + 1e-9);
      });
      if (is_hull) area += 0.5 * cross(p[a], p[b]).z;
    }
  }
  return area;
}

void expect_up(const std::vector<SurfacePair>& pairs, double gap, double tolerance = 1e-15) {
  for (const SurfacePair& p : pairs) {
    EXPECT_NEAR(p.gap_m, gap, tolerance);
    EXPECT_NEAR(p.normal.z, p.surface_i == 0 ? 1 : -1, 1e-12);
    EXPECT_NEAR(dot(p.i.position - p.j.position, p.normal), p.gap_m, 1e-14);
  }
}

TEST(ProximityShape, BodiesOnAPlaneRestOnTheirSupportPolygon) {
  const double gap = 1e-3;
  std::vector<SurfacePair> pairs =
      on_plane(box({0.2, 0.1, 0.06}), {{1, 2, 0.03 + gap}, turn_about_z(0.3)});
  EXPECT_EQ(pairs.size(), 4u);
  expect_up(pairs, gap);
  EXPECT_NEAR(support_area(pairs), 0.02, 1e-12);

  pairs = on_plane(round(ShapeKind::sphere, 0.05), {{1, 2, 0.05 - gap}, turn_about_x(1)});
  EXPECT_EQ(pairs.size(), 1u);
  expect_up(pairs, -gap);

  pairs = on_plane(round(ShapeKind::capsule, 0.05, 0.2),
                   {{0, 0, 0.05 + gap}, turn_about_x(kHalfTurn / 2)});
  EXPECT_EQ(pairs.size(), 2u);
  expect_up(pairs, gap);

  pairs = on_plane(round(ShapeKind::cylinder, 0.05, 0.2),
                   {{0, 0, 0.05 + gap}, turn_about_x(kHalfTurn / 2)});
  EXPECT_EQ(pairs.size(), 2u);
  expect_up(pairs, gap);
  EXPECT_NEAR(norm(pairs[0].i.position - pairs[1].i.position), 0.2, 1e-14);

  pairs = on_plane(round(ShapeKind::cylinder, 0.05, 0.2), {{0, 0, 0.1 + gap}, Mat3d::identity()});
  EXPECT_EQ(pairs.size(), 4u);
  expect_up(pairs, gap);
  EXPECT_NEAR(support_area(pairs), 2 * 0.05 * 0.05, 1e-12);

  // Tilted, the lowest point of the rim is one of them, exactly.
  for (double tilt : {0.01, 0.3, 1.0, 1.5}) {
    const double lowest = 0.1 * std::cos(tilt) + 0.05 * std::sin(tilt);
    const Pose pose{{0, 0, lowest + gap}, turn_about_z(0.7) * turn_about_x(tilt)};
    pairs = on_plane(round(ShapeKind::cylinder, 0.05, 0.2), pose);
    double least = 1;
    for (const SurfacePair& p : pairs) least = std::min(least, p.gap_m);
    EXPECT_NEAR(least, gap, 1e-14) << tilt;
  }
}

/// Two boxes of different size, the upper turned by `turn`.
std::vector<SurfacePair> stacked(Vec3d lower, Vec3d upper, double turn, Vec3d shift, double gap) {
  ProximityScene scene;
  scene.add_shape(box(upper), {shift + Vec3d{0, 0, 0.5 * upper.z + gap}, turn_about_z(turn)});
  scene.add_shape(box(lower), {{0, 0, -0.5 * lower.z}, Mat3d::identity()});
  return scene.find();
}

TEST(ProximityShape, BoxesOnBoxesRestOnTheWholeCommonFace) {
  for (const double gap : {1e-3, 0.0, -1e-4}) {
    SCOPED_TRACE(gap);
    // The same size and place: 4 corners, found from both sides.
    std::vector<SurfacePair> pairs = stacked({0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0, {}, gap);
    EXPECT_NEAR(support_area(pairs), 0.01, 1e-12);
    if (gap > 0) {
      EXPECT_EQ(pairs.size(), 4u);
    }
    // A small one on a large one.
    pairs = stacked({0.3, 0.3, 0.1}, {0.1, 0.1, 0.1}, 0.4, {0.05, -0.03, 0}, gap);
    EXPECT_EQ(pairs.size(), 4u);
    expect_up(pairs, gap);
    EXPECT_NEAR(support_area(pairs), 0.01, 1e-12);
    // A large one on a small one.
    pairs = stacked({0.1, 0.1, 0.1}, {0.3, 0.3, 0.1}, 0.4, {0.05, -0.03, 0}, gap);
    EXPECT_EQ(pairs.size(), 4u);
    expect_up(pairs, gap);
    EXPECT_NEAR(support_area(pairs), 0.01, 1e-12);
    // Turned by 45 degrees: an octagon where edges cross.
    pairs = stacked({0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, kHalfTurn / 4, {}, gap);
    EXPECT_EQ(pairs.size(), 8u);
    expect_up(pairs, gap, 1e-14);
    EXPECT_NEAR(support_area(pairs), 0.01 * 2 * (std::sqrt(2.0) - 1), 1e-12);
    // Shifted: a corner of either, and two crossings.
    pairs = stacked({0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, 0, {0.03, 0.04, 0}, gap);
    EXPECT_EQ(pairs.size(), 4u);
    expect_up(pairs, gap, 1e-14);
    EXPECT_NEAR(support_area(pairs), 0.07 * 0.06, 1e-12);
    // A bar across a bar.
    pairs = stacked({0.3, 0.05, 0.05}, {0.3, 0.05, 0.05}, kHalfTurn / 2, {}, gap);
    EXPECT_EQ(pairs.size(), 4u);
    expect_up(pairs, gap, 1e-14);
    EXPECT_NEAR(support_area(pairs), 0.05 * 0.05, 1e-12);
  }
}

/// Least distance of the points of shape a, sampled and refined, to shape b.
double searched_gap(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                    RandomScene* random) {
  const auto projected = [&](Vec3d p) {  // the closest point of a
    const SurfaceDistance d = signed_distance(a, pa.to_local(p));
    return d.distance > 0 ? p - d.distance * (pa.rotation * d.normal) : p;
  };
  const auto distance_to_b = [&](Vec3d p) { return signed_distance(b, pb.to_local(p)); };
  // Alternating projections between convex bodies end at their distance.
  Vec3d p = projected(pb.position + random->vector(1e-3));
  for (int k = 0; k < 20000; ++k) {
    const SurfaceDistance d = distance_to_b(p);
    if (d.distance <= 0) return d.distance;
    const Vec3d q = projected(p - d.distance * (pb.rotation * d.normal));
    if (norm(q - p) < 1e-15) break;
    p = q;
  }
  return distance_to_b(p).distance;
}

TEST(ProximityShape, ConvexBodiesApartHaveAPairOfTheirDistance) {
  // All kinds against all kinds, in random poses within the margin: the least gap is the distance.
  const Shape shapes[] = {box({0.2, 0.1, 0.15}), round(ShapeKind::sphere, 0.08),
                          round(ShapeKind::cylinder, 0.06, 0.2),
                          round(ShapeKind::capsule, 0.05, 0.2)};
  std::map<std::pair<int, int>, std::pair<int, double>> worst;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) {
    RandomScene random(seed);
    const int ka = static_cast<int>(random.uniform(0, 4)),
              kb = static_cast<int>(random.uniform(0, 4));
    ProximityScene scene;
    scene.margin = 0.02;
    const Vec3d away = random.vector(1);
    const Pose pa{{}, rotation_matrix(random.rotation())};
    const Pose pb{(random.uniform(0.12, 0.26) / norm(away)) * away,
                  rotation_matrix(random.rotation())};
    const double distance = searched_gap(shapes[ka], pa, shapes[kb], pb, &random);
    if (!(distance > 1e-6 && distance < 0.019)) continue;
    scene.add_shape(shapes[ka], pa);
    scene.add_shape(shapes[kb], pb);
    const std::vector<SurfacePair> pairs = scene.find();
    ASSERT_FALSE(pairs.empty()) << seed;
    const SurfacePair closest = *std::min_element(
        pairs.begin(), pairs.end(),
        [](const SurfacePair& p, const SurfacePair& q) { return p.gap_m < q.gap_m; });
    const double least = closest.gap_m;
    // Both points are of their bodies: the distance is not below the true one.
    for (const BodyPoint* point : {&closest.i, &closest.j}) {
      const Pose& pose = scene.pose[static_cast<std::size_t>(point->frame)];
      const Shape& shape = shapes[point->frame == 0 ? ka : kb];
      EXPECT_NEAR(signed_distance(shape, pose.to_local(point->position)).distance, 0, 1e-14);
    }
    EXPECT_NEAR(norm(closest.i.position - closest.j.position), least, 1e-14);
    auto& [n, error] = worst[{std::min(ka, kb), std::max(ka, kb)}];
    ++n;
    error = std::max(error, least - distance);  // the search may not have come to its end
  }
  ASSERT_EQ(worst.size(), 10u);
  for (const auto& [kinds, result] : worst) {
    printf("kinds %d %d: %d cases, worst %.2e m\n", kinds.first, kinds.second, result.first,
           result.second);
    EXPECT_GT(result.first, 15);
    EXPECT_LT(result.second, 1e-14) << kinds.first << " " << kinds.second;
  }
}

TEST(ProximityShape, PairsAreReportedOnceAndOrdered) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomScene random(seed);
    ProximityScene scene;
    scene.margin = 0.02;
    for (int k = 0; k < 6; ++k) {
      const Shape shapes[] = {box({0.2, 0.1, 0.15}), round(ShapeKind::sphere, 0.08),
                              round(ShapeKind::cylinder, 0.06, 0.2),
                              round(ShapeKind::capsule, 0.05, 0.2)};
      scene.add_shape(shapes[k % 4], {random.vector(0.15), rotation_matrix(random.rotation())},
                      {random.vector(1), random.vector(1)});
    }
    const std::vector<SurfacePair> pairs = scene.find();
    for (std::size_t k = 1; k < pairs.size(); ++k) {
      const auto order = [](const SurfacePair& p) {
        return std::make_tuple(p.surface_i, p.surface_j, p.rule, p.feature_i, p.feature_j);
      };
      EXPECT_LT(order(pairs[k - 1]), order(pairs[k]));
      EXPECT_NEAR(norm(pairs[k].normal), 1, 1e-12);
    }
  }
}

/// A ball among resting shapes of every kind, prescribed or not.
std::map<std::pair<std::int32_t, int>, SurfacePair> ball_among_shapes(std::uint64_t seed,
                                                                      const DistanceGrid& grid,
                                                                      bool prescribed) {
  RandomScene random(seed);
  ProximityScene scene;
  const Pose place{random.vector(0.1), rotation_matrix(random.rotation())};
  scene.add_soft(mesh_ball(0.15, 200), [&](Vec3d p) { return place.to_world(p); });
  for (Vec3d& v : scene.v) v = random.vector(0.3);
  for (const ObstaclePose& o : random.obstacles(grid, false))
    scene.add_shape(o.shape, o.now, {}, prescribed);
  std::map<std::pair<std::int32_t, int>, SurfacePair> found;
  for (const SurfacePair& p : scene.find())
    if (p.rule == (prescribed ? PairRule::node : PairRule::vertex))
      found[{p.i.node[0], p.surface_j}] = p;
  std::map<std::pair<std::int32_t, int>, SurfacePair> of_surface;
  for (const std::int32_t node : scene.meshes[0].nodes)
    for (int shape = 1; shape <= 6; ++shape)
      if (const auto pair = found.find({node, shape}); pair != found.end())
        of_surface.insert(*pair);
  return of_surface;
}

TEST(ProximityShape, NodesMeetPrescribedShapesAsVerticesMeetOthers) {
  const DistanceGrid grid = test::l_grid();
  std::size_t n_pair = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const auto nodes = ball_among_shapes(seed, grid, true);
    const auto vertices = ball_among_shapes(seed, grid, false);
    ASSERT_EQ(nodes.size(), vertices.size());
    for (const auto& [who, p] : nodes) {
      ASSERT_EQ(vertices.count(who), 1u);
      const SurfacePair& q = vertices.at(who);
      EXPECT_NEAR(q.gap_m, p.gap_m, 1e-15);
      EXPECT_LT(norm(q.normal - p.normal), 1e-12);
      EXPECT_LT(norm(q.i.position - p.i.position), 1e-15);
      EXPECT_LT(norm(q.j.position - p.j.position), 1e-14);
      ++n_pair;
    }
  }
  EXPECT_GT(n_pair, 5000u);
}

TEST(ProximityShape, NodesInsideABodyMeetPrescribedShapesToo) {
  ProximityScene scene;
  const TetMesh block = mesh_box({0.3, 0.3, 0.3}, {3, 3, 3});
  SoftSurfaceOptions options;
  options.n_node = static_cast<int>(block.nodes.size());
  options.thickness_m = 0.01;  // does not count here
  const int soft = scene.add_soft(block, moved_by({}), options);
  const int ball = scene.add_shape(round(ShapeKind::sphere, 0.05), {{0.15, 0.15, 0.15}}, {}, true);
  scene.margin = 0.04;
  const std::vector<SurfacePair> pairs = scene.find();
  EXPECT_EQ(pairs.size(), 8u);
  for (const SurfacePair& p : pairs) {
    EXPECT_EQ(p.rule, PairRule::node);
    EXPECT_NEAR(p.gap_m, 0.05 * std::sqrt(3.0) - 0.05, 1e-15);
  }
  scene.search.exclude(soft, ball);
  EXPECT_TRUE(scene.find().empty());
}

TEST(ProximityShape, APairWithAPrescribedShapeKnowsHowItsSurfaceMoves) {
  const FrameTwist twist{{0.1, -0.2, 0}, {0, 0, 3}};
  const auto velocity_of = [&](bool is_soft) {
    ProximityScene scene;
    if (is_soft)
      scene.add_soft(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}), moved_by({0.2, 0.1, 1e-3}));
    else
      scene.add_shape(box({0.1, 0.1, 0.1}), {{0.25, 0.15, 0.051}, Mat3d::identity()});
    scene.add_shape({}, {}, twist, true);
    std::map<std::pair<double, double>, Vec3d> found;
    for (const SurfacePair& p : scene.find())
      found[{std::round(1e6 * p.j.position.x), std::round(1e6 * p.j.position.y)}] =
          p.surface_velocity;
    return found;
  };
  const auto of_nodes = velocity_of(true), of_corners = velocity_of(false);
  ASSERT_EQ(of_nodes.size(), 4u);
  ASSERT_EQ(of_corners.size(), 4u);
  for (const auto& [place, velocity] : of_nodes) {
    ASSERT_EQ(of_corners.count(place), 1u);
    EXPECT_LT(norm(velocity - of_corners.at(place)), 1e-12);
    EXPECT_GT(norm(velocity), 0.1);
  }
  ProximityScene bodies;
  bodies.add_soft(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}), moved_by({0, 0, 1e-3}));
  bodies.add_shape({}, {}, twist);
  for (const SurfacePair& p : bodies.find()) EXPECT_EQ(norm(p.surface_velocity), 0);
}

/// Whoever goes along with a surface that turns stays on it, whatever touches: nodes, corners,
/// links.
TEST(ProximityShape, APointThatGoesWithATurningSurfaceStaysOnIt) {
  const double step_s = 0.01;
  const FrameTwist twist{{0.1, -0.2, 0.3}, {2, -5, 3}};
  for (const int kind : {0, 1, 2}) {
    ProximityScene scene;
    if (kind == 0)
      scene.add_soft(mesh_box({0.1, 0.1, 0.1}, {1, 1, 1}), moved_by({0.2, 0.1, 1e-3}));
    else if (kind == 1)
      scene.add_shape(box({0.1, 0.1, 0.1}), {{0.25, 0.15, 0.051}, Mat3d::identity()});
    else
      scene.add_shape(round(ShapeKind::sphere, 0.05), {{0.25, 0.15, 0.051}, Mat3d::identity()});
    scene.add_shape({}, {}, twist, true);
    const Pose next{step_s * twist.linear, rotation_exp(step_s * twist.angular)};
    const std::vector<SurfacePair> pairs = scene.find();
    EXPECT_FALSE(pairs.empty());
    for (const SurfacePair& p : pairs) {
      const Vec3d end = p.j.position + step_s * p.surface_velocity;
      EXPECT_NEAR(norm(next.to_local(end) - p.j.position), 0, 1e-15);
    }
  }
}

TEST(ProximityShape, ARigidBoxOnASoftBlockMeetsItAtItsCornersAndTheBlocksNodes) {
  ProximityScene scene;
  const int block =
      scene.add_soft(mesh_box({0.4, 0.4, 0.05}, {2, 2, 1}), moved_by({-0.2, -0.2, -0.05}));
  const int rigid =
      scene.add_shape(box({0.1, 0.1, 0.1}), {{0.09, 0.08, 0.05 + 1e-3}, Mat3d::identity()});
  std::size_t n_corner = 0, n_edge = 0;
  for (const SurfacePair& p : scene.find()) {
    EXPECT_NEAR(p.gap_m, 1e-3, 1e-14);
    if (p.rule == PairRule::point) {
      EXPECT_EQ(p.surface_i, rigid);
      EXPECT_LT(p.feature_i, 4);  // the lower corners
      EXPECT_NEAR(p.normal.z, 1, 1e-12);
      EXPECT_EQ(p.i.kind, PointKind::frame);
      ++n_corner;
    }
    if (p.rule == PairRule::edge) ++n_edge;
    if (p.rule == PairRule::vertex) {
      EXPECT_EQ(p.surface_i, block);
    }
  }
  EXPECT_EQ(n_corner, 4u);
  EXPECT_EQ(n_edge, 0u);  // its corners carry it
  // On its edge across the block: no corner, no node is near.
  ProximityScene tilted;
  tilted.add_soft(mesh_box({0.4, 0.4, 0.05}, {2, 2, 1}), moved_by({-0.2, -0.2, -0.05}));
  const double h = 0.1 * std::sqrt(0.5);
  tilted.add_shape(box({1, 0.1, 0.1}), {{0, 0.07, h - 1e-3}, turn_about_x(kHalfTurn / 4)});
  const std::vector<SurfacePair> pairs = tilted.find();
  EXPECT_GE(pairs.size(), 3u);
  for (const SurfacePair& p : pairs) {
    EXPECT_EQ(p.rule, PairRule::edge);
    EXPECT_NEAR(p.gap_m, -1e-3, 1e-14);
    EXPECT_NEAR(p.normal.z, -1, 1e-12);  // from the box to the block
    EXPECT_NEAR(p.i.position.y, 0.07, 1e-12);
  }
}

/// The lower corners of a box beside a board and above the level of its lower edges: they are
/// nearest to the board's wall. The board's lower corners are not nearest to them, and do not stop
/// the box.
TEST(ProximityShape, ACornerThatPassesBesideAnEdgeHasNoContactWithIt) {
  const double gap = 1e-3;
  const Vec3d size{0.1, 0.1, 0.1};
  const DistanceGrid cube(test::box_mesh(-0.5 * size, 0.5 * size), 0.0123);
  const Shape mesh{ShapeKind::distance_grid, {}, 0, 0, cube.view()};
  for (const Shape& shape : {box(size), mesh}) {
    for (const double above : {0.5e-3, 2e-3}) {
      ProximityScene scene;
      scene.add_shape(shape, {{0.1 + gap, 0.013, above}, Mat3d::identity()});
      scene.add_shape(shape, {});
      scene.margin = 5e-3;
      const std::vector<SurfacePair> pairs = scene.find();
      EXPECT_FALSE(pairs.empty());
      for (const SurfacePair& pair : pairs) {
        EXPECT_NEAR(std::fabs(pair.normal.x), 1, 1e-9);
        EXPECT_NEAR(pair.gap_m, gap, 1e-9);
      }
    }
  }
}

TEST(ProximityShape, ATurningMeshIsNotTestedAgainstDistantBodies) {
  const DistanceGrid grid = test::l_grid();
  for (const double distance : {0.05, 10.0}) {
    ProximityScene scene;
    scene.add_shape({ShapeKind::distance_grid, {}, 0, 0, grid.view()}, {}, {{}, {0, 0, 1}});
    scene.add_shape(box({0.1, 0.1, 0.1}), {{distance, 0, 0}, Mat3d::identity()});
    scene.find();
    EXPECT_EQ(scene.search.counters().body_pairs, distance < 1 ? 1 : 0);
  }
}

TEST(ProximityShape, ARodAlongARowOfVerticesTouchesTheseAlone) {
  for (const double y : {0.07, 1e-4}) {
    ProximityScene scene;
    scene.add_soft(mesh_box({0.4, 0.4, 0.05}, {2, 2, 1}), moved_by({-0.2, -0.2, -0.05}));
    scene.add_shape(round(ShapeKind::capsule, 0.02, 1),
                    {{0, y, 0.019}, rotation_matrix({std::sqrt(0.5), 0, std::sqrt(0.5), 0})});
    std::map<PairRule, int> n;
    for (const SurfacePair& p : scene.find()) {
      ++n[p.rule];
      EXPECT_NEAR(p.gap_m, -1e-3, 1e-6);
      EXPECT_NEAR(p.normal.z, -1, 1e-4);
    }
    EXPECT_EQ(n[PairRule::vertex], y < 0.01 ? 3 : 0);
    EXPECT_EQ(n[PairRule::edge] >= 3, y > 0.01);
    if (y < 0.01) {
      EXPECT_EQ(n[PairRule::edge], 0);  // they would be beside the vertices
    }
  }
}

TEST(ProximityShape, AVertexOverShapesOfOneFrameMeetsTheNearest) {
  // A block on three boxes that overlap: two level ones, one a tenth of a millimetre lower, and one
  // that leans away from it by 0.2.
  struct Part {
    double top;
    double lean;
  };
  const std::vector<Part> parts{{0, 0}, {-1e-4, 0}, {0, 0}, {-1e-5, 0.2}};
  const auto pairs_of = [&](bool one_frame) {
    ProximityScene scene;
    scene.add_soft(mesh_box({0.2, 0.2, 0.05}, {2, 2, 1}), moved_by({-0.1, -0.1, 1e-3}));
    scene.pose.resize(parts.size(), {{}, Mat3d::identity()});
    scene.twist.resize(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      ShapeSurface shape;
      shape.shape = box({1, 1, 0.1});
      const Mat3d turn = turn_about_x(parts[k].lean);
      shape.in_frame = {turn * Vec3d{0, 0, parts[k].top - 0.05}, turn};
      shape.frame = one_frame ? 0 : static_cast<int>(k);
      scene.search.add_shape(shape);
    }
    scene.margin = 0.05;
    return scene.find();
  };
  const auto vertices = [](const std::vector<SurfacePair>& pairs) {
    std::map<int, std::vector<SurfacePair>> of_vertex;
    for (const SurfacePair& p : pairs)
      if (p.rule == PairRule::vertex && p.i.position.z < 0.01) of_vertex[p.feature_i].push_back(p);
    return of_vertex;
  };
  const auto apart = vertices(pairs_of(false)), together = vertices(pairs_of(true));
  ASSERT_EQ(together.size(), 9u);
  EXPECT_EQ(apart.size(), 9u);
  for (const auto& [vertex, pairs] : together) {
    // Beside the axis of the lean, one part is the surface: the one with the smallest gap where
    // each part has its own frame. On the axis both surfaces meet.
    const std::vector<SurfacePair>& alone = apart.at(vertex);
    ASSERT_EQ(alone.size(), 4u) << vertex;
    const auto nearest = std::min_element(
        alone.begin(), alone.end(),
        [](const SurfacePair& p, const SurfacePair& q) { return p.gap_m < q.gap_m; });
    const double y = pairs[0].i.position.y;
    if (std::fabs(y) > 0.05) {
      ASSERT_EQ(pairs.size(), 1u) << vertex;
      EXPECT_EQ(pairs[0].surface_j, y > 0 ? 4 : 1);
    }
    EXPECT_EQ(pairs[0].gap_m, nearest->gap_m);
  }
}

TEST(ProximityShape, ASphereBetweenTheNodesOfAFaceMeetsItsTriangle) {
  ProximityScene scene;
  scene.add_soft(mesh_box({0.4, 0.4, 0.05}, {1, 1, 1}), moved_by({-0.2, -0.2, -0.05}));
  scene.add_shape(round(ShapeKind::sphere, 0.03), {{0.03, 0.05, 0.03 - 1e-3}, Mat3d::identity()});
  const std::vector<SurfacePair> pairs = scene.find();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].gap_m, -1e-3, 1e-15);
  EXPECT_LT(norm(pairs[0].i.position - Vec3d{0.03, 0.05, -1e-3}), 1e-14);
  EXPECT_EQ(pairs[0].j.n_node, 3);
}

TEST(ProximityShape, FramesInFramesAndFiltersAreRespected) {
  ProximitySearch search;
  ShapeSurface a, b;
  a.shape = b.shape = round(ShapeKind::sphere, 0.1);
  a.in_frame.position = {0, 0.05, 0};
  b.frame = 1;
  b.in_frame.position = {-0.05, 0, 0};
  search.add_shape(a);
  search.add_shape(b);
  // Frame 0 is turned by a quarter about z: its sphere is at (-0.05, 0, 0) from it.
  const std::vector<Pose> pose{{{0.3, 0, 0}, turn_about_z(kHalfTurn / 2)},
                               {{0.1, 0, 0}, Mat3d::identity()}};
  std::vector<FrameTwist> twist(2);
  std::vector<SurfacePair> pairs;
  search.find({{}, {}, pose, twist}, 5e-3, 0.01, 1, &pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].gap_m, 0.25 - 0.05 - 0.2, 1e-15);
  EXPECT_LT(norm(pairs[0].normal - Vec3d{1, 0, 0}), 1e-12);
  // A spin about its own frame carries the sphere along y only: no approach.
  twist[0].angular = {0, 0, 50};
  search.find({{}, {}, pose, twist}, 1e-9, 0.01, 1, &pairs);
  EXPECT_EQ(pairs.size(), 1u);
  ProximityScene scene;
  scene.add_shape(box({1, 1, 1}), {}, {}, true);
  scene.add_shape(box({1, 1, 1}), {}, {}, true);
  EXPECT_TRUE(scene.find().empty());  // both prescribed
  ProximitySearch same;
  b.frame = 0;
  same.add_shape(a);
  same.add_shape(b);
  same.find({{}, {}, pose, twist}, 1, 0.01, 1, &pairs);
  EXPECT_TRUE(pairs.empty());  // both in one frame
}

TEST(ProximityShape, CoincidentLostAndNestedShapesAreDefined) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DistanceGrid grid = test::l_grid();
  const Shape shapes[] = {{},
                          box({0.2, 0.2, 0.2}),
                          round(ShapeKind::sphere, 0.1),
                          round(ShapeKind::cylinder, 0.1, 0.2),
                          round(ShapeKind::capsule, 0.1, 0.2),
                          {ShapeKind::distance_grid, {}, 0, 0, grid.view()}};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      ProximityScene scene;
      scene.add_shape(a, {});
      scene.add_shape(b, {});
      for (const SurfacePair& p : scene.find()) {
        EXPECT_TRUE(std::isfinite(p.gap_m) && is_finite(p.i.position) && is_finite(p.j.position));
        EXPECT_NEAR(norm(p.normal), 1, 1e-12);
      }
      scene.pose[0].position.y = nan;
      EXPECT_TRUE(scene.find().empty());
      scene.pose[0] = {};
      scene.pose[1].rotation(1, 1) = nan;
      EXPECT_TRUE(scene.find().empty());
    }
  }
}

/// Four bricks of 0.2 x 0.1 x 0.1 m, two on two, all of one width; each is moved by up to `by`.
std::vector<SurfacePair> four_bricks(double by, std::mt19937* random) {
  ProximityScene scene;
  std::uniform_real_distribution<double> anywhere(-by, by);
  for (int k = 0; k < 4; ++k) {
    const Vec3d moved{anywhere(*random), anywhere(*random), anywhere(*random)};
    const Vec3d centre{0.2 * (k % 2) + (k < 2 ? 0 : 0.2 / 3), 0, k < 2 ? 0 : 0.1};
    scene.add_shape(box({0.2, 0.1, 0.1}), {centre + moved, Mat3d::identity()});
  }
  return scene.find();
}

TEST(ProximityShape, NormalsAtEdgesThatTouchAreThoseOfFaces) {
  std::mt19937 random(7);
  for (const double by : {0.0, 1e-16, 1e-12, 1e-9, 1e-6}) {
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<SurfacePair> pairs = four_bricks(by, &random);
      // Corners of the upper ones on the lower ones and the other way round; the sides' corners.
      std::map<std::pair<int, int>, int> n_pair;
      for (const SurfacePair& p : pairs) {
        const auto [low, high] = std::minmax(p.surface_i, p.surface_j);
        const bool is_beside = low / 2 == high / 2;
        const double sign = p.surface_i == high ? 1 : -1;
        EXPECT_EQ(dot(p.normal, is_beside ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1}), sign) << by;
        EXPECT_LE(std::fabs(p.gap_m), 4 * by + 1e-15);
        ++n_pair[{low, high}];
      }
      for (const auto& [bodies, n] : n_pair)
        EXPECT_GE(n, 4) << bodies.first << " " << bodies.second << " moved by " << by;
      EXPECT_EQ(n_pair.size(), 5u);
    }
  }
}

TEST(ProximityShape, BeyondAnEdgeTheDirectionToItIsTheNormal) {
  // A corner a millimetre beside and above an edge: as before, the closest points.
  ProximityScene scene;
  scene.add_shape(box({0.1, 0.1, 0.1}), {{0.101, 0, 0.101}, Mat3d::identity()});
  scene.add_shape(box({0.1, 0.2, 0.1}), {});
  const std::vector<SurfacePair> pairs = scene.find();
  ASSERT_FALSE(pairs.empty());
  for (const SurfacePair& p : pairs) {
    EXPECT_NEAR(p.gap_m, std::sqrt(2.0) * 1e-3, 1e-12);
    EXPECT_NEAR(dot(p.normal, {1, 0, 1}), std::sqrt(2.0), 1e-12);
  }
}

TEST(ProximityShape, ABoxGoesDownBesideAnotherWithoutALedge) {
  // Both stand side by side with a gap; whatever the height, what keeps them apart is sideways.
  for (const double gap : {1e-4, 1e-6, 1e-8}) {
    for (const double down : {1e-3, 1e-5, 1e-7, 1e-9}) {
      ProximityScene scene;
      scene.add_shape(box({0.1, 0.1, 0.1}), {{0.1 + gap, 0, 0.1 - down}, Mat3d::identity()});
      scene.add_shape(box({0.1, 0.1, 0.1}), {});
      for (const SurfacePair& p : scene.find())
        EXPECT_EQ((p.surface_i == 0 ? 1 : -1) * p.normal.x, 1) << gap << " " << down;
    }
  }
}

TEST(ProximityShape, LeaningBoxesPressOnEachOtherAsideWhateverTheirHeights) {
  // Two cards lean on each other; one a little higher, a little into the other. Neither stands on
  // the end of the other.
  const double angle = 0.26, s = std::sin(angle), c = std::cos(angle);
  const Vec3d size{0.002, 0.06, 0.1};
  const double wide = (size.z * s + size.x * c) / 2;
  const auto turned = [](double by) {
    return rotation_matrix({std::cos(by / 2), 0, std::sin(by / 2), 0});
  };
  for (const double higher : {0.0, 1e-12, 1e-9, 1e-7, 1e-6, -1e-6}) {
    for (const double apart : {1e-6, 1e-9, 0.0, -1e-9, -1e-6}) {
      ProximityScene scene;
      scene.add_shape(box(size), {{-wide - apart / 2, 1e-10, 0}, turned(angle)});
      scene.add_shape(box(size), {{wide + apart / 2, 0, higher}, turned(-angle)});
      const std::vector<SurfacePair> pairs = scene.find();
      // One contact at either end of the line where they meet, not one of each card's corners.
      EXPECT_EQ(pairs.size(), 2u);
      for (const SurfacePair& p : pairs)
        EXPECT_NEAR((p.surface_i == 0 ? -1 : 1) * p.normal.x, 1, 1e-14) << higher << " " << apart;
    }
  }
}

TEST(ShapePoints, BoxEdgesAreTheTwelveOfTheBox) {
  const Vec3d size{1, 2, 3};
  double total = 0;
  for (std::int32_t e = 0; e < 12; ++e) {
    const SolidEdge edge = box_solid_edge(size, e);
    total += norm(edge.b - edge.a);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(signed_distance(box({1, 2, 3}), edge.a + 1e-3 * edge.inward[k]).distance, 0,
                  1e-15);
      EXPECT_NEAR(
          signed_distance(box({1, 2, 3}), 0.5 * (edge.a + edge.b) + 1e-3 * edge.normal[k]).distance,
          1e-3, 1e-15);
      EXPECT_EQ(dot(edge.normal[k], edge.inward[k]), 0);
    }
    EXPECT_TRUE(is_convex(edge));
  }
  EXPECT_NEAR(total, 4 * 6, 1e-14);
}

}  // namespace
}  // namespace nodia

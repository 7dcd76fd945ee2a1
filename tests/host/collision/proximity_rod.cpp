#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/collision/closest_points.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::ProximityScene;
using test::RandomScene;

/// Points `length` apart from each other along a random walk that turns by up to `bend` a link.
std::vector<Vec3d> random_chain(RandomScene* random, int n, double length, double bend) {
  std::vector<Vec3d> points{random->vector(0.05)};
  Vec3d direction{1, 0, 0};
  for (int k = 0; k < n; ++k) {
    direction += random->vector(bend);
    direction = (1 / norm(direction)) * direction;
    points.push_back(points.back() + length * direction);
  }
  return points;
}

/// The link's ends from the frames alone.
std::array<Vec3d, 2> ends(const ProximityScene& scene, std::int32_t frame, double length) {
  const Pose& pose = scene.pose[static_cast<std::size_t>(frame)];
  return {pose.to_world({0, 0, -0.5 * length}), pose.to_world({0, 0, 0.5 * length})};
}

TEST(ProximityRod, LinkPairsAreThoseOfBruteForce) {
  // Single links, so that no joint is shared: every pair within reach, and nothing else.
  std::size_t n_pair = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene random(seed);
    ProximityScene scene;
    scene.margin = random.uniform(0, 0.01);
    const int n_rod = 12;
    const double length = 0.1, radius = 5e-3;
    for (int k = 0; k < n_rod; ++k) {
      const Vec3d p = random.vector(0.08), u = random.vector(1);
      scene.add_rod({p, p + (length / norm(u)) * u}, radius);
    }
    for (FrameTwist& t : scene.twist) t = {random.vector(0.5), random.vector(5)};
    std::map<std::pair<int, int>, SurfacePair> found;
    for (const SurfacePair& p : scene.find()) {
      EXPECT_LT(p.surface_i, p.surface_j);
      EXPECT_TRUE(found.insert({{p.i.frame, p.j.frame}, p}).second);
    }
    std::size_t n_expected = 0;
    for (int i = 0; i < n_rod; ++i) {
      for (int j = i + 1; j < n_rod; ++j) {
        const auto a = ends(scene, i, length), b = ends(scene, j, length);
        const SegmentPoints c = closest_on_segments(a[0], a[1], b[0], b[1]);
        const double distance = std::sqrt(c.squared_distance), gap = distance - 2 * radius;
        const Vec3d normal = (1 / distance) * (c.on_a - c.on_b);
        const auto velocity = [&](int f, Vec3d p) {
          const auto k = static_cast<std::size_t>(f);
          return scene.twist[k].linear + cross(scene.twist[k].angular, p - scene.pose[k].position);
        };
        const Vec3d on_i = c.on_a - radius * normal, on_j = c.on_b + radius * normal;
        const double reach = scene.margin + test::may_close(velocity(i, on_i), velocity(j, on_j),
                                                            normal, scene.step);
        if (std::fabs(gap - reach) < 1e-12) continue;
        if (gap >= reach) {
          EXPECT_EQ(found.count({i, j}), 0u);
          continue;
        }
        ++n_expected;
        ASSERT_EQ(found.count({i, j}), 1u);
        const SurfacePair& p = found[{i, j}];
        worst = std::max(worst, std::fabs(p.gap_m - gap));
        EXPECT_NEAR(p.gap_m, gap, 1e-15);
        EXPECT_LT(norm(p.normal - normal), 1e-15 + 1e-16 / distance);
        EXPECT_NEAR(dot(p.i.position - p.j.position, p.normal), gap, 1e-14);
        EXPECT_LT(norm(p.i.position - on_i), 1e-14);
      }
    }
    EXPECT_EQ(found.size(), n_expected);
    n_pair += n_expected;
  }
  EXPECT_GT(n_pair, 2000u);
  printf("link pairs %zu, worst gap %.2e m\n", n_pair, worst);
}

TEST(ProximityRod, EveryCloseStretchOfTwoChainsHasAPairAndNoPlaceHasTwo) {
  std::size_t n_close = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene random(seed);
    ProximityScene scene;
    const double length = 0.01, radius = 4e-3;
    const int n_link = 30;
    scene.add_rod(random_chain(&random, n_link, length, 0.4), radius);
    scene.add_rod(random_chain(&random, n_link, length, 0.4), radius);
    const std::vector<SurfacePair> pairs = scene.find();
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      for (std::size_t b = a + 1; b < pairs.size(); ++b) {
        EXPECT_GT(norm(pairs[a].i.position - pairs[b].i.position) +
                      norm(pairs[a].j.position - pairs[b].j.position),
                  1e-9);
      }
    }
    // The closest place of both chains is in the answer.
    double least = HUGE_VAL;
    for (int i = 0; i < n_link; ++i) {
      for (int j = 0; j < n_link; ++j) {
        const auto a = ends(scene, i, length), b = ends(scene, n_link + j, length);
        least = std::min(least, closest_on_segments(a[0], a[1], b[0], b[1]).squared_distance);
      }
    }
    const double gap = std::sqrt(least) - 2 * radius;
    if (gap >= scene.margin) {
      EXPECT_TRUE(pairs.empty());
      continue;
    }
    ++n_close;
    const auto deepest = std::min_element(
        pairs.begin(), pairs.end(),
        [](const SurfacePair& p, const SurfacePair& q) { return p.gap_m < q.gap_m; });
    ASSERT_NE(deepest, pairs.end());
    EXPECT_NEAR(deepest->gap_m, gap, 1e-9);
  }
  EXPECT_GT(n_close, 100u);
}

TEST(ProximityRod, ACoiledCableMeetsTheNextTurnOnly) {
  // A helix whose turns are 0.5 mm apart from surface to surface.
  const double radius = 2e-3, coil = 0.02, pitch = 2 * radius + 5e-4;
  const int per_turn = 60, n_turn = 4;
  std::vector<Vec3d> points;
  for (int k = 0; k <= per_turn * n_turn; ++k) {
    const double angle = 2 * std::numbers::pi * k / per_turn;
    points.push_back({coil * std::cos(angle), coil * std::sin(angle), pitch * k / per_turn});
  }
  ProximityScene scene;
  scene.margin = 2e-3;
  scene.add_rod(points, radius, RodContact::segments, true);
  const std::vector<SurfacePair> pairs = scene.find();
  std::set<int> links;
  for (const SurfacePair& p : pairs) {
    EXPECT_EQ(p.rule, PairRule::link);
    EXPECT_EQ(p.surface_i, p.surface_j);
    EXPECT_LT(p.feature_i, p.feature_j);
    // The turn above, or the link beside it.
    EXPECT_NEAR(p.feature_j - p.feature_i, per_turn, 1);
    // Perpendicular distance of neighbouring turns, at most a corner of the polygon less or more.
    const double turn = std::hypot(2 * std::numbers::pi * coil, pitch);
    const double apart = pitch * 2 * std::numbers::pi * coil / turn;
    EXPECT_NEAR(p.gap_m, apart - 2 * radius, 2e-5);
    EXPECT_GT(std::fabs(p.normal.z), 0.99);
    links.insert(p.feature_i);
  }
  for (int link = 0; link < per_turn * (n_turn - 1); ++link) EXPECT_EQ(links.count(link), 1u);
  EXPECT_LT(pairs.size(), 3 * links.size());

  // Straight it is in no contact with itself, however close its links are.
  ProximityScene straight;
  std::vector<Vec3d> line;
  for (int k = 0; k <= 100; ++k) line.push_back({1e-3 * k, 0, 0});
  straight.margin = 1e-3;
  straight.add_rod(line, radius, RodContact::segments, true);
  EXPECT_TRUE(straight.find().empty());
}

TEST(ProximityRod, LinkCentresAgainstACylinderAreSpheres) {
  // A cable tangent to a drum, 2 mm inside the contact surface at one end.
  const double drum = 0.02, radius = 2e-3, length = 2.5e-3;
  std::vector<Vec3d> line;
  for (int k = 0; k <= 160; ++k) line.push_back({drum, -1.25e-3 + length * k, 0.1});
  ProximityScene scene;
  scene.margin = 1e-3;
  const int rod = scene.add_rod(line, radius, RodContact::link_centres);
  scene.add_shape({ShapeKind::cylinder, {}, drum, 10, {}}, {}, {}, true);
  std::size_t n = 0;
  for (const SurfacePair& p : scene.find()) {
    EXPECT_EQ(p.surface_i, rod);
    const Vec3d centre{drum, length * p.feature_i, 0.1};
    EXPECT_EQ(p.i.frame, p.feature_i);
    EXPECT_LT(norm(p.i.position - centre), 1e-15);  // no moment
    const double from_axis = std::hypot(drum, length * p.feature_i);
    EXPECT_NEAR(p.gap_m, from_axis - drum - radius, 1e-15);
    EXPECT_LT(norm(p.normal - Vec3d{drum / from_axis, length * p.feature_i / from_axis, 0}), 1e-14);
    EXPECT_LT(norm(p.j.position - drum * p.normal - Vec3d{0, 0, 0.1}), 1e-14);
    ++n;
  }
  EXPECT_EQ(n, 5u);  // sqrt(0.023^2 - 0.02^2)/2.5 mm = 4.5 beyond the first
  EXPECT_EQ(scene.find()[0].gap_m, -radius);
}

TEST(ProximityRod, ALinkOverABoxEdgeMeetsItBetweenItsEnds) {
  ProximityScene scene;
  const double radius = 5e-3;
  scene.add_rod({{-0.1, 0, 0.051}, {0.1, 0, 0.058}}, radius);
  Pose tilted{{}, rotation_matrix(normalized({1, 0, std::tan(std::numbers::pi / 8), 0}))};
  const double top = 0.05;  // of the edge that is up
  scene.add_shape({ShapeKind::box, {top * std::sqrt(2.0), 0.1, top * std::sqrt(2.0)}, 0, 0, {}},
                  tilted);
  std::vector<SurfacePair> pairs = scene.find();
  ASSERT_EQ(pairs.size(), 1u);
  const Vec3d axis = (1 / std::hypot(0.2, 0.007)) * Vec3d{0.2, 0, 0.007};
  const Vec3d to_edge = Vec3d{0, 0, top} - Vec3d{-0.1, 0, 0.051};
  const double distance = norm(to_edge - dot(to_edge, axis) * axis);
  EXPECT_NEAR(pairs[0].gap_m, distance - radius, 1e-14);
  EXPECT_NEAR(dot(pairs[0].normal, axis), 0, 1e-6);
  // Flat on a face: both ends, and nothing between.
  ProximityScene flat;
  flat.add_rod({{-0.02, 0, 0.056}, {0.02, 0, 0.056}}, radius);
  flat.add_shape({ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0, {}}, {});
  pairs = flat.find();
  ASSERT_EQ(pairs.size(), 2u);
  for (const SurfacePair& p : pairs) {
    EXPECT_NEAR(p.gap_m, 1e-3, 1e-15);
    EXPECT_NEAR(p.i.position.z, 0.051, 1e-15);  // on the surface: friction turns the rod
  }
}

TEST(ProximityRod, ALongLinkTouchesBothEdgesOfABoxAndBothSidesOfATorus) {
  const double radius = 2e-3, gap = 1e-3;
  for (const double tilt : {0.0, 1e-3, -1e-3, 0.04}) {
    SCOPED_TRACE(tilt);
    ProximityScene scene;
    scene.margin = 0.01;
    const double z = 0.05 + radius + gap;
    scene.add_rod({{-0.3, 0.01, z - 0.25 * tilt}, {0.2, 0.01, z + 0.25 * tilt}}, radius);
    scene.add_shape({ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0, {}}, {});
    const std::vector<SurfacePair> pairs = scene.find();
    ASSERT_EQ(pairs.size(), 2u);
    std::set<double> x;
    for (const SurfacePair& p : pairs) {
      x.insert(p.j.position.x);
      const double height = gap + tilt * (p.j.position.x + 0.05);
      const double distance = (height + radius) / std::hypot(1, tilt);
      // The contact is where the slope is 0.05: off the edge by that angle.
      EXPECT_NEAR(p.gap_m, distance - radius, 0.002 * distance);
    }
    EXPECT_NEAR(*x.begin(), -0.05, 1e-3);
    EXPECT_NEAR(*x.rbegin(), 0.05, 1e-3);
  }
  ProximityScene ring;
  ring.margin = 0.01;
  const double tube = 5e-3, middle = 0.06;
  ring.add_rod({{-1, 0, tube + radius + gap}, {0.5, 0, tube + radius + gap}}, radius);
  Shape torus{ShapeKind::torus, {}, middle, 0, {}};
  torus.tube_radius = tube;
  ring.add_shape(torus, {});
  const std::vector<SurfacePair> pairs = ring.find();
  ASSERT_EQ(pairs.size(), 2u);
  for (const SurfacePair& p : pairs) {
    EXPECT_NEAR(std::fabs(p.j.position.x), middle, 1e-9);
    EXPECT_NEAR(p.gap_m, gap, 1e-12);
  }
  EXPECT_NE(pairs[0].feature_i, pairs[1].feature_i);
}

TEST(ProximityRod, AChainOverAPlaneHasOnePairAJoint) {
  ProximityScene scene;
  std::vector<Vec3d> line;
  for (int k = 0; k <= 20; ++k) line.push_back({0.01 * k, 0, 6e-3});
  scene.add_rod(line, 5e-3);
  scene.add_shape({}, {}, {}, true);
  const std::vector<SurfacePair> pairs = scene.find();
  EXPECT_EQ(pairs.size(), 21u);
  for (const SurfacePair& p : pairs) EXPECT_NEAR(p.gap_m, 1e-3, 1e-15);
}

TEST(ProximityRod, ASoftBodyMeetsTheClosestLinkOfARodOnce) {
  std::size_t n_pair = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene random(seed);
    ProximityScene scene;
    const double length = 0.02, radius = 0.01;
    const int n_link = 10;
    const int ball = scene.add_soft(mesh_ball(0.05, 150), moved_by(random.vector(0.05)));
    const int rod = scene.add_rod(random_chain(&random, n_link, length, 0.3), radius);
    std::map<int, SurfacePair> vertices;
    for (const SurfacePair& p : scene.find()) {
      if (p.surface_i == rod) {
        EXPECT_EQ(p.rule, PairRule::point);
        EXPECT_EQ(p.j.kind, PointKind::nodes);
        continue;
      }
      if (p.rule == PairRule::edge) continue;
      EXPECT_TRUE(vertices.insert({p.feature_i, p}).second);
    }
    for (std::int32_t vertex = 0; vertex < scene.meshes[0].n_vertex(); ++vertex) {
      const Vec3d x = scene.position(ball, vertex);
      double least = HUGE_VAL;
      for (int k = 0; k < n_link; ++k) {
        const auto e = ends(scene, k, length);
        const Vec3d foot = e[0] + closest_on_segment(x, e[0], e[1]) * (e[1] - e[0]);
        least = std::min(least, norm(x - foot));
      }
      ASSERT_EQ(vertices.count(vertex), least - radius < scene.margin ? 1u : 0u);
      if (vertices.count(vertex) == 0) continue;
      ++n_pair;
      EXPECT_NEAR(vertices[vertex].gap_m, least - radius, 1e-15);
      EXPECT_EQ(vertices[vertex].j.kind, PointKind::frame);
    }
  }
  EXPECT_GT(n_pair, 500u);
}

TEST(ProximityRod, LostAndCoincidentLinksAreHarmless) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ProximityScene scene;
  std::vector<Vec3d> line;
  for (int k = 0; k <= 10; ++k) line.push_back({0.01 * k, 0, 6e-3});
  scene.add_rod(line, 5e-3);
  scene.add_rod(line, 5e-3);  // the same place
  scene.add_shape({}, {}, {}, true);
  scene.pose[3].position.x = nan;
  scene.twist[5].angular.y = nan;
  for (const SurfacePair& p : scene.find()) {
    EXPECT_TRUE(std::isfinite(p.gap_m) && is_finite(p.normal) && is_finite(p.i.position));
    EXPECT_NEAR(norm(p.normal), 1, 1e-12);
    EXPECT_NE(p.i.frame, 3);
    if (p.rule == PairRule::link) {
      EXPECT_NEAR(p.gap_m, -0.01, 1e-12);
      EXPECT_NEAR(p.normal.x, 0, 1e-12);  // across the axis
    }
  }
  for (Pose& p : scene.pose) p.position = {nan, nan, nan};
  EXPECT_TRUE(scene.find().empty());
}

}  // namespace
}  // namespace nodia

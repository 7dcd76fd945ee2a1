/// Edges of soft surfaces against links of rods: pairs, overlap depth and tunnelling.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/collision/closest_points.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::moved_by;
using test::ProximityScene;
using test::RandomScene;

constexpr double kRodRadius = 2e-3;
constexpr Vec3d kSlab{0.2, 0.2, 0.004};

/// A slab of one layer of cells of 0.1 m, with its lower corner at the origin.
int add_slab(ProximityScene* scene) {
  return scene->add_soft(mesh_box(kSlab, {2, 2, 1}), moved_by({}));
}

std::vector<SurfacePair> edge_pairs(ProximityScene* scene) {
  std::vector<SurfacePair> pairs = scene->find();
  std::erase_if(pairs, [](const SurfacePair& p) { return p.rule != PairRule::edge; });
  return pairs;
}

TEST(RodEdges, ALinkOverASlabMeetsEveryEdgeUnderIt) {
  for (const bool is_below : {false, true}) {
    SCOPED_TRACE(is_below);
    ProximityScene scene;
    scene.margin = 1e-3;
    add_slab(&scene);
    const double up = is_below ? -1 : 1, gap = 5e-4;
    const double z = (is_below ? 0 : kSlab.z) + up * (kRodRadius + gap);
    scene.add_rod({{-0.05, 0.043, z}, {0.25, 0.031, z}}, kRodRadius);
    const std::vector<SurfacePair> pairs = edge_pairs(&scene);
    EXPECT_GE(pairs.size(), 5u);  // two rims, the middle, and a diagonal of either cell
    for (const SurfacePair& p : pairs) {
      EXPECT_NEAR(p.gap_m, gap, 1e-12);
      EXPECT_LT(norm(p.normal - Vec3d{0, 0, -up}), 1e-9);
      EXPECT_EQ(p.i.n_node, 2);
      EXPECT_NEAR(p.i.weight[0] + p.i.weight[1], 1, 1e-15);
      const Vec3d on_edge = p.i.weight[0] * scene.x[static_cast<std::size_t>(p.i.node[0])] +
                            p.i.weight[1] * scene.x[static_cast<std::size_t>(p.i.node[1])];
      EXPECT_LT(norm(on_edge - p.i.position), 1e-15);
      EXPECT_NEAR(dot(p.i.position - p.j.position, p.normal), gap, 1e-12);
    }
  }
}

TEST(RodEdges, TheEdgesSideDecidesTheSignWhenTheAxisIsInside) {
  for (const double depth : {1e-4, 1e-3, 1.9e-3}) {
    SCOPED_TRACE(depth);
    ProximityScene inside;
    inside.margin = 1e-3;
    add_slab(&inside);
    const double z = kSlab.z - depth;
    inside.add_rod({{-0.05, 0.043, z}, {0.25, 0.031, z}}, kRodRadius);
    const std::vector<SurfacePair> pairs = edge_pairs(&inside);
    EXPECT_GE(pairs.size(), 3u);
    for (const SurfacePair& p : pairs) {
      if (p.i.position.z < kSlab.z - 1e-9) continue;  // edges of the pierced sides
      EXPECT_LT(p.normal.z, 0);
      EXPECT_NEAR(p.gap_m, -depth - kRodRadius, 1e-12);
    }
  }
}

Vec3d unit(Vec3d u) {
  return (1 / norm(u)) * u;
}

/// Every pair of random poses is that of the plain formula, and moves with the scene.
TEST(RodEdges, AreThoseOfBruteForceOnABall) {
  std::size_t n_pair = 0, n_beside = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomScene random(seed);
    ProximityScene scene;
    scene.margin = random.uniform(0, 5e-3);
    const int ball = scene.add_soft(mesh_ball(0.05, 60), moved_by({}));
    const Vec3d u = unit(random.vector(1)), w = unit(cross(u, random.vector(1)));
    const Vec3d middle = random.uniform(0.045, 0.056) * u;
    const Vec3d a = middle - 0.1 * w, b = middle + 0.1 * w;
    scene.add_rod({a, b}, kRodRadius);
    std::map<std::int32_t, SurfacePair> found;
    for (const SurfacePair& p : edge_pairs(&scene))
      EXPECT_TRUE(found.insert({p.feature_i, p}).second);
    const SurfaceMesh& mesh = scene.meshes[0];
    for (std::int32_t e = 0; e < mesh.n_edge(); ++e) {
      const auto [low, high] = mesh.edges[static_cast<std::size_t>(e)];
      const SegmentPoints c =
          closest_on_segments(scene.position(ball, low), scene.position(ball, high), a, b);
      const Vec3d edge = scene.position(ball, high) - scene.position(ball, low);
      const double sine = norm(cross(edge, w)) / norm(edge);
      const bool is_inside = sine > 0.05 && c.s > 0 && c.s < 1 && c.t > 0 && c.t < 1;
      const double distance = std::sqrt(c.squared_distance);
      // The ball is convex: an axis is outside at an edge if it is farther from the centre.
      const bool is_outside = norm(c.on_b) > norm(c.on_a);
      if (!is_inside || !is_outside || distance - kRodRadius > scene.margin - 1e-12) {
        if (!is_inside || (is_outside && distance - kRodRadius > scene.margin + 1e-12)) {
          EXPECT_EQ(found.count(e), 0u);
        }
        continue;
      }
      const double beside = std::min(c.s, 1 - c.s);
      if (beside < 0.05 && found.count(e) == 0) {
        // The contact of the vertex, or of another edge of it, is almost the same.
        const std::int32_t vertex = c.s < 0.5 ? low : high;
        const Vec3d p = scene.position(ball, vertex), across = p - a - dot(p - a, w) * w;
        const bool has_vertex = beside < 0.01 && norm(across) - distance <= 1e-3 * norm(edge);
        EXPECT_TRUE(has_vertex || std::any_of(found.begin(), found.end(), [&](const auto& other) {
                      const auto& ends = mesh.edges[static_cast<std::size_t>(other.first)];
                      return (ends[0] == vertex || ends[1] == vertex) &&
                             other.second.gap_m <= distance - kRodRadius;
                    }));
        ++n_beside;
        continue;
      }
      ASSERT_EQ(found.count(e), 1u);
      ++n_pair;
      EXPECT_NEAR(found[e].gap_m, distance - kRodRadius, 1e-14);
      EXPECT_LT(norm(found[e].normal - (1 / distance) * (c.on_a - c.on_b)), 1e-9);
    }
  }
  EXPECT_GT(n_pair, 300u);
  EXPECT_GT(n_beside, 2u);
}

TEST(RodEdges, RodsOfSpheresHaveNone) {
  ProximityScene scene;
  add_slab(&scene);
  const double z = kSlab.z + kRodRadius;
  scene.add_rod({{-0.05, 0.043, z}, {0.25, 0.031, z}}, kRodRadius, RodContact::link_centres);
  EXPECT_TRUE(edge_pairs(&scene).empty());
}

double overlap_at(double z, const Vec3d& along) {
  ProximityScene scene;
  add_slab(&scene);
  const Vec3d middle{0.113, 0.047, z};
  scene.add_rod({middle - along, middle + along}, kRodRadius);
  std::vector<SurfaceOverlap> overlaps;
  scene.search.find_overlaps(scene.state(), OverlapScope::all, &overlaps);
  return overlaps.empty() ? 0 : overlaps[0].depth_m;
}

TEST(RodEdges, LongLinksOverlapByTheirDepth) {
  const Vec3d flat{0.2, -0.01, 0};
  EXPECT_EQ(overlap_at(kSlab.z + 1.01 * kRodRadius, flat), 0);
  EXPECT_NEAR(overlap_at(kSlab.z + 0.75 * kRodRadius, flat), 0.25 * kRodRadius, 1e-12);
  // Pierces the faces of a cell, far from its edges.
  EXPECT_GT(overlap_at(0.5 * kSlab.z, {0, 0.001, 0.1}), kRodRadius);
}

TEST(RodEdges, ALinkThatJumpsThroughAnEdgeIsReported) {
  for (const double margin : {1e-4, 0.1}) {
    SCOPED_TRACE(margin);
    ProximityScene scene;
    scene.margin = margin;
    const int slab = add_slab(&scene);
    const double z = kSlab.z + kRodRadius + 5e-3;
    const int rod = scene.add_rod({{-0.05, 0.043, z}, {0.25, 0.031, z}}, kRodRadius);
    scene.find();
    ProximityScene end = std::move(scene);
    end.pose[0].position.z -= 0.05;  // without a velocity
    std::vector<MissedTunnelling> missed;
    end.search.find_tunnelling(end.state(), &missed);
    if (margin > 0.05) {
      EXPECT_TRUE(missed.empty()) << "the pairs of the search know it";
      continue;
    }
    ASSERT_EQ(missed.size(), 1u);
    EXPECT_EQ(missed[0].surface_i, slab);
    EXPECT_EQ(missed[0].surface_j, rod);
    EXPECT_GE(missed[0].depth_m, kRodRadius);
  }
}

}  // namespace
}  // namespace nodia

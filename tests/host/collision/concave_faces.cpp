/// Faces that stop a ball in a concave place.
#include "host/collision/concave_faces.hpp"

#include <gtest/gtest.h>

#include <random>

#include "host/collision/surface_mesh.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

using Triangles = std::vector<std::array<std::int32_t, 3>>;

/// Triangles of a surface with their normals.
struct Faces {
  Faces(std::vector<Vec3d> corners, const Triangles& triangles)
      : x(std::move(corners)), mesh(make_surface(x, triangles)) {}

  /// The kept faces near a point, with the closest face as the closest point.
  std::vector<NearFace> barriers(Vec3d centre, double reach, Vec3d outward = {}) const {
    std::vector<NearFace> faces;
    NearBall ball{centre, outward, {HUGE_VAL, {}}};
    for (std::int32_t t = 0; t < mesh.n_triangle(); ++t) {
      const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(t)];
      const std::array<Vec3d, 3> corner{at(a), at(b), at(c)};
      const Vec3d n = cross(corner[1] - corner[0], corner[2] - corner[0]);
      add_near_face(centre, reach, t, corner, mesh.triangle_edges[static_cast<std::size_t>(t)],
                    (1 / norm(n)) * n, &faces);
    }
    for (const NearFace& f : faces)
      if (f.foot.feature == kFace && std::fabs(f.height) < std::fabs(ball.closest.distance))
        ball.closest = {f.height, f.normal};
    keep_barriers(ball, &faces);
    return faces;
  }
  Vec3d at(std::int32_t vertex) const { return mesh.rest[static_cast<std::size_t>(vertex)]; }

  std::vector<Vec3d> x;
  SurfaceMesh mesh;
};

/// Two sheets that meet in the y axis and rise at these angles to both sides; negative: a ridge.
Faces groove(double left, double right) {
  const double l = std::tan(left), r = std::tan(right);
  return {{{-1, -1, l}, {-1, 1, l}, {0, -1, 0}, {0, 1, 0}, {1, -1, r}, {1, 1, r}},
          {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}}};
}

TEST(ConcaveFaces, ABallInAGrooveHasTheOtherSlope) {
  for (const double right : {0.2, 0.5, 1.0, 1.4}) {
    SCOPED_TRACE(right);
    const Faces faces = groove(0.5, right);
    const Vec3d centre = Vec3d{-0.002, 0.1, 0.1};
    const std::vector<NearFace> kept = faces.barriers(centre, 0.3);
    ASSERT_EQ(kept.size(), 1u);
    const bool is_right = kept[0].normal.x < 0;
    const Vec3d slope = is_right ? Vec3d{-std::sin(right), 0, std::cos(right)}
                                 : Vec3d{std::sin(0.5), 0, std::cos(0.5)};
    EXPECT_NEAR(norm(kept[0].normal - slope), 0, 1e-12);
    EXPECT_NEAR(kept[0].height, dot(slope, centre), 1e-12);
  }
}

TEST(ConcaveFaces, FlatSheetsAndRidgesHaveNone) {
  EXPECT_TRUE(groove(0, 0).barriers({0.001, 0.2, 0.05}, 0.5).empty());
  for (const double angle : {-0.1, -0.5, -1.2}) {
    EXPECT_TRUE(groove(angle, angle).barriers({-0.01, 0.2, 0.05}, 0.5).empty()) << angle;
    // A point that has sunk in beside the ridge is not pushed out on the other side.
    const Vec3d inside = {-0.001, 0.2, -1e-3 * std::tan(-angle) - 1e-6};
    EXPECT_TRUE(groove(angle, angle).barriers(inside, 0.5).empty()) << angle;
  }
}

/// A ball above the convex upper edge of a wall whose two triangles are bent inwards.
TEST(ConcaveFaces, ABallThatPassesAboveABentWallHasNone) {
  const std::vector<Vec3d> x{{0, -1, 0}, {0, 1, 0}, {0, -1, -1}, {0.1, 1, -1}, {-1, 0, 0}};
  const Faces wall{x, {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}}};
  for (const double y : {-0.9, -0.5, 0.0, 0.5, 0.9})
    for (const double z : {0.01, 0.1, 0.3})
      EXPECT_TRUE(wall.barriers({0.1, y, z}, 1).empty()) << y << " " << z;
}

TEST(ConcaveFaces, APointThatHasSunkIntoBothSlopesHasBoth) {
  const Faces faces = groove(0.5, 0.5);
  // The closest point is on the edge between them.
  for (const double x : {-1e-8, 0.0, 1e-8})
    EXPECT_EQ(faces.barriers({x, 0.3, -1e-7}, 0.1).size(), 2u) << x;
}

TEST(ConcaveFaces, OnlyFacesWithinReachAndThatFaceThePointCount) {
  const Faces faces = groove(0.5, 1.0);
  EXPECT_TRUE(faces.barriers({-0.5, 0, 0.3}, 0.1).empty());
  const Vec3d centre{0, 0, 0.1}, across{-std::sin(1.0), 0, std::cos(1.0)};
  EXPECT_EQ(faces.barriers(centre, 0.3).size(), 1u);
  EXPECT_TRUE(faces.barriers(centre, 0.3, across).empty() ||
              dot(faces.barriers(centre, 0.3, across)[0].normal, across) <= kNotFacing);
}

TEST(ConcaveFaces, AFaceBehindAnotherOneIsHidden) {
  // A wall in front of the right slope.
  Faces faces = groove(0.3, 0.9);
  std::vector<Vec3d> x = faces.x;
  Triangles triangles = faces.mesh.triangles;
  const auto first = static_cast<std::int32_t>(x.size());
  for (const Vec3d corner : {Vec3d{0.02, -1, -1}, {0.02, 1, -1}, {0.02, -1, 1}, {0.02, 1, 1}})
    x.push_back(corner);
  triangles.push_back({first, first + 2, first + 1});
  triangles.push_back({first + 1, first + 2, first + 3});
  const std::vector<NearFace> kept = Faces{x, triangles}.barriers({0, 0, 0.05}, 0.5);
  ASSERT_EQ(kept.size(), 1u);
  const Vec3d right{-std::sin(0.9), 0, std::cos(0.9)};
  EXPECT_LT(dot(kept[0].normal, right), 0.99);
}

/// In a convex cavity every wall on which the point has a foot counts once, whatever the position.
TEST(ConcaveFaces, InABoxAllWallsCount) {
  std::vector<Vec3d> x;
  for (int k = 0; k < 8; ++k) x.push_back({k & 1 ? 1. : 0., k & 2 ? 2. : 0., k & 4 ? 3. : 0.});
  Triangles inward;
  const int wall[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                          {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
  for (const auto& [a, b, c, d] : wall) {
    inward.push_back({a, b, c});
    inward.push_back({a, c, d});
  }
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> share(0.05, 0.95), turn(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3d rotation = rotation_exp({turn(random), turn(random), turn(random)});
    std::vector<Vec3d> turned;
    for (const Vec3d corner : x) turned.push_back(rotation * corner);
    const Vec3d p{share(random), 2 * share(random), 3 * share(random)};
    const std::vector<NearFace> kept = Faces{turned, inward}.barriers(rotation * p, 10);
    ASSERT_EQ(kept.size(), 5u);
    for (std::size_t k = 1; k < kept.size(); ++k) EXPECT_LE(kept[k - 1].height, kept[k].height);
  }
}

}  // namespace
}  // namespace nodia

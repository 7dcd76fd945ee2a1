#include "fem/mesh/solid_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

double largest(const Mat3d& m) {
  double value = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value = std::max(value, std::fabs(m(i, j)));
  return value;
}

TriangleMesh tetrahedron(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
  return {{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

/// Corner tetrahedron of unit edges: V = 1/6, centre 1/4, int x^2 = 1/60, int x y = 1/120.
TEST(SolidIntegrals, OfATetrahedron) {
  const SolidIntegrals s = solid_integrals(tetrahedron({}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), "tet");
  EXPECT_NEAR(s.volume_m3, 1.0 / 6, 1e-16);
  EXPECT_NEAR(norm(s.centre_m - Vec3d{0.25, 0.25, 0.25}), 0, 1e-16);
  const double diagonal = 2 * (1.0 / 60 - 1.0 / 96), side = -(1.0 / 120 - 1.0 / 96);
  EXPECT_NEAR(s.inertia_m5(0, 0), diagonal, 1e-16);
  EXPECT_NEAR(s.inertia_m5(1, 2), side, 1e-16);
}

/// Moved and turned, also far from the origin: I -> R I R^T.
TEST(SolidIntegrals, FollowTheSolid) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int k = 0; k < 20; ++k) {
    Vec3d x[4];
    do {
      for (Vec3d& p : x) p = {value(random), value(random), value(random)};
    } while (dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) < 0.1);
    const Mat3d R = rotation_exp({3 * value(random), value(random), value(random)});
    const Vec3d shift = 100.0 * Vec3d{value(random), value(random), value(random)};
    const SolidIntegrals a = solid_integrals(tetrahedron(x[0], x[1], x[2], x[3]), "a");
    for (Vec3d& p : x) p = R * p + shift;
    const SolidIntegrals b = solid_integrals(tetrahedron(x[0], x[1], x[2], x[3]), "b");
    EXPECT_NEAR(b.volume_m3 / a.volume_m3, 1, 1e-11);
    EXPECT_NEAR(norm(b.centre_m - (R * a.centre_m + shift)), 0, 1e-11);
    EXPECT_LT(largest(b.inertia_m5 - R * a.inertia_m5 * transpose(R)),
              1e-11 * largest(a.inertia_m5));
  }
}

/// Additive: a box of twelve triangles is a box.
TEST(SolidIntegrals, OfABoxAreThoseOfTheShape) {
  const Vec3d size{0.1, 0.2, 0.5};
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({(k & 1) * size.x, (k >> 1 & 1) * size.y, (k >> 2) * size.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  require_closed(mesh, "box");
  const SolidIntegrals s = solid_integrals(mesh, "box");
  const Shape box{ShapeKind::box, size, 0, 0, {}};
  EXPECT_NEAR(s.volume_m3, solid_volume(box), 1e-15);
  const double v = s.volume_m3 / 12, x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  const Mat3d expected{{{v * (y + z), 0, 0}, {0, v * (z + x), 0}, {0, 0, v * (x + y)}}};
  EXPECT_LT(largest(s.inertia_m5 - expected), 1e-16);
}

TEST(SolidIntegrals, VolumesOfShapes) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(solid_volume({ShapeKind::sphere, {}, 0.5, 0, {}}), kPi / 6);
  EXPECT_DOUBLE_EQ(solid_volume({ShapeKind::cylinder, {}, 0.5, 2, {}}), kPi / 2);
  EXPECT_DOUBLE_EQ(solid_volume({ShapeKind::capsule, {}, 0.5, 2, {}}), kPi / 2 + kPi / 6);
  EXPECT_THROW(solid_volume({}), InputError);
}

TEST(SolidIntegrals, AMeshInsideOutIsRefused) {
  EXPECT_THROW(solid_integrals(tetrahedron({}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), "t"), InputError);
}

}  // namespace
}  // namespace nodia

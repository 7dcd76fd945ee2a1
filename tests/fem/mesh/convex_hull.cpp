#include "fem/mesh/convex_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "fem/mesh/solid_integrals.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

/// Greatest height of a point above a triangle's plane.
double greatest_height(const TriangleMesh& hull, const std::vector<Vec3d>& points) {
  double greatest = 0;
  for (const auto& t : hull.triangles) {
    const auto corner = [&](std::size_t k) {
      return hull.vertices[static_cast<std::size_t>(t[k])];
    };
    const Vec3d normal = cross(corner(1) - corner(0), corner(2) - corner(0));
    const double area = norm(normal);
    if (area < 1e-12) continue;  // a sliver has no plane
    for (const Vec3d p : points) greatest = std::max(greatest, dot(normal, p - corner(0)) / area);
  }
  return greatest;
}

TEST(ConvexHull, ContainsRandomPoints) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3d> points(4 + static_cast<std::size_t>(10 * trial));
    for (Vec3d& p : points) p = {normal(random), normal(random), 0.01 * normal(random)};
    const TriangleMesh hull = convex_hull(points, "hull");
    EXPECT_NO_THROW(require_closed(hull, "hull"));
    EXPECT_LE(greatest_height(hull, points), 1e-7);
    // Euler's formula for a closed surface of triangles, which has 3/2 edges a triangle.
    EXPECT_EQ(2 * hull.vertices.size(), hull.triangles.size() + 4);
  }
}

/// Points on faces, edges and corners, and inside: many planes through the same points.
TEST(ConvexHull, OfALatticeIsItsBox) {
  std::vector<Vec3d> points;
  for (int k = 0; k < 125; ++k) {
    const int i = k % 5, j = k / 5 % 5, l = k / 25;
    points.push_back({0.1 * i, 0.2 * j, 0.3 * l});
  }
  const TriangleMesh hull = convex_hull(points, "hull");
  EXPECT_NEAR(solid_integrals(hull, "hull").volume_m3, 0.4 * 0.8 * 1.2, 1e-9);
}

TEST(ConvexHull, OfATorusHasPappusVolume) {
  const double major = 1, minor = 0.3;
  const TriangleMesh torus = test::torus_mesh(major, minor, 200, 100);
  const double volume = solid_integrals(convex_hull(torus.vertices, "hull"), "hull").volume_m3;
  // A disc of height 2 r and the outer half of the tube around it.
  const double centroid = major + 4 * minor / (3 * std::numbers::pi);
  const double exact = std::numbers::pi * major * major * 2 * minor +
                       2 * std::numbers::pi * centroid * std::numbers::pi * minor * minor / 2;
  EXPECT_NEAR(volume, exact, 2e-3 * exact);
}

TEST(ConvexHull, OfFlatPointsIsAnError) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3d> plane, line, one(10, Vec3d{1, 2, 3});
  for (int k = 0; k < 50; ++k) {
    const double a = uniform(random), b = uniform(random);
    plane.push_back({a, b, 0.3 * a - 2 * b});
    line.push_back({a, 2 * a, -a});
  }
  for (const auto& points : {plane, line, one, std::vector<Vec3d>{}})
    EXPECT_THROW(convex_hull(points, "hull"), InputError);
}

}  // namespace
}  // namespace nodia

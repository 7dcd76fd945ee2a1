#include "host/collision/triangle_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

Vec3d random_point(std::mt19937_64* random, double half_width) {
  std::uniform_real_distribution<double> coordinate(-half_width, half_width);
  const double x = coordinate(*random), y = coordinate(*random), z = coordinate(*random);
  return {x, y, z};
}

/// Argument in [lo, hi] at which the convex function f is smallest, by ternary search.
template <class Function>
double argmin(double lo, double hi, const Function& f) {
  for (int round = 0; round < 80; ++round) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    (f(a) < f(b) ? hi : lo) = f(a) < f(b) ? b : a;
  }
  return 0.5 * (lo + hi);
}

/// Least distance to the points a + u (b - a) + v (c - a), u and v >= 0, u + v <= 1, by search.
double searched_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const auto at = [&](double u, double v) {
    return squared_norm(p - (a + u * (b - a) + v * (c - a)));
  };
  const auto best_v = [&](double u) {
    return argmin(0, 1 - u, [&](double v) { return at(u, v); });
  };
  const double u = argmin(0, 1, [&](double trial) { return at(trial, best_v(trial)); });
  return std::sqrt(at(u, best_v(u)));
}

TEST(TriangleDistance, KnownPointsOfEveryRegion) {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  const auto distance = [&](Vec3d p) { return std::sqrt(squared_triangle_distance(p, a, b, c)); };
  EXPECT_DOUBLE_EQ(distance({0.25, 0.25, 2}), 2);         // face
  EXPECT_DOUBLE_EQ(distance({0.25, 0.25, -2}), 2);        // face, from behind
  EXPECT_DOUBLE_EQ(distance({0.5, -3, 4}), 5);            // edge ab
  EXPECT_DOUBLE_EQ(distance({1, 1, 0}), std::sqrt(0.5));  // edge bc
  EXPECT_DOUBLE_EQ(distance({-1, 0.5, 0}), 1);            // edge ca
  EXPECT_DOUBLE_EQ(distance({-3, -4, 0}), 5);             // a
  EXPECT_DOUBLE_EQ(distance({4, -4, 0}), 5);              // b
  EXPECT_DOUBLE_EQ(distance({0, 3, 0}), 2);               // c
  EXPECT_DOUBLE_EQ(distance({0.25, 0.25, 0}), 0);
}

TEST(TriangleDistance, IsTheLeastDistanceToItsPoints) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const Vec3d a = random_point(&random, 1), b = random_point(&random, 1),
                c = random_point(&random, 1), p = random_point(&random, 2);
    EXPECT_NEAR(std::sqrt(squared_triangle_distance(p, a, b, c)), searched_distance(p, a, b, c),
                1e-7);
  }
}

TEST(TriangleDistance, TrianglesWithoutAreaAreTheirEdges) {
  const Vec3d a{0, 0, 0}, b{2, 0, 0}, c{1, 0, 0};
  EXPECT_DOUBLE_EQ(squared_triangle_distance({1.5, 3, 0}, a, b, c), 9);
  EXPECT_DOUBLE_EQ(squared_triangle_distance({5, 4, 0}, a, c, b), 25);
  EXPECT_DOUBLE_EQ(squared_triangle_distance({3, 4, 0}, a, a, a), 25);
  // A sliver: its height is far below the distance's accuracy.
  EXPECT_NEAR(squared_triangle_distance({1.2, 1, 0}, a, b, {1, 1e-13, 1e-14}), 1, 1e-12);
}

TEST(TriangleTree, NearestDistanceIsThatOfVisitingEveryTriangle) {
  const TriangleMesh mesh = test::torus_mesh(1, 0.4, 23, 17);
  const TriangleTree tree(mesh);
  std::mt19937_64 random(2);
  std::int32_t guess = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3d p = random_point(&random, trial % 2 == 0 ? 1.5 : 10);
    double expected = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
      expected = std::min(
          expected, squared_triangle_distance(p, mesh.vertices[static_cast<std::size_t>(t[0])],
                                              mesh.vertices[static_cast<std::size_t>(t[1])],
                                              mesh.vertices[static_cast<std::size_t>(t[2])]));
    }
    EXPECT_DOUBLE_EQ(tree.nearest(p).squared_distance, expected);
    const TriangleTree::Nearest guessed = tree.nearest(p, guess);
    EXPECT_DOUBLE_EQ(guessed.squared_distance, expected);
    guess = guessed.place;
  }
}

/// Thin, tiny and degenerate triangles far from the origin, where rounding is largest.
TEST(TriangleTree, NoBoxHidesTheNearestTriangle) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-6, 0);
  for (const double far : {0.0, 1e3}) {
    TriangleMesh mesh;
    const Vec3d offset{far, -far, 2 * far};
    for (std::int32_t t = 0; t < 300; ++t) {
      const Vec3d a = offset + random_point(&random, 1), edge = random_point(&random, 0.3);
      const double thin = t % 7 == 0 ? 0 : std::pow(10, exponent(random));
      const double size = std::pow(10, exponent(random));
      for (const Vec3d corner :
           {a, a + size * edge,
            a + (0.4 * size) * edge + (thin * size) * random_point(&random, 0.3)})
        mesh.vertices.push_back(corner);
      mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const TriangleTree tree(mesh);
    for (int trial = 0; trial < 2000; ++trial) {
      const Vec3d p = trial % 3 == 0 ? mesh.vertices[static_cast<std::size_t>(trial % 900)]
                                     : offset + random_point(&random, 1.5);
      double expected = std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d a = mesh.vertices[3 * t], b = mesh.vertices[3 * t + 1],
                    c = mesh.vertices[3 * t + 2];
        expected = std::min(expected, not_below(bounds_of_points(a, b, c).squared_distance(p),
                                                squared_triangle_distance(p, a, b, c)));
      }
      EXPECT_EQ(tree.nearest(p).squared_distance, expected) << far << " " << trial;
    }
  }
}

/// The square of this area is below the smallest double.
TEST(TriangleTree, ATriangleMayHaveHardlyAnyArea) {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0.5, 1e-155, 0};
  const TriangleTree tree(TriangleMesh{{a, b, c}, {{0, 1, 2}}});
  for (const Vec3d p : {Vec3d{0.5, 1, 0}, Vec3d{2, 0, 0}, Vec3d{0.3, -1, 0.2}, Vec3d{0.5, 0, 0}})
    EXPECT_EQ(tree.nearest(p).squared_distance, squared_triangle_distance(p, a, b, c));
}

TEST(TriangleTree, ManyEqualTrianglesAreNoTrouble) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}};
  mesh.triangles.assign(1000, {0, 1, 2});
  EXPECT_DOUBLE_EQ(TriangleTree(mesh).nearest({0.2, 0.2, 3}).squared_distance, 9);
}

}  // namespace
}  // namespace nodia

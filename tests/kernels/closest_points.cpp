#include "kernels/collision/closest_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/core/pose.hpp"

namespace nodia {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine_);
  }
  Vec3d point(double half_width = 1) {
    const double x = uniform(-half_width, half_width), y = uniform(-half_width, half_width);
    return {x, y, uniform(-half_width, half_width)};
  }
  Pose pose() {
    const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1);
    return {point(3), rotation_matrix(normalized({w, x, y, uniform(-1, 1)}))};
  }

 private:
  std::mt19937_64 engine_;
};

/// Least value of the convex f on [lo, hi], sampled on a grid that is refined around the best
/// sample.
template <class Function>
double searched_minimum(double lo, double hi, const Function& f) {
  constexpr int kSamples = 8;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 24; ++round) {
    const double h = (hi - lo) / kSamples;
    double best = std::numeric_limits<double>::infinity();
    double at = lo;
    for (int k = 0; k <= kSamples; ++k) {
      const double value = f(lo + h * k);
      if (value < best) {
        best = value;
        at = lo + h * k;
      }
    }
    least = std::min(least, best);
    lo = std::max(lo, at - h);
    hi = std::min(hi, at + h);
  }
  return least;
}

double searched_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  return std::sqrt(searched_minimum(0, 1, [&](double u) {
    return searched_minimum(
        0, 1 - u, [&](double v) { return squared_norm(p - (a + u * (b - a) + v * (c - a))); });
  }));
}

double searched_segment_distance(Vec3d a0, Vec3d a1, Vec3d b0, Vec3d b1) {
  return std::sqrt(searched_minimum(0, 1, [&](double s) {
    return searched_minimum(
        0, 1, [&](double t) { return squared_norm(a0 + s * (a1 - a0) - b0 - t * (b1 - b0)); });
  }));
}

/// Weights, point, feature and distance tell the same.
void expect_consistent(const TrianglePoint& c, Vec3d p, Vec3d a, Vec3d b, Vec3d e) {
  EXPECT_NEAR(c.weight.x + c.weight.y + c.weight.z, 1, 1e-14);
  for (int k = 0; k < 3; ++k) {
    EXPECT_GE(c.weight[k], 0);
    EXPECT_EQ(c.weight[k] > 0, ((c.feature >> k) & 1) != 0);
  }
  const Vec3d point = c.weight.x * a + c.weight.y * b + c.weight.z * e;
  EXPECT_LT(norm(point - c.point), 1e-13);
  EXPECT_NEAR(c.squared_distance, squared_norm(p - c.point), 1e-13);
}

TEST(ClosestOnTriangle, WalksAllSevenRegions) {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  const struct {
    Vec3d p, foot;
    int feature;
  } cases[] = {{{-1, -2, 0.5}, a, kCornerA},
               {{3, -1, 0.5}, b, kCornerB},
               {{-1, 3, 0.5}, c, kCornerC},
               {{0.25, -1, 0.5}, {0.25, 0, 0}, kEdgeAB},
               {{1, 1, 0.5}, {0.5, 0.5, 0}, kEdgeBC},
               {{-1, 0.75, 0.5}, {0, 0.75, 0}, kEdgeCA},
               {{0.25, 0.5, 0.5}, {0.25, 0.5, 0}, kFace}};
  Random random(1);
  for (const auto& example : cases) {
    for (int trial = 0; trial < 20; ++trial) {
      const Pose g = trial == 0 ? Pose{} : random.pose();
      for (const double side : {1.0, -1.0}) {
        Vec3d p = example.p;
        p.z *= side;
        const Vec3d q = g.to_world(p), wa = g.to_world(a), wb = g.to_world(b), wc = g.to_world(c);
        const TrianglePoint found = closest_on_triangle(q, wa, wb, wc);
        EXPECT_EQ(found.feature, example.feature);
        EXPECT_LT(norm(found.point - g.to_world(example.foot)), 1e-14);
        expect_consistent(found, q, wa, wb, wc);
      }
    }
  }
}

TEST(ClosestOnTriangle, IsTheSearchedDistanceInEveryRegion) {
  Random random(2);
  int n_region[8] = {};
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3d a = random.point(), b = random.point(), c = random.point(), p = random.point(1.5);
    const TrianglePoint found = closest_on_triangle(p, a, b, c);
    ++n_region[found.feature];
    expect_consistent(found, p, a, b, c);
    EXPECT_NEAR(std::sqrt(found.squared_distance), searched_triangle_distance(p, a, b, c), 1e-7);
  }
  for (int feature = 1; feature <= 7; ++feature) EXPECT_GT(n_region[feature], 20) << feature;
}

TEST(ClosestOnTriangle, DoesNotDependOnTheOrderOfTheCornersOrThePose) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3d a = random.point(), b = random.point(), c = random.point(), p = random.point(2);
    const TrianglePoint found = closest_on_triangle(p, a, b, c);
    const TrianglePoint turned = closest_on_triangle(p, b, c, a);
    const TrianglePoint flipped = closest_on_triangle(p, b, a, c);
    EXPECT_LT(norm(turned.point - found.point), 1e-13);
    EXPECT_LT(norm(flipped.point - found.point), 1e-13);
    EXPECT_NEAR(turned.weight.z, found.weight.x, 1e-12);
    EXPECT_NEAR(flipped.weight.y, found.weight.x, 1e-12);
    const Pose g = random.pose();
    const TrianglePoint moved =
        closest_on_triangle(g.to_world(p), g.to_world(a), g.to_world(b), g.to_world(c));
    EXPECT_LT(norm(moved.point - g.to_world(found.point)), 1e-13);
  }
}

TEST(ClosestOnTriangle, TrianglesWithoutAreaAreTheirEdges) {
  const Vec3d a{0, 0, 0}, b{2, 0, 0}, c{1, 0, 0};
  EXPECT_DOUBLE_EQ(closest_on_triangle({1.5, 3, 0}, a, b, c).squared_distance, 9);
  EXPECT_DOUBLE_EQ(closest_on_triangle({5, 4, 0}, a, c, b).squared_distance, 25);
  const TrianglePoint point = closest_on_triangle({3, 4, 0}, a, a, a);
  EXPECT_DOUBLE_EQ(point.squared_distance, 25);
  expect_consistent(point, {3, 4, 0}, a, a, a);
  Random random(4);
  for (int trial = 0; trial < 300; ++trial) {
    // Slivers of every height down to nothing.
    const Vec3d u = random.point(), v = random.point(), p = random.point(2);
    const double height = std::pow(10, random.uniform(-18, -3));
    const Vec3d w = u + random.uniform(-0.5, 1.5) * (v - u) + height * random.point();
    const TrianglePoint found = closest_on_triangle(p, u, v, w);
    expect_consistent(found, p, u, v, w);
    EXPECT_NEAR(std::sqrt(found.squared_distance), searched_triangle_distance(p, u, v, w), 1e-7);
  }
}

TEST(ClosestOnTriangle, APointOfTheTriangleHasNoDistance) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3d a = random.point(), b = random.point(), c = random.point();
    const double u = random.uniform(0, 1), v = random.uniform(0, 1 - u);
    const Vec3d p = a + u * (b - a) + v * (c - a);
    EXPECT_LT(closest_on_triangle(p, a, b, c).squared_distance, 1e-30);
    EXPECT_EQ(closest_on_triangle(b, a, b, c).squared_distance, 0);
    EXPECT_EQ(closest_on_triangle(b, a, b, c).feature, kCornerB);
  }
}

TEST(ClosestOnTriangle, WhatIsNotANumberIsFarAway) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3d lost{nan, 0, 0}, a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  EXPECT_EQ(closest_on_triangle(lost, a, b, c).squared_distance, HUGE_VAL);
  EXPECT_EQ(closest_on_segments(lost, lost, a, b).squared_distance, HUGE_VAL);
}

int region(double s) {
  return s == 0 ? 0 : (s == 1 ? 2 : 1);
}

TEST(ClosestOnSegments, WalksAllNineRegions) {
  // Segment a on x from 0 to 1; b crosses at height 0.5 along y, shifted so that its closest point
  // and that of a are where the case says.
  Random random(6);
  for (const double sx : {-1.0, 0.25, 2.0}) {
    for (const double ty : {-2.0, 0.5, 3.0}) {
      for (int trial = 0; trial < 20; ++trial) {
        const Pose g = trial == 0 ? Pose{} : random.pose();
        const Vec3d a0{0, 0, 0}, a1{1, 0, 0};
        const Vec3d b0{sx, -ty, 0.5}, b1{sx, 1 - ty, 0.5};
        const SegmentPoints found =
            closest_on_segments(g.to_world(a0), g.to_world(a1), g.to_world(b0), g.to_world(b1));
        const double s = std::clamp(sx, 0.0, 1.0), t = std::clamp(ty, 0.0, 1.0);
        EXPECT_EQ(region(found.s), region(s));
        EXPECT_EQ(region(found.t), region(t));
        EXPECT_NEAR(found.s, s, 1e-14);
        EXPECT_NEAR(found.t, t, 1e-14);
        EXPECT_LT(norm(found.on_a - g.to_world(a0 + s * (a1 - a0))), 1e-14);
        EXPECT_LT(norm(found.on_b - g.to_world(b0 + t * (b1 - b0))), 1e-14);
      }
    }
  }
}

TEST(ClosestOnSegments, IsTheSearchedDistanceAndSymmetric) {
  Random random(7);
  int n_region[3][3] = {};
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3d a0 = random.point(), a1 = random.point(), b0 = random.point(), b1 = random.point();
    const SegmentPoints found = closest_on_segments(a0, a1, b0, b1);
    ++n_region[region(found.s)][region(found.t)];
    EXPECT_NEAR(std::sqrt(found.squared_distance), searched_segment_distance(a0, a1, b0, b1), 1e-7);
    const SegmentPoints swapped = closest_on_segments(b0, b1, a0, a1);
    EXPECT_NEAR(swapped.s, found.t, 1e-9);
    EXPECT_NEAR(swapped.t, found.s, 1e-9);
    const SegmentPoints reversed = closest_on_segments(a1, a0, b0, b1);
    EXPECT_NEAR(reversed.s, 1 - found.s, 1e-9);
    const Pose g = random.pose();
    const SegmentPoints moved =
        closest_on_segments(g.to_world(a0), g.to_world(a1), g.to_world(b0), g.to_world(b1));
    EXPECT_NEAR(moved.squared_distance, found.squared_distance, 1e-13);
    EXPECT_NEAR(moved.s, found.s, 1e-9);
  }
  for (const auto& row : n_region) {
    for (const int n : row) EXPECT_GT(n, 10);
  }
}

TEST(ClosestOnSegments, ParallelSegmentsMeetInTheMiddleOfTheCommonPart) {
  const Vec3d a0{0, 0, 0}, a1{4, 0, 0};
  const SegmentPoints overlap = closest_on_segments(a0, a1, {6, 1, 0}, {2, 1, 0});
  EXPECT_DOUBLE_EQ(overlap.squared_distance, 1);
  EXPECT_DOUBLE_EQ(overlap.s, 0.75);
  EXPECT_DOUBLE_EQ(overlap.t, 0.75);
  const SegmentPoints within = closest_on_segments(a0, a1, {1, 0, 2}, {2, 0, 2});
  EXPECT_DOUBLE_EQ(within.s, 1.5 / 4);
  EXPECT_DOUBLE_EQ(within.t, 0.5);
  const SegmentPoints apart = closest_on_segments(a0, a1, {7, 4, 0}, {9, 4, 0});
  EXPECT_DOUBLE_EQ(apart.squared_distance, 25);
  EXPECT_EQ(apart.s, 1);
  EXPECT_EQ(apart.t, 0);
  EXPECT_DOUBLE_EQ(closest_on_segments(a0, a1, {4, 3, 0}, {5, 3, 0}).squared_distance, 9);
  EXPECT_EQ(closest_on_segments(a0, a1, a0, a1).squared_distance, 0);  // on top of each other
  EXPECT_EQ(closest_on_segments(a0, a1, {3, 0, 0}, {9, 0, 0}).squared_distance, 0);
}

TEST(ClosestOnSegments, NearlyParallelAndShortSegmentsKeepTheirDistance) {
  Random random(8);
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3d a0 = random.point(), a1 = random.point();
    const double tilt = std::pow(10, random.uniform(-17, -1));
    const Vec3d b0 = a0 + random.point(0.5);
    const Vec3d b1 = b0 + random.uniform(-2, 2) * (a1 - a0) + tilt * random.point();
    const double expected = searched_segment_distance(a0, a1, b0, b1);
    EXPECT_NEAR(std::sqrt(closest_on_segments(a0, a1, b0, b1).squared_distance), expected, 1e-7);
    const double length = std::pow(10, random.uniform(-160, -1));
    const Vec3d c1 = b0 + length * random.point();
    EXPECT_NEAR(std::sqrt(closest_on_segments(a0, a1, b0, c1).squared_distance),
                searched_segment_distance(a0, a1, b0, c1), 1e-7);
  }
  EXPECT_DOUBLE_EQ(closest_on_segments({1, 1, 1}, {1, 1, 1}, {1, 1, 4}, {1, 1, 4}).squared_distance,
                   9);
}

TEST(CornerAngles, AreThoseOfTheLibrarysArctangent) {
  Random random(10);
  for (int trial = 0; trial < 20000; ++trial) {
    // Of all magnitudes: angles near none, a quarter and half a turn.
    const Vec3d p = random.point(), power = random.point();
    const double y = std::fabs(p.x) * std::pow(10, 12 * power.x),
                 x = p.y * std::pow(10, 12 * power.y), expected = std::atan2(y, x);
    EXPECT_NEAR(angle_from_x(y, x), expected, 1e-15 * expected) << y << ' ' << x;
  }
  for (const double x : {-1e-300, -2.0, 0.0, 2.0, 1e300}) {
    EXPECT_EQ(angle_from_x(0, x), std::atan2(0.0, x)) << x;
    EXPECT_TRUE(std::isfinite(angle_from_x(1, x))) << x;
  }
}

TEST(CornerAngles, SumToHalfATurn) {
  Random random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3d a = random.point(), b = random.point(), c = random.point();
    EXPECT_NEAR(corner_angle(a, b, c) + corner_angle(b, c, a) + corner_angle(c, a, b), M_PI, 1e-13);
  }
  EXPECT_EQ(corner_angle({}, {}, {1, 0, 0}), 0);
  EXPECT_EQ(norm(triangle_normal({}, {1, 0, 0}, {2, 0, 0})), 0);
}

}  // namespace
}  // namespace nodia

/// Ways of points through shapes and moving triangles, and of segments through each other, against
/// fine sampling.
#include "host/collision/tunnelling.hpp"

#include <gtest/gtest.h>

#include <random>

namespace nodia {
namespace {

using Where = WayEnd::Where;

Shape plate(double thickness) {
  return {ShapeKind::box, {1, 1, thickness}, 0, 0, {}};
}

WayEnd way(const Shape& shape, Vec3d a, Vec3d b) {
  return end_of_way(a, b, [&](Vec3d p) { return signed_distance(shape, p); });
}

TEST(Way, EndsInsideAsDeepAsTheDistanceSays) {
  const WayEnd end = way(Shape{}, {0, 0, 0.3}, {0.1, 0, -0.2});
  EXPECT_EQ(end.where, Where::inside);
  EXPECT_DOUBLE_EQ(end.depth_m, 0.2);
}

TEST(Way, GoesThroughPlatesAsThinAsAThousandthOfIt) {
  for (const double thickness : {0.1, 0.01, 0.002}) {
    const WayEnd end = way(plate(thickness), {0.01, 0.02, 0.7}, {0.03, 0.01, -0.6});
    EXPECT_EQ(end.where, Where::through) << thickness;
    EXPECT_NEAR(end.depth_m, 0.6 + 0.5 * thickness, 2e-3) << thickness;
  }
}

TEST(Way, ThatOnlyTouchesAnEdgeOfTheSolidEndsOutside) {
  // Cuts the edge x = z = 0.5 of a cube.
  EXPECT_EQ(way(plate(1), {0.3, 0, 0.8}, {0.8, 0, 0.3}).where, Where::outside);
  EXPECT_EQ(way(plate(1), {0.35, 0, 0.6}, {0.6, 0, 0.35}).where, Where::outside);
  EXPECT_EQ(way(plate(1), {0, 0, 0.6}, {0, 0, 0.51}).where, Where::outside);
  EXPECT_EQ(way(plate(1), {0, 0, 0.6}, {0, 0, 0.6}).where, Where::outside);
}

TEST(Way, IsNotFollowedWhereThereIsNoDistance) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(way(Shape{}, {0, 0, 1}, {0, 0, nan}).where, Where::outside);
}

class RandomMotions {
 public:
  explicit RandomMotions(std::uint64_t seed) : random_(seed) {}
  Vec3d point() { return {uniform_(random_), uniform_(random_), uniform_(random_)}; }
  MovingTriangle triangle() { return {{point(), point(), point()}, {point(), point(), point()}}; }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// Crossings seen by stepping through the motion: entering minus leaving, and how many.
std::pair<int, int> sampled_crossings(Vec3d a, Vec3d b, const MovingTriangle& t) {
  constexpr int kSamples = 3000;
  const auto place = [&](double s, Vec3d* p, Vec3d* q) {
    *p = a + s * (b - a);
    for (std::size_t k = 0; k < 3; ++k) q[k] = t.now[k] + s * (t.end[k] - t.now[k]);
  };
  Vec3d p, q[3];
  place(0, &p, q);
  double before = dot(p - q[0], cross(q[1] - q[0], q[2] - q[0]));
  int net = 0, count = 0;
  for (int k = 1; k <= kSamples; ++k) {
    place(static_cast<double>(k) / kSamples, &p, q);
    const Vec3d area = cross(q[1] - q[0], q[2] - q[0]);
    const double now = dot(p - q[0], area);
    if ((now > 0) != (before > 0)) {
      bool is_in = true;
      for (int c = 0; c < 3; ++c)
        is_in = is_in && dot(cross(q[(c + 1) % 3] - q[c], p - q[c]), area) >= 0;
      if (is_in) {
        net += before > 0 ? 1 : -1;
        ++count;
      }
    }
    before = now;
  }
  return {net, count};
}

TEST(Crossings, AreThoseOfFineSampling) {
  RandomMotions random(3);
  int n_crossing = 0, n_different = 0, n_several = 0;
  for (int round = 0; round < 3000; ++round) {
    const MovingTriangle t = random.triangle();
    const Vec3d a = random.point(), b = random.point();
    std::vector<Crossing> found;
    find_crossings(a, b, t, &found);
    int net = 0;
    for (const Crossing& c : found) net += c.enters ? 1 : -1;
    const auto [expected, count] = sampled_crossings(a, b, t);
    n_crossing += count;
    n_several += count > 1;
    n_different += net != expected || static_cast<int>(found.size()) != count;
    for (std::size_t k = 1; k < found.size(); ++k) EXPECT_LE(found[k - 1].time, found[k].time);
  }
  EXPECT_GT(n_crossing, 150);
  EXPECT_GT(n_several, 0);
  EXPECT_LE(n_different, 2);  // of those within a sample of an edge
}

TEST(Crossings, SayOnWhichSideAPointEnds) {
  const MovingTriangle floor{{Vec3d{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                             {Vec3d{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}}};
  std::vector<Crossing> c;
  find_crossings({0.2, 0.2, 0.05}, {0.2, 0.2, 0.02}, floor, &c);  // the floor rises over it
  ASSERT_EQ(c.size(), 1u);
  EXPECT_TRUE(c[0].enters);
  EXPECT_NEAR(c[0].depth_m, 0.08, 1e-15);
  EXPECT_NEAR(c[0].normal.z, 1, 1e-12);
  EXPECT_EQ(end_of_crossings(&c, true).where, Where::inside);
  EXPECT_EQ(end_of_crossings(&c, false).where, Where::through);
}

TEST(Crossings, OfASharedEdgeCountOnce) {
  std::vector<Crossing> twice{{0.5, {0, 0, 1}, true, 0.1}, {0.5, {0, 0, 1}, true, 0.1}};
  EXPECT_EQ(end_of_crossings(&twice, false).where, Where::through);
}

TEST(Crossings, InAndOutAgainEndOutsideUnlessOnTheFarSide) {
  std::vector<Crossing> grazed{{0.2, {0, 0, 1}, true, 0.1}, {0.4, {1, 0, 0}, false, 0}};
  EXPECT_EQ(end_of_crossings(&grazed, true).where, Where::outside);
  std::vector<Crossing> passed{{0.2, {0, 0, 1}, true, 0.3}, {0.4, {0, 0, -1}, false, 0}};
  const WayEnd end = end_of_crossings(&passed, true);
  EXPECT_EQ(end.where, Where::through);
  EXPECT_EQ(end.depth_m, 0.3);
  std::vector<Crossing> sheet{{0.2, {0, 0, 1}, true, 0.3}, {0.4, {0, 0, 1}, false, 0}};
  EXPECT_EQ(end_of_crossings(&sheet, false).where, Where::outside);
}

TEST(Segments, CrossWhereSamplingSeesTheirDistanceVanish) {
  RandomMotions random(5);
  const auto pair = [&] { return std::array{random.point(), random.point()}; };
  int n_cross = 0, n_different = 0;
  for (int round = 0; round < 300; ++round) {
    const auto a = pair(), a_end = pair(), b = pair(), b_end = pair();
    constexpr int kSamples = 4000;
    bool expected = false;
    double before = 0;
    for (int k = 0; k <= kSamples; ++k) {
      const double s = static_cast<double>(k) / kSamples;
      const auto at = [&](const auto& now, const auto& end, std::size_t e) {
        return now[e] + s * (end[e] - now[e]);
      };
      const Vec3d p = at(a, a_end, 0), dp = at(a, a_end, 1) - p;
      const Vec3d q = at(b, b_end, 0), dq = at(b, b_end, 1) - q;
      const Vec3d n = cross(dp, dq);
      const double volume = dot(q - p, n);
      const double u = dot(cross(q - p, dq), n) / squared_norm(n),
                   w = dot(cross(q - p, dp), n) / squared_norm(n);
      if (k > 0 && (volume > 0) != (before > 0) && u >= 0 && u <= 1 && w >= 0 && w <= 1)
        expected = true;
      before = volume;
    }
    n_cross += expected;
    n_different += segments_cross(a, a_end, b, b_end) != expected;
  }
  EXPECT_GT(n_cross, 40);
  EXPECT_LE(n_different, 1);
}

}  // namespace
}  // namespace nodia

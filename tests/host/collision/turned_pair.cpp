// Contact pairs of bodies that turn in a step, against the bodies at the end of the step.
#include "host/collision/turned_pair.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

constexpr Vec3d kUpper{0.04, 0.05, 0.03}, kLower{0.2, 0.3, 0.1};  // edges of the boxes [m]

Shape box(Vec3d size) {
  return {ShapeKind::box, size, 0, 0, {}};
}

int add(const Shape& shape, int frame, ProximitySearch* search) {
  ShapeSurface surface;
  surface.shape = shape;
  surface.frame = frame;
  return search->add_shape(surface);
}

/// Two shapes whose origins are those of their frames, and how they move in a step.
class TwoShapes {
 public:
  TwoShapes(const Shape& upper, const Shape& lower) {
    add(upper, 0, &search_);
    add(lower, 1, &search_);
  }
  void put(const Pose& upper, const Pose& lower) { now_ = {upper, lower}; }
  void move(int k, Vec3d way, Vec3d turn) {
    way_[k] = way;
    turn_[k] = turn;
    end_[k] = {now_[k].position + way, rotation_exp(turn) * now_[k].rotation};
  }
  void find() {
    const std::vector<FrameTwist> twist(2);
    search_.find({{}, {}, now_, twist}, 0.2, 0.01, 1, &pairs);
    search_.turn({{}, {}, end_, twist}, pairs, &turned);
  }
  const std::vector<Pose>& end() const { return end_; }
  /// Change of the gap that is linear in the motion.
  double linear_change(const SurfacePair& pair, const TurnedPair& t) const {
    const auto way_at = [&](int k, Vec3d p) {
      return way_[k] + cross(turn_[k], p - now_[k].position);
    };
    return dot(t.normal, way_at(pair.surface_i, t.at_i) - way_at(pair.surface_j, t.at_j));
  }

  std::vector<SurfacePair> pairs;
  std::vector<TurnedPair> turned;

 private:
  ProximitySearch search_;
  std::vector<Pose> now_{2}, end_{2};
  std::array<Vec3d, 2> way_{}, turn_{};
};

class Random {
 public:
  Vec3d vector(double size) { return {size * number(), size * number(), size * number()}; }
  double number() { return uniform_(engine_); }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST(TurnedPair, HasTheGapOfTheCornersAtTheEnd) {
  Random random;
  int n_checked = 0;
  for (int sample = 0; sample < 200; ++sample) {
    TwoShapes scene(box(kUpper), box(kLower));
    scene.put({random.vector(0.01) + Vec3d{0, 0, 0.09}, rotation_exp(random.vector(1))},
              {{}, rotation_exp(random.vector(0.02))});
    scene.move(0, random.vector(0.01), random.vector(0.6));
    scene.move(1, random.vector(0.01), random.vector(0.6));
    scene.find();
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
      const SurfacePair& pair = scene.pairs[k];
      if (pair.rule != PairRule::point || pair.surface_i != 0) continue;
      ASSERT_TRUE(scene.turned[k].turns);
      Vec3d corner{};
      for_each_contact_point(
          box(kUpper), [](Vec3d) { return SurfaceDistance{}; },
          [&](const ShapePoint& point) {
            if (point.feature == pair.feature_i) corner = point.centre;
          });
      const Vec3d local = scene.end()[1].to_local(scene.end()[0].to_world(corner));
      if (!(dot(scene.end()[1].rotation * Vec3d{0, 0, 1}, scene.turned[k].normal) > 0.8)) continue;
      EXPECT_NEAR(scene.turned[k].gap_end_m, local.z - 0.5 * kLower.z, 1e-14);
      ++n_checked;
    }
  }
  EXPECT_GT(n_checked, 300);
}

TEST(TurnedPair, IsLinearInTheMotionToTheThirdOrder) {
  Random random;
  for (int sample = 0; sample < 100; ++sample) {
    const Vec3d way = random.vector(0.01), turn[2] = {random.vector(1), random.vector(1)};
    double error[2] = {0, 0};
    for (int half = 0; half < 2; ++half) {
      const double size = half == 0 ? 0.2 : 0.1;
      TwoShapes scene(box(kUpper), box(kLower));
      scene.put({{0, 0, 0.08}, rotation_exp({0.3, 0.2, 0.1})}, {{}, Mat3d::identity()});
      for (const int k : {0, 1}) scene.move(k, (1 - 2 * k) * size * way, size * turn[k]);
      scene.find();
      ASSERT_FALSE(scene.pairs.empty());
      for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
        const SurfacePair& pair = scene.pairs[k];
        if (pair.rule != PairRule::point || pair.surface_i != 0) continue;
        const double change = scene.turned[k].gap_end_m - pair.gap_m;
        error[half] =
            std::max(error[half], std::fabs(scene.linear_change(pair, scene.turned[k]) - change));
      }
    }
    EXPECT_LT(error[0], 5e-4) << sample;
    EXPECT_LT(error[1], error[0] / 5 + 1e-12) << sample;
  }
}

TEST(TurnedPair, RoundBodiesThatTurnAboutTheirAxisKeepTheirGap) {
  const Mat3d lying = rotation_exp({1.5707963267948966, 0, 0});
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::torus}) {
    TwoShapes scene({kind, {}, 0.03, 0.1, {}, 0.01}, box(kLower));
    const double height = kind == ShapeKind::torus ? 0.04 : 0.03;
    scene.put({{0, 0, 0.05 + height}, lying}, {{}, Mat3d::identity()});
    scene.move(0, {0.03, 0, 0}, {0, 1, 0});  // rolls; the axis is -y
    scene.move(1, {}, {});
    scene.find();
    ASSERT_FALSE(scene.pairs.empty());
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
      if (scene.turned[k].turns) {
        EXPECT_NEAR(scene.turned[k].gap_end_m, scene.pairs[k].gap_m, 1e-15);
      }
    }
  }
}

TEST(TurnedPair, PointsThatAreInNoPairButEnterAreFound) {
  TwoShapes scene(box({0.02, 0.1, 0.02}), box(kLower));
  scene.put({{0, 0, 0.1}, Mat3d::identity()}, {{}, Mat3d::identity()});
  scene.move(0, {}, {1.2, 0, 0});  // one end goes 7 mm into the lower box
  scene.move(1, {}, {});
  ProximitySearch search;
  add(box({0.02, 0.1, 0.02}), 0, &search);
  add(box(kLower), 1, &search);
  const std::vector<Pose> now{{{0, 0, 0.1}, Mat3d::identity()}, {}};
  const std::vector<FrameTwist> twist(2);
  std::vector<SurfacePair> pairs, entered;
  search.find({{}, {}, now, twist}, 1e-3, 0.01, 1, &pairs);
  EXPECT_TRUE(pairs.empty());
  const ProximityState end{{}, {}, scene.end(), twist};
  ASSERT_TRUE(search.find_entered(end, pairs, 0.01, &entered));
  EXPECT_EQ(entered.size(), 2u);
  std::vector<TurnedPair> turned;
  search.turn(end, entered, &turned);
  for (std::size_t k = 0; k < entered.size(); ++k) {
    EXPECT_NEAR(entered[k].normal.z, 1, 1e-12);
    EXPECT_NEAR(entered[k].gap_m, 0.04, 1e-12);  // of the lower corners at the start
    const Vec3d corner = rotation_exp({1.2, 0, 0}) * Vec3d{0.01, -0.05, -0.01};
    EXPECT_NEAR(turned[k].gap_end_m, 0.05 + corner.z, 1e-12);
  }
  EXPECT_FALSE(search.find_entered(end, entered, 0.01, &pairs)) << "known now";
}

}  // namespace
}  // namespace nodia

#include "host/collision/bounds_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <utility>

namespace nodia {
namespace {

class Boxes {
 public:
  explicit Boxes(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine_);
  }
  Vec3d point(double half_width) {
    const double x = uniform(-half_width, half_width), y = uniform(-half_width, half_width);
    return {x, y, uniform(-half_width, half_width)};
  }
  /// Every tenth one empty, every tenth one a point.
  std::vector<Bounds> make(int n) {
    std::vector<Bounds> boxes(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      Bounds& box = boxes[static_cast<std::size_t>(i)];
      const Vec3d p = point(1);
      if (i % 10 == 3) continue;
      box = bounds_of_points(p, i % 10 == 7 ? p : p + point(0.2));
    }
    return boxes;
  }

 private:
  std::mt19937_64 engine_;
};

std::set<std::int32_t> overlaps_of(const BoundsTree& tree, const Bounds& box) {
  std::set<std::int32_t> found;
  tree.for_each_overlap(box, [&](std::int32_t place) {
    EXPECT_TRUE(found.insert(tree.item(place)).second) << "found twice";
  });
  return found;
}

std::set<std::int32_t> brute_force_overlaps(const std::vector<Bounds>& boxes, const Bounds& box) {
  std::set<std::int32_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].overlaps(box)) found.insert(static_cast<std::int32_t>(i));
  }
  return found;
}

TEST(BoundsTree, FindsWhatBruteForceFindsBeforeAndAfterRefits) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Boxes random(seed);
    const int n = static_cast<int>(seed % 7 == 0 ? seed / 7 : random.uniform(1, 300));
    std::vector<Bounds> boxes = random.make(n);
    BoundsTree tree(boxes);
    EXPECT_EQ(tree.size(), n);
    for (int round = 0; round < 3; ++round) {
      for (int query = 0; query < 10; ++query) {
        const Bounds box = bounds_of_points(random.point(1)).grown(random.uniform(0, 0.5));
        EXPECT_EQ(overlaps_of(tree, box), brute_force_overlaps(boxes, box));
      }
      EXPECT_TRUE(overlaps_of(tree, Bounds{}).empty());
      boxes = random.make(n);
      tree.refit(boxes);
    }
  }
}

TEST(BoundsTree, FindsThePairsOfTwoTrees) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Boxes random(seed);
    const std::vector<Bounds> a = random.make(static_cast<int>(random.uniform(0, 120)));
    const std::vector<Bounds> b = random.make(static_cast<int>(random.uniform(0, 120)));
    const BoundsTree tree_a(a), tree_b(b);
    const double reach = random.uniform(0, 0.2);
    using Pair = std::pair<std::int32_t, std::int32_t>;
    std::set<Pair> found, expected;
    tree_a.for_each_overlap(tree_b, reach, [&](std::int32_t p, std::int32_t q) {
      EXPECT_TRUE(found.insert({tree_a.item(p), tree_b.item(q)}).second) << "found twice";
    });
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (const std::int32_t j : brute_force_overlaps(b, a[i].grown(reach))) {
        expected.insert({static_cast<std::int32_t>(i), j});
      }
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(BoundsTree, NearestIsThatOfBruteForceWithinTheBound) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Boxes random(seed);
    std::vector<Bounds> boxes = random.make(static_cast<int>(random.uniform(0, 300)));
    const BoundsTree tree(boxes);
    for (int query = 0; query < 20; ++query) {
      const Vec3d p = random.point(1.5);
      const double bound = query % 2 == 0 ? HUGE_VAL : 0.01;
      const auto found = tree.nearest(p, {bound, -1}, [&](std::int32_t place) {
        return boxes[static_cast<std::size_t>(tree.item(place))].squared_distance(p);
      });
      double least = bound;
      std::int32_t item = -1;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double d2 = boxes[i].squared_distance(p);
        if (d2 < least) {
          least = d2;
          item = static_cast<std::int32_t>(i);
        }
      }
      EXPECT_EQ(found.squared_distance, least);
      EXPECT_EQ(found.place < 0 ? -1 : tree.item(found.place), item);
    }
  }
}

TEST(BoundsTree, CutsHoldAllButWhatIsLeftOutAndWhatSharesItsLeaves) {
  constexpr int kLeaf = 4;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Boxes random(seed);
    const std::vector<Bounds> boxes = random.make(static_cast<int>(random.uniform(0, 300)));
    const auto n = static_cast<std::int32_t>(boxes.size());
    const BoundsTree tree(boxes);
    std::vector<std::int32_t> begin(1, 0), left_out;
    for (int list = 0; list < 6; ++list) {
      const double share = list == 0 ? 0 : (list == 1 ? 1.1 : random.uniform(0, 1));
      for (std::int32_t i = 0; i < n; ++i)
        if (random.uniform(0, 1) < share) left_out.push_back(i);
      begin.push_back(static_cast<std::int32_t>(left_out.size()));
    }
    const BoundsTree::Cuts cuts = tree.cuts(begin, left_out);
    for (std::int32_t list = 0; list < 6; ++list) {
      const std::set<std::int32_t> out(left_out.begin() + begin[list],
                                       left_out.begin() + begin[list + 1]);
      const Bounds box = random.make(1).front().grown(0.2);
      std::multiset<std::int32_t> found;
      int n_needless = 0;
      tree.for_each_overlap(box, cuts.of(list), [&](std::int32_t place) {
        n_needless += static_cast<int>(out.count(tree.item(place)));
        if (out.count(tree.item(place)) == 0) found.insert(tree.item(place));
      });
      std::multiset<std::int32_t> expected;
      for (const std::int32_t i : brute_force_overlaps(boxes, box))
        if (out.count(i) == 0) expected.insert(i);
      EXPECT_EQ(found, expected);
      EXPECT_LE(n_needless, (kLeaf - 1) * (n - static_cast<int>(out.size())));
      const Vec3d p = random.point(1.5);
      const auto distance = [&](std::int32_t place) {
        const std::int32_t i = tree.item(place);
        return out.count(i) > 0 ? HUGE_VAL : boxes[static_cast<std::size_t>(i)].squared_distance(p);
      };
      const auto nearest = tree.nearest(p, {HUGE_VAL, -1}, cuts.of(list), distance);
      const auto of_all = tree.nearest(p, {HUGE_VAL, -1}, distance);
      EXPECT_EQ(nearest.place, of_all.place);
      EXPECT_EQ(nearest.squared_distance, of_all.squared_distance);
    }
  }
}

TEST(BoundsTree, EqualAndDistantBoxesAreNoTrouble) {
  const std::vector<Bounds> equal(1000, bounds_of_points(Vec3d{1, 2, 3}));
  const BoundsTree tree(equal);
  EXPECT_EQ(overlaps_of(tree, equal[0]).size(), 1000u);
  const auto found = tree.nearest({}, {HUGE_VAL, -1}, [](std::int32_t) { return 14.0; });
  EXPECT_EQ(tree.item(found.place), 0);
  std::vector<Bounds> distant;
  for (int i = 0; i < 600; ++i) distant.push_back(bounds_of_points(Vec3d{std::ldexp(1, i), 0, 0}));
  EXPECT_EQ(overlaps_of(BoundsTree(distant), distant[500]), std::set<std::int32_t>{500});
}

TEST(Bounds, WhatIsNotFiniteHasAnEmptyBox) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(bounds_of_points(Vec3d{0, 0, nan}).is_empty());
  EXPECT_TRUE(bounds_of_points(Vec3d{0, 0, 1}, Vec3d{HUGE_VAL, 0, 0}).is_empty());
  EXPECT_TRUE(Bounds{}.is_empty());
  EXPECT_FALSE(Bounds{}.overlaps(bounds_of_points(Vec3d{})));
  EXPECT_EQ(Bounds{}.squared_distance({}), HUGE_VAL);
}

}  // namespace
}  // namespace nodia

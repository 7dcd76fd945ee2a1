/// The detection's kernels by every launcher against the host's detection, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "kernels/collision/detect_nodes.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/launch/select_flagged.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/missing_gpu.hpp"
#include "tests/support/random_obstacles.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::count_different;
using test::l_grid;
using test::Nodes;
using test::OneLaneLauncher;
using test::padded;
using test::PaddedNode;
using test::RandomScene;
using test::scalars;

constexpr DetectionReach kReach{5e-3, 0.01};

struct Case {
  std::vector<ObstaclePose> obstacles;
  Nodes nodes;
};

/// A random scene; some nodes are not numbers, some obstacles are there several times.
Case random_case(std::uint64_t seed, const DistanceGrid& grid, int n_node) {
  RandomScene scene(seed);
  Case c{scene.obstacles(grid, seed % 2 == 0), scene.nodes(n_node, seed % 4 == 0 ? 5 : 0.3)};
  if (seed % 3 == 0) {
    const std::vector<ObstaclePose> more = scene.obstacles(grid, true);
    c.obstacles.insert(c.obstacles.end(), more.begin(), more.end());
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 5; i < n_node; i += 101) c.nodes.x[i].y = nan;
  for (int i = 9; i < n_node; i += 97) c.nodes.v[i] = {nan, 0, nan};
  for (int i = 7; i < n_node; i += 89) c.nodes.v_free[i] = {0, nan, nan};
  return c;
}

std::vector<NodeHit> detect_on_host(const Case& c) {
  NodeDetection detection;
  detection.detect(c.obstacles, c.nodes.motions(), kReach, 1);
  return detection.hits();
}

/// @param n_pair  out: pairs found; those beyond the capacity are not in the result
template <class Launcher>
std::vector<NodeHit> detect_by_kernels(const Case& c, Launcher* launcher, int capacity,
                                       int* n_pair) {
  const int n_node = c.nodes.size(), n_obstacle = static_cast<int>(c.obstacles.size());
  std::vector<PaddedNode> x = padded(c.nodes.x), v = padded(c.nodes.v),
                          v_free = padded(c.nodes.v_free);
  std::vector<double> largest(item_count(n_node));
  std::vector<PreparedObstacle> prepared(n_obstacle);
  std::vector<std::uint8_t> flag(n_node * n_obstacle, 7);
  std::vector<std::int32_t> slot(flag.size());
  std::vector<NodeHit> pairs(capacity);
  std::int32_t count = -1;
  const DetectionView view{n_node,
                           n_obstacle,
                           kReach,
                           {scalars(x)},
                           {scalars(v)},
                           {scalars(v_free)},
                           c.obstacles.data(),
                           largest.data(),
                           prepared.data(),
                           flag.data(),
                           slot.data(),
                           &count,
                           capacity,
                           pairs.data()};
  if constexpr (std::is_same_v<Launcher, RaceDetector>) {
    const auto name = [&](const char* what, const auto& array) {
      launcher->name_region(array.data(), array.size() * sizeof(array[0]), what);
    };
    name("x", x);
    name("v", v);
    name("v_free", v_free);
    name("obstacle", c.obstacles);
    name("largest_squared_speed", largest);
    name("prepared", prepared);
    name("flag", flag);
    name("slot", slot);
    name("pair", pairs);
    launcher->name_region(&count, sizeof count, "n_pair");
  }
  launch_flags(*launcher, view);
  select_flagged(view.flag, view.n_slot(), view.slot, view.n_pair);
  launch_pairs(*launcher, view);
  *n_pair = count;
  pairs.resize(std::min(capacity, count));
  return pairs;
}

void expect_same(const std::vector<NodeHit>& a, const std::vector<NodeHit>& b) {
  EXPECT_EQ(count_different(a, b), 0);
}

TEST(DetectionKernels, FindThePairsOfTheHost) {
  const DistanceGrid grid = l_grid();
  std::size_t n_found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed, grid, seed % 5 == 0 ? 256 : 400 + static_cast<int>(seed));
    const std::vector<NodeHit> expected = detect_on_host(c);
    n_found += expected.size();
    int n_pair = 0;
    const int n_slot = c.nodes.size() * static_cast<int>(c.obstacles.size());
    OneLaneLauncher one_lane;
    expect_same(detect_by_kernels(c, &one_lane, n_slot, &n_pair), expected);
    EXPECT_EQ(n_pair, static_cast<int>(expected.size()));
    for (const CpuIsa isa : available_isas()) {
      SCOPED_TRACE(name_of(isa));
      const CpuLauncher in_packs(isa, 3);
      expect_same(detect_by_kernels(c, &in_packs, n_slot, &n_pair), expected);
    }
  }
  EXPECT_GT(n_found, 10000u);
}

TEST(DetectionKernels, WriteTheFirstPairsWhereThereIsNoRoomForAll) {
  const DistanceGrid grid = l_grid();
  const Case c = random_case(1, grid, 2000);
  std::vector<NodeHit> expected = detect_on_host(c);
  const int n_all = static_cast<int>(expected.size());
  ASSERT_GT(n_all, 600);
  for (const int capacity : {0, 1, 255, 256, 300}) {
    OneLaneLauncher launcher;
    int n_pair = 0;
    const std::vector<NodeHit> found = detect_by_kernels(c, &launcher, capacity, &n_pair);
    EXPECT_EQ(n_pair, n_all);
    expect_same(found, {expected.begin(), expected.begin() + capacity});
  }
}

TEST(DetectionKernels, FindNothingAmongNothing) {
  OneLaneLauncher launcher;
  int n_pair = -1;
  EXPECT_TRUE(detect_by_kernels({}, &launcher, 0, &n_pair).empty());
  EXPECT_EQ(n_pair, 0);
  const DistanceGrid grid = l_grid();
  Case c = random_case(2, grid, 300);
  c.obstacles.clear();
  EXPECT_TRUE(detect_by_kernels(c, &launcher, 0, &n_pair).empty());
  EXPECT_EQ(n_pair, 0);
}

/// The device's barriers and bounds, without one.
TEST(DetectionKernels, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  const DistanceGrid grid = l_grid();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed, grid, 600);
    RaceOptions options;
    options.seed = seed + 1;
    options.strict_regions = true;
    RaceDetector launcher(options);
    int n_pair = 0;
    const int n_slot = c.nodes.size() * static_cast<int>(c.obstacles.size());
    expect_same(detect_by_kernels(c, &launcher, n_slot, &n_pair), detect_on_host(c));
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(SelectFlagged, ListsTheFlaggedIndices) {
  const std::uint8_t flag[] = {0, 1, 0, 255, 1, 0};
  std::int32_t selected[6], n_selected = -1;
  select_flagged(flag, 6, selected, &n_selected);
  ASSERT_EQ(n_selected, 3);
  EXPECT_EQ(selected[0], 1);
  EXPECT_EQ(selected[1], 3);
  EXPECT_EQ(selected[2], 4);
  select_flagged(flag, 0, selected, &n_selected);
  EXPECT_EQ(n_selected, 0);

  // Every flag by itself, whatever the length.
  for (int n = 1; n < 40; ++n) {
    for (int i = 0; i < n; ++i) {
      std::vector<std::uint8_t> one(n, 0);
      one[i] = 128;
      std::vector<std::int32_t> index(n, -1);
      select_flagged(one.data(), n, index.data(), &n_selected);
      ASSERT_EQ(n_selected, 1);
      EXPECT_EQ(index[0], i);
    }
  }

  // Several at once, all of them included.
  std::mt19937_64 random(7);
  for (const unsigned one_in : {1u, 2u, 5u}) {
    for (int n = 0; n < 40; ++n) {
      std::vector<std::uint8_t> flags(n);
      std::vector<std::int32_t> expected, index(n, -1);
      for (int i = 0; i < n; ++i) {
        flags[i] = random() % one_in == 0 ? 255 : 0;
        if (flags[i] != 0) expected.push_back(i);
      }
      select_flagged(flags.data(), n, index.data(), &n_selected);
      index.resize(n_selected);
      EXPECT_EQ(index, expected) << n;
    }
  }
}

TEST(DeviceSelectFlagged, IsItsTwin) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937_64 random(3);
  for (const int n : {1, 2, 255, 256, 257, 4096, 100003}) {
    for (const unsigned one_in : {1u, 2u, 50u, 1000000u}) {
      std::vector<std::uint8_t> flag(n);
      for (std::uint8_t& f : flag) f = random() % one_in == 0 ? 1 : 0;
      std::vector<std::int32_t> expected(n);
      std::int32_t n_expected = 0;
      select_flagged(flag.data(), n, expected.data(), &n_expected);
      DeviceSelectFlagged select(n);
      const DeviceBuffer<std::uint8_t> flag_device(flag);
      DeviceBuffer<std::int32_t> selected(flag.size()), n_selected(1);
      select(flag_device.data(), n, selected.data(), n_selected.data());
      ASSERT_EQ(n_selected.download().front(), n_expected);
      std::vector<std::int32_t> found(n_expected);
      copy_to_host(found.data(), selected.data(), found.size() * sizeof(std::int32_t));
      expected.resize(n_expected);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(DetectionKernels, TooManySlotsAreBadInput) {
  NodeDetection detection;
  const NodeMotions nodes{nullptr, nullptr, nullptr, 1000000000};
  EXPECT_THROW(detection.detect(std::vector<ObstaclePose>(3), nodes, kReach, 1), InputError);
}

}  // namespace
}  // namespace nodia

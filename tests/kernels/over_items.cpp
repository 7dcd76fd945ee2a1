/// Loops and sums of the CPU over many items: the same bits by any number of threads.
#include "kernels/cpu/over_items.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/cpu/chunk_sum.hpp"
#include "kernels/launch/reduction.hpp"

namespace nodia {
namespace {

constexpr int kSizes[] = {
    0, 1, 5, kBlockLanes, kBlockLanes + 1, 5 * kBlockLanes - 3, kBlockLanes* kBlockLanes + 300};
constexpr int kThreads[] = {1, 2, 3, 7};

/// Of very different sizes, so that every order of summing has bits of its own.
double term(int i) {
  return std::sin(i * 1.7) * std::exp2(i % 40);
}

double sum(int n, int n_thread, double start) {
  return chunk_sum(n, n_thread, start, [](int i, double* all) { *all += term(i); });
}

TEST(ChunkSum, HasTheSameBitsByEveryNumberOfThreads) {
  for (const int n : kSizes)
    for (const int n_thread : kThreads)
      EXPECT_EQ(sum(n, n_thread, 0.25), sum(n, 1, 0.25)) << n << " by " << n_thread;
}

/// By the reduction of kernels.
double sum_of_kernels(int n) {
  using Reduction = BlockReduction<Combine::sum>;
  const DirectMemory memory;
  const auto combined = [&](Reduction* lanes) {
    [&]<int... step>(std::integer_sequence<int, step...>) {
      (
          [&] {
            for (int lane = 0; lane < Reduction::shape(step).lanes; ++lane)
              lanes->run<step, OneLane>(lane, memory);
          }(),
          ...);
    }
    (std::make_integer_sequence<int, Reduction::kSteps>{});
    return lanes->result(0, memory);
  };
  const int stride = item_count(item_count(n)) * kBlockLanes;
  std::vector<double> part(static_cast<std::size_t>(stride));
  Reduction lanes;
  for (int chunk = 0; chunk < item_count(n); ++chunk) {
    for (int lane = 0; lane < kBlockLanes; ++lane) {
      const int i = chunk * kBlockLanes + lane;
      lanes.term[0][lane] = i < n ? term(i) : 0.0;
    }
    part[static_cast<std::size_t>(chunk)] = combined(&lanes);
  }
  if (stride == 0) return 0;
  for (int lane = 0; lane < kBlockLanes; ++lane)
    lanes.gather<OneLane>(part.data(), stride, lane, memory);
  return combined(&lanes);
}

TEST(ChunkSum, HasTheBitsOfAKernelsReduction) {
  for (const int n : kSizes) EXPECT_EQ(sum(n, 2, 0.0), sum_of_kernels(n)) << n;
}

TEST(ChunkSum, IsTheSumOneByOneToRounding) {
  for (const int n : kSizes) {
    double one_by_one = 0.25, size = 0.25;
    for (int i = 0; i < n; ++i) one_by_one += term(i), size += std::fabs(term(i));
    EXPECT_NEAR(sum(n, 2, 0.25), one_by_one, 1e-13 * size) << n;
  }
}

TEST(OverItems, EveryItemIsTakenOnce) {
  for (const int n : kSizes) {
    for (const int n_thread : kThreads) {
      std::vector<int> taken(static_cast<std::size_t>(n), 0);
      for_items(n, n_thread, [&](int i) { ++taken[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(taken, std::vector<int>(static_cast<std::size_t>(n), 1));
      std::fill(taken.begin(), taken.end(), 0);
      EXPECT_TRUE(all_items(n, n_thread, [&](int i) {
        ++taken[static_cast<std::size_t>(i)];
        return true;
      }));
      EXPECT_EQ(taken, std::vector<int>(static_cast<std::size_t>(n), 1));
    }
  }
}

TEST(OverItems, OneBadItemIsFoundWhereverItIs) {
  for (const int n_thread : kThreads)
    for (const int bad : {0, 500, 999})
      EXPECT_FALSE(all_items(1000, n_thread, [&](int i) { return i != bad; }));
}

TEST(OverItems, TheLargestIsFoundBesideNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int n_thread : kThreads) {
    for (const int where : {0, 500, 999})
      EXPECT_EQ(largest_item(1000, n_thread,
                             [&](int i) { return i == where ? 2.5 : (i % 3 == 0 ? nan : 1.0); }),
                2.5);
    EXPECT_EQ(largest_item(1000, n_thread, [&](int) { return -1.0; }), 0);
    EXPECT_EQ(largest_item(0, n_thread, [&](int) { return 1.0; }), 0);
  }
}

}  // namespace
}  // namespace nodia

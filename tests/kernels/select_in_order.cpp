/// Compaction by kernels against the loop that it stands for, by every launcher.
#include "kernels/launch/select_in_order.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/launch/select_flagged.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"

namespace nodia {
namespace {

struct Selected {
  std::vector<std::int32_t> first;  ///< as far as there is room
  std::int32_t n = -1;

  bool operator==(const Selected&) const = default;
};

template <class Launcher>
Selected select(Launcher* launcher, const std::vector<std::uint8_t>& flags, int capacity) {
  const auto n_chunk =
      static_cast<std::size_t>(FlagSelection::n_chunk(static_cast<int>(flags.size())));
  std::vector<std::int32_t> count(n_chunk, -7), first(n_chunk, -7);
  Selected out;
  out.first.assign(static_cast<std::size_t>(capacity), -1);
  launch_selection(*launcher, {static_cast<int>(flags.size()), flags.data(), count.data(),
                               first.data(), capacity, out.first.data(), &out.n});
  return out;
}

TEST(SelectInOrder, GivesTheFlaggedIndicesAscendingAsFarAsThereIsRoom) {
  constexpr int kOfChunk = FlagSelection::kOfChunk;
  std::mt19937 random(3);
  for (const int n :
       {0, 1, 7, 256, kOfChunk - 1, kOfChunk, kOfChunk + 1, 5 * kOfChunk + 99, 300 * kOfChunk + 1})
    for (const double share : {0.0, 1e-3, 0.3, 1.0}) {
      SCOPED_TRACE(testing::Message() << n << ", " << share);
      std::vector<std::uint8_t> flags(static_cast<std::size_t>(n));
      std::bernoulli_distribution is_set(share);
      for (std::uint8_t& flag : flags) flag = is_set(random) ? 1 : 0;
      Selected expected;
      expected.first.assign(flags.size(), -1);
      select_flagged(flags.data(), n, expected.first.data(), &expected.n);
      test::OneLaneLauncher one_lane;
      EXPECT_EQ(select(&one_lane, flags, n), expected);
      const int room = n / 3;
      expected.first.resize(static_cast<std::size_t>(room));
      EXPECT_EQ(select(&one_lane, flags, room), expected);
      expected.first.clear();
      EXPECT_EQ(select(&one_lane, flags, 0), expected);
    }
}

TEST(SelectInOrder, HasNoRace) {
  std::mt19937 random(4);
  std::vector<std::uint8_t> flags(3 * FlagSelection::kOfChunk + 20);
  for (std::uint8_t& flag : flags) flag = random() % 5 == 0 ? 1 : 0;
  RaceDetector launcher({.seed = 5});
  test::OneLaneLauncher one_lane;
  EXPECT_EQ(select(&launcher, flags, 500), select(&one_lane, flags, 500));
  EXPECT_TRUE(launcher.conflicts().empty());
}

}  // namespace
}  // namespace nodia

/// Numbers by hash of (seed, episode, attempt, key): no two alike, uniform, independent.
#include "scenarios/format/draw_seed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace nodia {
namespace {

constexpr const char* kSeedKey = "bodies.block.friction";

/// Committed results stand on them: as drawn before there were episodes.
TEST(DrawSeed, ASeedAloneDrawsWhatItAlwaysDrew) {
  EXPECT_EQ(draw_unit(0, kSeedKey), 0x1.fad1d44f68d18p-1);
  EXPECT_EQ(draw_unit(7, kSeedKey), 0x1.3e8fcacbab99p-1);
  EXPECT_EQ(draw_unit(~std::uint64_t{0}, "bodies.ball.youngs_modulus_Pa"), 0x1.b4f4f2b49824ep-2);
}

TEST(DrawSeed, ASeedIsItsEpisodeZero) {
  EXPECT_EQ(DrawSeed(7), DrawSeed(7, 0, 0));
  EXPECT_EQ(draw_unit(7, kSeedKey), draw_unit({7, 0, 0}, kSeedKey));
  EXPECT_NE(draw_unit({7, 1, 0}, kSeedKey), draw_unit({7, 0, 1}, kSeedKey));
  EXPECT_NE(draw_unit({7, 8, 0}, kSeedKey), draw_unit({8, 7, 0}, kSeedKey));
}

TEST(DrawSeed, IsToldAsFarAsItIsNotZero) {
  EXPECT_EQ(shown(DrawSeed(7)), "seed 7");
  EXPECT_EQ(shown({7, 3}), "seed 7, episode 3");
  EXPECT_EQ(shown({7, 0, 2}), "seed 7, episode 0, attempt 2");
}

TEST(DrawSeed, SeedsSevenAndEightShareNoWorld) {
  std::set<double> drawn;
  for (const std::uint64_t seed : {7u, 8u})
    for (std::uint64_t episode = 0; episode <= 1000; ++episode)
      drawn.insert(draw_unit({seed, episode}, kSeedKey));
  EXPECT_EQ(drawn.size(), 2u * 1001u);
}

TEST(DrawSeed, NoTwoDrawTheSame) {
  std::set<double> drawn;
  std::size_t n = 0;
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                   std::uint64_t{1} << 32, kMost - 1, kMost})
    for (std::uint64_t episode = 0; episode < 300; ++episode)
      for (const std::uint64_t e : {episode, kMost - episode})
        for (std::uint32_t attempt = 0; attempt < 8; ++attempt)
          for (std::uint64_t counter = 0; counter < 4; ++counter, ++n)
            drawn.insert(draw_unit({seed, e, attempt}, kSeedKey, counter));
  EXPECT_EQ(drawn.size(), n);
}

using Line = std::function<double(int)>;

/// Along every direction: neighbours in seed, episode, attempt, counter, diagonals too.
std::vector<Line> lines() {
  const auto number = [](int k) { return static_cast<std::uint64_t>(k); };
  return {
      [=](int k) { return draw_unit({number(k)}, kSeedKey); },
      [=](int k) {
        return draw_unit({7, number(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({8, number(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({7, number(k) + 1}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({7, number(k)}, "bodies.block.density_kg_m3");
      },
      [=](int k) {
        return draw_unit({7, 3, static_cast<std::uint32_t>(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({7, 4, static_cast<std::uint32_t>(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({number(k), number(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({number(100000 - k), number(k)}, kSeedKey);
      },
      [=](int k) {
        return draw_unit({7, 3}, kSeedKey, number(k));
      },
      [=](int k) {
        return draw_unit({7, 4}, kSeedKey, number(k));
      },
      [=](int k) { return draw_unit(1, "key" + std::to_string(k)); },
  };
}

constexpr int kSeedDraws = 20000;

/// Chi-square over 64 cells of equal width: mean 63, standard deviation sqrt(126).
TEST(DrawSeed, IsUniformAlongEveryLine) {
  const std::vector<Line> all = lines();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::array<int, 64> count{};
    for (int k = 0; k < kSeedDraws; ++k) {
      const double u = all[i](k);
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      ++count[static_cast<std::size_t>(64 * u)];
    }
    double chi = 0;
    for (const int n : count)
      chi += (n - kSeedDraws / 64.0) * (n - kSeedDraws / 64.0) / (kSeedDraws / 64.0);
    EXPECT_NEAR(chi, 63, 5 * std::sqrt(126)) << "line " << i;
  }
}

/// Correlations of a line with the others and with its own neighbours: 5 standard deviations.
TEST(DrawSeed, NeighboursAreIndependent) {
  const std::vector<Line> all = lines();
  const double bound = 5 / std::sqrt(kSeedDraws);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i; j < all.size(); ++j)
      for (const int shift : {0, 1, 2}) {
        if (i == j && shift == 0) continue;
        if (i == 1 && j == 3) continue;  // the same line, one on
        double sum = 0;
        for (int k = 0; k < kSeedDraws; ++k) sum += (all[i](k) - 0.5) * (all[j](k + shift) - 0.5);
        EXPECT_LT(std::fabs(12 * sum / kSeedDraws), bound)
            << "lines " << i << " and " << j << ", " << shift << " on";
      }
}

}  // namespace
}  // namespace nodia

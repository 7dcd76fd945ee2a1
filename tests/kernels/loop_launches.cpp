/// Launches of the V-FPI loop on a device: every one costs its time, whatever it does.
#include <gtest/gtest.h>

#include "tests/support/loop_launches.hpp"

namespace nodia {
namespace {

constexpr std::uint32_t kPointConstraints = 1, kBodies = 2, kChains = 4, kJacobi = 8;

template <class Precision>
std::size_t body(const ScheduleKey& key) {
  return test::launches_of<Precision>(key).body.size();
}
/// Of an iteration alone: what one more of them adds to a body.
template <class Precision>
std::size_t iteration(ScheduleKey key) {
  key.check_every = 2;
  const std::size_t two = body<Precision>(key);
  key.check_every = 1;
  return two - body<Precision>(key);
}
template <class Precision>
std::size_t iteration_in_phases(WKind w, std::uint32_t parts, bool coupled) {
  return iteration<Precision>({.w = w, .parts = parts, .in_phases = true, .coupled = coupled});
}

TEST(LoopLaunches, EightIterationsInOnePassAndTheirTestAreTen) {
  ScheduleKey key{.check_every = 8, .in_one_pass = true};
  for (const ContactCase contacts : {ContactCase::common, ContactCase::general})
    for (const bool shared : {false, true}) {
      key.one_pass_contacts = contacts;
      key.rows_share_contacts = shared;
      EXPECT_EQ(body<DoublePrecision>(key), 10u);
      EXPECT_EQ(body<FloatPrecision>(key), 10u);
      EXPECT_EQ(body<MixedPrecision>(key), 10u);
    }
  key.stop = StopRule::paper;
  EXPECT_EQ(body<DoublePrecision>(key), 10u);
  EXPECT_EQ(body<MixedPrecision>(key), 10u);
}

TEST(LoopLaunches, AnIterationInPhasesIsAtMostFour) {
  const std::uint32_t all = kPointConstraints | kBodies | kChains | kJacobi;
  EXPECT_EQ(iteration_in_phases<DoublePrecision>(WKind::frobenius, 0, true), 4u);
  EXPECT_EQ(iteration_in_phases<DoublePrecision>(WKind::frobenius, kPointConstraints, false), 3u);
  EXPECT_EQ(iteration_in_phases<DoublePrecision>(WKind::frobenius, kPointConstraints, true), 4u);
  for (const std::uint32_t part : {kBodies, kChains, kJacobi})
    EXPECT_EQ(iteration_in_phases<DoublePrecision>(WKind::frobenius, part, false), 4u);
  for (const std::uint32_t parts : {kPointConstraints | kBodies, kPointConstraints | kChains, all})
    EXPECT_EQ(iteration_in_phases<DoublePrecision>(WKind::frobenius, parts, true), 4u);
  EXPECT_EQ(iteration_in_phases<MixedPrecision>(WKind::frobenius, all, true), 4u);
  EXPECT_EQ(iteration_in_phases<FloatPrecision>(WKind::frobenius, all, true), 4u);
}

TEST(LoopLaunches, EnvironmentsInOnePassIterateBesideTheLastOfTheOthers) {
  for (const ContactCase contacts : {ContactCase::common, ContactCase::general}) {
    const ScheduleKey both{.parts = kPointConstraints,
                           .in_one_pass = true,
                           .in_phases = true,
                           .coupled = true,
                           .one_pass_contacts = contacts};
    EXPECT_EQ(iteration<DoublePrecision>(both), 4u);
    EXPECT_EQ(iteration<MixedPrecision>(both), 4u);
    EXPECT_EQ(iteration<FloatPrecision>(both), 4u);
  }
}

TEST(LoopLaunches, BarzilaiBorweinsSumsNeedOneMoreWherePointConstraintsAddToTheGradient) {
  for (const WKind w : {WKind::bb1, WKind::bb2, WKind::bb_alternating}) {
    EXPECT_EQ(iteration_in_phases<DoublePrecision>(w, 0, false), 3u);
    EXPECT_EQ(iteration_in_phases<DoublePrecision>(w, 0, true), 4u);
    EXPECT_EQ(iteration_in_phases<DoublePrecision>(w, kPointConstraints, true), 5u);
  }
}

TEST(LoopLaunches, ATestInPhasesIsTwoAndOneForPointConstraints) {
  const ScheduleKey pairs{
      .check_every = 8, .in_phases = true, .coupled = true, .rows_share_contacts = true};
  ScheduleKey point_constraints = pairs;
  point_constraints.parts = kPointConstraints;
  EXPECT_EQ(body<DoublePrecision>(pairs), 8 * 4 + 2u);
  EXPECT_EQ(body<DoublePrecision>(point_constraints), 8 * 4 + 3u);
  EXPECT_EQ(body<MixedPrecision>(pairs), 8 * 4 + 2u);
  EXPECT_EQ(body<MixedPrecision>(point_constraints), 8 * 4 + 3u);
}

TEST(LoopLaunches, AProductOfThePowerIterationIsTwoWithoutParts) {
  const auto power = [](std::uint32_t parts) {
    return test::launches_of<DoublePrecision>({.check_every = 8, .new_w = true, .parts = parts})
        .power.size();
  };
  EXPECT_EQ(power(0), 2u);
  EXPECT_EQ(power(kPointConstraints), 4u);
  EXPECT_EQ(power(kBodies), 4u);
  EXPECT_TRUE(test::launches_of<DoublePrecision>({.check_every = 8}).power.empty());
}

}  // namespace
}  // namespace nodia

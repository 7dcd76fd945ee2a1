/// Tests the arrays of soft-soft pairs and of contact nodes in the loop against the layout that the
/// host makes of the same contacts, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/contact_rows.hpp"
#include "tests/step/every_precision.hpp"
#include "tests/step/pair_device.hpp"

namespace nodia::test {
namespace {

template <class Precision>
void expect_point_constraints_of_the_host(const PairDevice<Precision>& device, int e) {
  const VfpiEnvironment<Precision>&own = device.env[e], &host = device.host.environments()[e];
  const auto same = [](const auto* a, const auto* b, std::int64_t n) {
    return std::equal(a, a + n, b);
  };
  ASSERT_EQ(own.n_contact_node, host.n_contact_node);
  ASSERT_EQ(own.n_constrained_row, host.n_constrained_row);
  if (host.n_contact_node == 0) return;
  const std::int32_t n_part = host.constraint_begin[host.n_contact_node];
  EXPECT_TRUE(same(own.constraint_begin, host.constraint_begin, host.n_contact_node + 1));
  EXPECT_TRUE(same(own.constraint_row, host.constraint_row, n_part));
  EXPECT_TRUE(same(own.constraint_weight, host.constraint_weight, n_part));
  EXPECT_TRUE(same(own.constrained_row, host.constrained_row, host.n_constrained_row));
  EXPECT_TRUE(same(own.constrained_begin, host.constrained_begin, host.n_constrained_row + 1));
  EXPECT_TRUE(same(own.constrained_chunk, host.constrained_chunk, host.n_chunk + 1));
  EXPECT_TRUE(same(own.constrained_part, host.constrained_part, 2 * n_part));
  EXPECT_TRUE(same(own.constraint_jacobian, host.constraint_jacobian, 9 * n_part));
  EXPECT_TRUE(same(own.constraint_gain, host.constraint_gain, host.n_contact_node));
  EXPECT_TRUE(untouched(own.constrained_force, 3 * host.n_chunk * kBlockLanes, 0));
}

template <class Precision>
void expect_pairs_of_the_host(const PairDevice<Precision>& device) {
  using Real = typename Precision::Real;
  EXPECT_EQ(device.fit, 1);
  EXPECT_EQ(device.can_be_taken, 1);
  for (std::size_t e = 0; e < device.env.size(); ++e) {
    SCOPED_TRACE(e);
    const VfpiEnvironment<Precision>&own = device.env[e], &host = device.host.environments()[e];
    const auto n_pair = static_cast<std::int32_t>(device.problem.pairs[e].size());
    EXPECT_EQ(device.counts[e].n, n_pair);
    EXPECT_EQ(device.counts[e].n_contact_node, host.n_contact_node);
    expect_point_constraints_of_the_host(device, static_cast<int>(e));
    EXPECT_EQ(own.n_coupled_slot, host.n_coupled_slot);
    EXPECT_EQ(own.in_phases, host.in_phases);
    EXPECT_EQ(own.cancel_bias, host.cancel_bias);
    expect_rows_of_the_host(own, host);
    for (int row = 0; row < host.n_chunk * kBlockLanes; ++row)
      EXPECT_EQ(own.coupled_count[row], host.coupled_count[row]) << row;
    // All contacts of coupled rows have coupled indices; the other indices have no contact.
    const int n_contact = for_slots(own, [&](int slot, bool has_contact) {
      const int in_coupled = slot - own.first_coupled_slot;
      if (in_coupled >= 0) {
        EXPECT_EQ(has_contact, in_coupled < own.n_coupled_slot) << slot;
      }
      if (has_contact) return;
      EXPECT_EQ(own.contact[slot].R(0, 0), 0);
      if (own.n_contact_node > 0) {
        EXPECT_EQ(own.softness[slot], 0);
      }
    });
    EXPECT_EQ(n_contact,
              device.problem.p.env_contact_begin[e + 1] - device.problem.p.env_contact_begin[e]);
    for (int row = own.first_contact_node_row;
         row < own.first_contact_node_row + device.room[e].n_contact_node; ++row) {
      const bool is_used = row < own.first_contact_node_row + host.n_contact_node;
      EXPECT_EQ(own.w[row], is_used ? Real(-7) : Real(1));
      for (int role = 0; role < 4; ++role)
        EXPECT_EQ(norm(load_state<Real>(own, own.node[role], row, DirectMemory{}) -
                       load_state<Real>(host, host.node[role], row, DirectMemory{})),
                  0)
            << row;
    }
    // Expected values follow LoopProblem, which starts the controls.
    const std::int32_t before = device.before[e];
    const bool restarts = host.n_contact_node > 0 || before > 0;
    const bool is_warm = device.carried[e].knows_w != 0 && host.n_contact_node == before;
    const PairReport& report = device.report[e];
    EXPECT_EQ(report.n_pair, n_pair);
    EXPECT_EQ(report.n_contact_node, host.n_contact_node);
    EXPECT_EQ(report.n_contact_node_before, before);
    EXPECT_EQ(report.start.new_w, restarts ? 1 : 0);
    const int products = is_warm ? kWarmPowerProducts : kColdPowerProducts;
    EXPECT_EQ(report.start.power_products, restarts ? products : 17);
    EXPECT_EQ(device.control[e].new_w, restarts);
    EXPECT_EQ(device.control[e].power_products, restarts ? products : 0);
  }
  expect_guards(device);
}

constexpr int kPairRoom = 400;

template <class Precision, class Launcher>
void expect_pair_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  PairDevice<Precision> device(problem, kRoom, kPairRoom);
  if constexpr (std::is_same_v<Launcher, RaceDetector>) device.name(launcher);
  device.launch(launcher);
  expect_pairs_of_the_host(device);
}

template <class Launcher>
void expect_pair_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  in_every_precision([&]<class Precision>(Precision) {
    expect_pair_bits_of_the_host<Precision>(problem, launcher);
  });
}

TEST(SoftPairs, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 30 + 40 * static_cast<int>(seed));
    OneLaneLauncher one_lane;
    expect_pair_bits_of_the_host(problem, &one_lane);
    PackLauncher in_packs;
    expect_pair_bits_of_the_host(problem, &in_packs);
  }
}

TEST(SoftPairs, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 100);
    RaceDetector launcher({.seed = seed + 1, .n_block = 4, .strict_regions = true});
    expect_pair_bits_of_the_host(problem, &launcher);
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(SoftPairs, OfARepeatedLaunchAreTheSame) {
  const Problem problem(2, 60);
  PairDevice<FloatPrecision> device(problem, kRoom, kPairRoom);
  OneLaneLauncher launcher;
  device.launch(&launcher);
  device.launch(&launcher);
  device.launch(&launcher);
  EXPECT_EQ(device.control[2].new_w, device.report[2].start.new_w != 0);
  expect_pairs_of_the_host(device);
  launch_keep_contact_node_counts(launcher, device.batch);
  for (std::size_t e = 0; e < device.env.size(); ++e)
    EXPECT_EQ(device.before[e], device.host.environments()[e].n_contact_node);
}

TEST(SoftPairs, ThatFindNoRoomAreToldAndNothingIsWrittenBehindIt) {
  const Problem problem(1, 90);
  std::int32_t n_all = 0;
  for (const auto& own : problem.pairs) n_all += static_cast<std::int32_t>(own.size());
  for (const auto& [capacity, n_contact_node] :
       {std::pair{n_all, 4}, {n_all, 64}, {n_all - 1, -1}, {7, -1}, {1, 4}, {kPairRoom, 0}}) {
    SCOPED_TRACE(testing::Message() << capacity << " " << n_contact_node);
    PairDevice<MixedPrecision> device(problem, kRoom, capacity, n_contact_node);
    RaceDetector launcher({.seed = 3, .n_block = 4, .strict_regions = true});
    device.name(&launcher);
    device.launch(&launcher);
    EXPECT_EQ(device.fit, 0);
    EXPECT_EQ(device.can_be_taken, 0);
    for (std::size_t e = 0; e < device.env.size(); ++e)
      EXPECT_EQ(device.counts[e].n, static_cast<std::int32_t>(problem.pairs[e].size()));
    expect_guards(device);
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

TEST(SoftPairs, NodesAreSortedByRowAndPlace) {
  for (const int capacity : {50, 64, 65, 128, 129, 300, 1100}) {
    SCOPED_TRACE(capacity);
    const Problem problem(3, std::min(capacity, 120) / 3);
    PairDevice<DoublePrecision> device(problem, kRoom, capacity);
    RaceDetector launcher({.seed = 5, .n_block = 3, .strict_regions = true});
    device.name(&launcher);
    device.launch_numbers(&launcher);
    std::vector<std::pair<std::uint64_t, std::int32_t>> expected;
    std::int32_t p = 0, n_node = 0;
    for (std::size_t e = 0; e < device.env.size(); ++e)
      for (std::size_t m = 0; m < problem.pairs[e].size(); ++m, ++p) {
        std::int32_t place = kPairNodes * p;
        for (const PairSide& side : problem.pairs[e][m].side)
          for (int k = 0; k < side.n; ++k, ++n_node)
            expected.emplace_back(pair_key(static_cast<int>(e), device.arrays[e].row[side.node[k]]),
                                  place++);
      }
    ASSERT_GT(n_node, 100);
    std::sort(expected.begin(), expected.end());
    for (std::size_t k = 0; k < device.sorted_key.size(); ++k) {
      const bool is_node = k < expected.size();
      ASSERT_EQ(device.sorted_key[k], is_node ? expected[k].first : ~std::uint64_t{0}) << k;
      if (is_node) {
        ASSERT_EQ(device.sorted_item[k], expected[k].second) << k;
      }
    }
    EXPECT_TRUE(launcher.conflicts().empty());
  }
}

}  // namespace
}  // namespace nodia::test

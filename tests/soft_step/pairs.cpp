/// Pairs of soft surfaces in the slots of the loop, their points as virtual nodes, against what the
/// host lays out of the same contacts, bit for bit.
#include <gtest/gtest.h>

#include "kernels/soft_step/start_virtual.hpp"
#include "tests/soft_step/contact_arrays.hpp"

namespace nodia::test {
namespace {

/// Of one environment, beside its DeviceArrays.
template <class Precision>
struct PairArrays {
  using Real = typename Precision::Real;
  std::vector<std::int32_t> coupled_entry, coupled_count, tie_begin, tie_row, tied_row, tied_chunk,
      tied_begin, tied_part;
  std::vector<double> tie_weight, softness;
  std::vector<Real> tie_jacobian, tie_gain, w;
  AlignedVector<Real> tied_force, phi, bias_lambda, node[4];
};

template <class Precision>
struct PairDevice : Device<Precision> {
  using Real = typename Precision::Real;
  std::deque<PairArrays<Precision>> more;
  std::vector<PairSlots> slots;
  std::vector<VertexSearch> searches;
  std::vector<std::int32_t> first_search{0}, slot, virtual_side, item, sorted_item, before;
  std::vector<std::uint64_t> key, sorted_key;
  std::vector<PairContact> pair;
  std::vector<PairRoom> room;
  std::vector<PairCounts> counts;
  std::vector<PairsTold> told;
  std::vector<std::uint8_t> flag;
  std::vector<std::int32_t> flag_count, flag_first;
  std::vector<Carried> carried;
  std::vector<VfpiControl> control;
  StateCarry<Precision> carry;
  std::int32_t n_selected = 0, fit = -7, can_be_taken = -7;

  /// @param capacity   of the list
  /// @param n_virtual  room in an environment that may have pairs, a multiple of kSliceRows/4; -1:
  ///                   all of its rows
  PairDevice(const Problem& of, int rare_capacity, int capacity, int n_virtual = -1)
      : Device<Precision>(of, rare_capacity) {
    for (std::size_t e = 0; e < this->env.size(); ++e)
      add(static_cast<int>(e), rare_capacity, n_virtual);
    take_pairs(capacity);
    PairBatch& p = this->batch.pairs;
    p.meeting.searches.n_search = static_cast<int>(slots.size());
    p.meeting.first_search = first_search.data();
    p.meeting.pairs.slots = slots.data();
    p.meeting.pairs.n_slot = static_cast<int>(flag.size());
    p.meeting.selection.n = static_cast<int>(flag.size());
    p.meeting.selection.flag = flag.data();
    p.meeting.selection.first = flag_first.data();
    p.capacity = capacity;
    p.slot = slot.data();
    p.n_selected = &n_selected;
    p.room = room.data();
    p.cancels_bias = CondOptions{}.bias_cancellation;
    p.pair = pair.data();
    counts.assign(this->env.size(), PairCounts{-7, -7, -7, -7, -7, -7, -7});
    p.counts = counts.data();
    p.virtual_side = virtual_side.data();
    p.key = key.data();
    p.sorted_key = sorted_key.data();
    p.item = item.data();
    p.sorted_item = sorted_item.data();
    p.n_virtual_before = before.data();
    told.resize(this->env.size());
    p.told = told.data();
    p.fit = &fit;
    this->batch.can_be_taken = &can_be_taken;
    carry.n_env = this->batch.n_env;
    carry.env = this->env.data();
    carry.carried = carried.data();
    carry.control = control.data();
  }

  void name(MimicLauncher* launcher) {
    Device<Precision>::name(launcher);
    const auto one = [&](const char* what, auto& array, std::size_t guard = 0) {
      if (array.size() > guard)
        launcher->name_region(array.data(), (array.size() - guard) * sizeof(array[0]), what);
    };
    for (PairArrays<Precision>& a : more) {
      one("coupled_entry", a.coupled_entry);
      one("coupled_count", a.coupled_count);
      one("tie_begin", a.tie_begin);
      one("tie_row", a.tie_row);
      one("tied_row", a.tied_row);
      one("tied_chunk", a.tied_chunk);
      one("tied_begin", a.tied_begin);
      one("tied_part", a.tied_part);
      one("tie_weight", a.tie_weight);
      one("softness", a.softness);
      one("tie_jacobian", a.tie_jacobian);
      one("tie_gain", a.tie_gain);
      one("w", a.w);
      one("tied_force", a.tied_force);
      one("phi", a.phi);
      one("bias_lambda", a.bias_lambda);
      for (auto& role : a.node) one("node", role);
    }
    one("slot", slot);
    one("virtual_side", virtual_side);
    one("item", item);
    one("sorted_item", sorted_item);
    one("before", before);
    one("key", key);
    one("sorted_key", sorted_key);
    one("pair", pair);
    one("counts", counts);
    one("told", told);
    one("flag", flag);
    one("flag_first", flag_first);
    one("control", control);
    launcher->name_region(&n_selected, sizeof n_selected, "n_selected");
    launcher->name_region(&fit, sizeof fit, "fit");
    launcher->name_region(&can_be_taken, sizeof can_be_taken, "can_be_taken");
  }

  template <class Launcher>
  void launch_numbers(Launcher* launcher) {
    launch_count_pairs(*launcher, this->batch);
    launch_number_pairs(*launcher, this->batch);
  }
  /// All but the making of the pairs, which are there.
  template <class Launcher>
  void launch(Launcher* launcher) {
    launch_numbers(launcher);
    launch_near_places(*launcher, this->batch);
    launch_place_contacts(*launcher, this->batch);
    launch_place_ties(*launcher, this->batch);
    launch_start_virtual(*launcher, this->batch, carry);
  }

 private:
  void add(int e, int rare_capacity, int n_virtual) {
    const bool may_have_pairs = !this->problem.env[e].rests;
    VfpiEnvironment<Precision>& own = this->env[e];
    const VfpiEnvironment<Precision>& from = this->host.environments()[e];
    const int n_row = own.n_chunk * kBlockLanes, rows = n_row - own.first_virtual_row;
    const PairRoom of = ContactLayout::pair_room(!may_have_pairs ? 0
                                                 : n_virtual < 0 ? rows
                                                                 : n_virtual);
    room.push_back(of);
    room.back().first_virtual = static_cast<std::int32_t>(virtual_side.size());
    virtual_side.resize(virtual_side.size() + of.n_virtual, -7);
    this->batch.pairs.n_virtual = std::max(this->batch.pairs.n_virtual, of.n_virtual);

    DeviceArrays<Precision>& a = this->arrays[e];
    own.n_slot = own.first_virtual_row + rare_capacity + of.n_coupled_slot;
    own.n_virtual = own.n_tied_row = own.n_coupled_slot = own.first_coupled_slot = -7;
    own.in_phases = own.cancel_bias = true;
    a.rare.assign(rare_capacity / 2 + 2 * of.n_pair + kGuard, RareRow{-7, -7, -7, -7});
    a.contact_plane.assign(kContactPlanes * (own.n_slot + kGuard), Real(-7));
    a.contact.assign(own.n_slot + kGuard, a.contact[0]);
    a.compliance.assign(own.n_slot + kGuard, -7);
    a.lambda.assign(kNodeStride * (own.n_slot + kGuard), Real(-7));
    own.rare = a.rare.data();
    own.contact_plane = a.contact_plane.data();
    own.contact = a.contact.data();
    own.compliance = a.compliance.data();
    own.lambda = a.lambda.data();
    this->batch.n_slot = std::max(this->batch.n_slot, own.n_slot);

    PairArrays<Precision>& m = more.emplace_back();
    const auto give = [](auto& array, std::size_t n, auto** view) {
      array.assign(n, static_cast<std::decay_t<decltype(array[0])>>(-7));
      *view = array.data();
    };
    const auto n_part = std::size_t{4} * of.n_virtual;
    give(m.coupled_entry, of.n_coupled_entry, &own.coupled_entry);
    give(m.coupled_count, n_row, &own.coupled_count);
    give(m.tie_begin, of.n_virtual + 1, &own.tie_begin);
    give(m.tie_row, n_part, &own.tie_row);
    give(m.tie_weight, n_part, &own.tie_weight);
    give(m.tied_row, n_part, &own.tied_row);
    give(m.tied_chunk, own.n_chunk + 1, &own.tied_chunk);
    give(m.tied_begin, n_part + 1, &own.tied_begin);
    give(m.tied_part, 2 * n_part, &own.tied_part);
    give(m.tie_jacobian, 9 * n_part, &own.tie_jacobian);
    give(m.tie_gain, of.n_virtual, &own.tie_gain);
    give(m.tied_force, kNodeStride * n_row, &own.tied_force);
    give(m.softness, own.n_slot, &own.softness);
    give(m.phi, kNodeStride * own.n_slot, &own.phi);
    give(m.bias_lambda, kNodeStride * own.n_slot, &own.bias_lambda);
    give(m.w, n_row, &own.w);
    for (int role = 0; role < 4; ++role) {
      give(m.node[role], kNodeStride * n_row, &own.node[role]);
      std::copy_n(from.node[role], kNodeStride * own.first_virtual_row, own.node[role]);
    }
    Carried& c = carried.emplace_back();
    c.knows_w = e % 2;
    c.control.power_products = 17;
    control.emplace_back().lambda_max = e;
    before.push_back(e == 1 ? from.n_virtual : e);

    // Searches of some slots each, and which of them are pairs.
    const auto n_pair = static_cast<int>(this->problem.pairs[e].size());
    for (int s = 0; may_have_pairs && s < 2; ++s) {
      const int n = s == 0 ? n_pair / 3 : n_pair - n_pair / 3;
      PairSlots& of_search = slots.emplace_back();
      of_search.first = static_cast<std::int32_t>(flag.size());
      of_search.n_vertex = 3 * n + 5;
      flag.resize(flag.size() + of_search.n_vertex);
      for (int k = 0; k < n; ++k) flag[of_search.first + 3 * k + 2] = 1;
    }
    first_search.push_back(static_cast<std::int32_t>(slots.size()));
  }

  void take_pairs(int capacity) {
    std::vector<PairContact> all;
    for (const auto& own : this->problem.pairs) all.insert(all.end(), own.begin(), own.end());
    std::int32_t search = 0;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(flag.size()); ++k) {
      if (k % FlagSelection::kOfChunk == 0) flag_first.push_back(n_selected);
      while (k >= slots[search].end()) ++search;
      if (flag[k] == 0) continue;
      PairContact& own = all[n_selected++];
      own.slot = k;
      own.search = search;
      slot.push_back(k);
    }
    slot.resize(capacity, -7);
    pair = all;
    pair.resize(capacity);
    std::int32_t p = 0;
    for (std::size_t e = 0; e < this->env.size(); ++e)
      for (std::size_t k = 0; k < this->problem.pairs[e].size(); ++k, ++p)
        for (int side = 0; side < 2 && p < capacity; ++side)
          (side == 0 ? pair[p].contact.side_i : pair[p].contact.side_j) =
              pair[p].side[side].is_point() ? -2 : this->arrays[e].row[pair[p].side[side].node[0]];
    key.resize(kPairNodes * capacity);
    sorted_key.resize(key.size());
    item.resize(key.size());
    sorted_item.resize(key.size());
  }
};

template <class Precision>
void expect_ties_of_the_host(const PairDevice<Precision>& device, int e) {
  const VfpiEnvironment<Precision>&own = device.env[e], &host = device.host.environments()[e];
  const auto same = [](const auto* a, const auto* b, std::int64_t n) {
    return std::equal(a, a + n, b);
  };
  ASSERT_EQ(own.n_virtual, host.n_virtual);
  ASSERT_EQ(own.n_tied_row, host.n_tied_row);
  if (host.n_virtual == 0) return;
  const std::int32_t n_part = host.tie_begin[host.n_virtual];
  EXPECT_TRUE(same(own.tie_begin, host.tie_begin, host.n_virtual + 1));
  EXPECT_TRUE(same(own.tie_row, host.tie_row, n_part));
  EXPECT_TRUE(same(own.tie_weight, host.tie_weight, n_part));
  EXPECT_TRUE(same(own.tied_row, host.tied_row, host.n_tied_row));
  EXPECT_TRUE(same(own.tied_begin, host.tied_begin, host.n_tied_row + 1));
  EXPECT_TRUE(same(own.tied_chunk, host.tied_chunk, host.n_chunk + 1));
  EXPECT_TRUE(same(own.tied_part, host.tied_part, 2 * n_part));
  EXPECT_TRUE(same(own.tie_jacobian, host.tie_jacobian, 9 * n_part));
  EXPECT_TRUE(same(own.tie_gain, host.tie_gain, host.n_virtual));
  EXPECT_TRUE(untouched(own.tied_force, 3 * host.n_chunk * kBlockLanes, 0));
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
    EXPECT_EQ(device.counts[e].n_virtual, host.n_virtual);
    expect_ties_of_the_host(device, static_cast<int>(e));
    EXPECT_EQ(own.n_coupled_slot, host.n_coupled_slot);
    EXPECT_EQ(own.in_phases, host.in_phases);
    EXPECT_EQ(own.cancel_bias, host.cancel_bias);
    EXPECT_EQ(own.rows_share_contacts, host.rows_share_contacts);
    EXPECT_EQ(own.load, host.load);
    const auto rows = contacts_of_rows(own);
    EXPECT_TRUE(rows == contacts_of_rows(host));
    for (int row = 0; row < host.n_chunk * kBlockLanes; ++row)
      EXPECT_EQ(own.coupled_count[row], host.coupled_count[row]) << row;
    // All contacts of the coupled rows are among the coupled slots, all others are empty.
    int n_contact = 0;
    for (int slot = 0; slot < own.n_slot; ++slot) {
      const int in_coupled = slot - own.first_coupled_slot;
      if (in_coupled >= 0) {
        EXPECT_EQ(own.contact[slot].side_i != kWorld, in_coupled < own.n_coupled_slot) << slot;
      }
      if (own.contact[slot].side_i != kWorld) {
        ++n_contact;
      } else {
        EXPECT_EQ(own.contact[slot].R(0, 0), 0);
        if (own.n_virtual > 0) {
          EXPECT_EQ(own.softness[slot], 0);
        }
      }
    }
    EXPECT_EQ(n_contact,
              device.problem.p.env_contact_begin[e + 1] - device.problem.p.env_contact_begin[e]);
    for (int row = own.first_virtual_row; row < own.first_virtual_row + device.room[e].n_virtual;
         ++row) {
      const bool is_used = row < own.first_virtual_row + host.n_virtual;
      EXPECT_EQ(own.w[row], is_used ? Real(-7) : Real(1));
      for (int role = 0; role < 4; ++role)
        EXPECT_EQ(norm(load_state<Real>(own, own.node[role], row, DirectMemory{}) -
                       load_state<Real>(host, host.node[role], row, DirectMemory{})),
                  0)
            << row;
    }
    // As LoopProblem starts controls.
    const std::int32_t before = device.before[e];
    const bool anew = host.n_virtual > 0 || before > 0;
    const bool is_warm = device.carried[e].knows_w != 0 && host.n_virtual == before;
    const PairsTold& told = device.told[e];
    EXPECT_EQ(told.n_pair, n_pair);
    EXPECT_EQ(told.n_virtual, host.n_virtual);
    EXPECT_EQ(told.n_virtual_before, before);
    EXPECT_EQ(told.start.new_w, anew ? 1 : 0);
    const int products = is_warm ? kWarmPowerProducts : kColdPowerProducts;
    EXPECT_EQ(told.start.power_products, anew ? products : 17);
    EXPECT_EQ(device.control[e].new_w, anew);
    EXPECT_EQ(device.control[e].power_products, anew ? products : 0);
  }
  expect_guards(device);
}

constexpr int kPairRoom = 400;

template <class Precision, class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  PairDevice<Precision> device(problem, kRoom, kPairRoom);
  if constexpr (std::is_same_v<Launcher, MimicLauncher>) device.name(launcher);
  device.launch(launcher);
  expect_pairs_of_the_host(device);
}

template <class Launcher>
void expect_bits_of_the_host(const Problem& problem, Launcher* launcher) {
  expect_bits_of_the_host<DoublePrecision>(problem, launcher);
  expect_bits_of_the_host<MixedPrecision>(problem, launcher);
  expect_bits_of_the_host<FloatPrecision>(problem, launcher);
}

TEST(SoftPairs, HaveTheBitsOfTheHosts) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 30 + 40 * static_cast<int>(seed));
    OneLaneLauncher one_lane;
    expect_bits_of_the_host(problem, &one_lane);
    PackLauncher in_packs;
    expect_bits_of_the_host(problem, &in_packs);
  }
}

TEST(SoftPairs, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem(seed, 100);
    MimicLauncher launcher({.seed = seed + 1, .n_block = 4, .strict_regions = true});
    expect_bits_of_the_host(problem, &launcher);
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
  EXPECT_EQ(device.control[2].new_w, device.told[2].start.new_w != 0);
  expect_pairs_of_the_host(device);
  launch_keep_virtual_counts(launcher, device.batch);
  for (std::size_t e = 0; e < device.env.size(); ++e)
    EXPECT_EQ(device.before[e], device.host.environments()[e].n_virtual);
}

TEST(SoftPairs, ThatFindNoRoomAreToldAndNothingIsWrittenBehindIt) {
  const Problem problem(1, 90);
  std::int32_t n_all = 0;
  for (const auto& own : problem.pairs) n_all += static_cast<std::int32_t>(own.size());
  for (const auto& [capacity, n_virtual] :
       {std::pair{n_all, 4}, {n_all, 64}, {n_all - 1, -1}, {7, -1}, {1, 4}, {kPairRoom, 0}}) {
    SCOPED_TRACE(testing::Message() << capacity << " " << n_virtual);
    PairDevice<MixedPrecision> device(problem, kRoom, capacity, n_virtual);
    MimicLauncher launcher({.seed = 3, .n_block = 4, .strict_regions = true});
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
    MimicLauncher launcher({.seed = 5, .n_block = 3, .strict_regions = true});
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

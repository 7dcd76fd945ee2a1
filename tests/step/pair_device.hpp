/// Environments of contact_problem.hpp with soft-soft pairs in the memory of a launcher.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "host/base/aligned_vector.hpp"
#include "host/solvers/cond/contact_layout.hpp"
#include "kernels/step/contacts.hpp"
#include "kernels/step/start_contact_nodes.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/step/contact_device.hpp"

namespace nodia::test {

/// Arrays of pairs of one environment, beside its DeviceArrays.
template <class Precision>
struct PairArrays {
  using Real = typename Precision::Real;
  std::vector<std::int32_t> coupled_entry, coupled_count, constraint_begin, constraint_row,
      constrained_row, constrained_chunk, constrained_begin, constrained_part;
  std::vector<double> constraint_weight, softness;
  std::vector<Real> constraint_jacobian, constraint_gain, w;
  AlignedVector<Real> constrained_force, phi, bias_lambda, node[4];
};

/// Extends the device data of contacts by soft-soft pairs.
template <class Precision>
struct PairDevice : Device<Precision> {
  using Real = typename Precision::Real;
  std::deque<PairArrays<Precision>> more;
  std::vector<PairSlots> slots;
  std::vector<VertexSearch> searches;
  std::vector<std::int32_t> first_search{0}, slot, contact_node_side, item, sorted_item, before;
  std::vector<std::uint64_t> key, sorted_key;
  std::vector<PairContact> pair;
  std::vector<PairRoom> room;
  std::vector<PairCounts> counts;
  std::vector<PairReport> report;
  std::vector<std::uint8_t> flag;
  std::vector<std::int32_t> flag_count, flag_first;
  std::vector<Carried> carried;
  std::vector<VfpiControl> control;
  StateCarry<Precision> carry;
  std::int32_t n_selected = 0, fit = -7, can_be_taken = -7;

  /// @param capacity   of the list
  /// @param n_contact_node  capacity of an environment that may have pairs, a multiple of
  /// kSliceRows/4;
  ///                   -1: all of its rows
  PairDevice(const Problem& of, int multi_contact_capacity, int capacity, int n_contact_node = -1)
      : Device<Precision>(of, multi_contact_capacity) {
    for (std::size_t e = 0; e < this->env.size(); ++e)
      add(static_cast<int>(e), multi_contact_capacity, n_contact_node);
    take_pairs(capacity);
    PairBatch& p = this->batch.pairs;
    p.paired.searches.n_search = static_cast<int>(slots.size());
    p.paired.first_search = first_search.data();
    p.paired.pairs.slots = slots.data();
    p.paired.pairs.n_slot = static_cast<int>(flag.size());
    p.paired.selection.n = static_cast<int>(flag.size());
    p.paired.selection.flag = flag.data();
    p.paired.selection.first = flag_first.data();
    p.capacity = capacity;
    p.slot = slot.data();
    p.n_selected = &n_selected;
    p.room = room.data();
    p.coupling = CondOptions{}.coupling();
    p.pair = pair.data();
    counts.assign(this->env.size(), PairCounts{-7, -7, -7, -7, -7, -7, -7});
    p.counts = counts.data();
    p.contact_node_side = contact_node_side.data();
    p.key = key.data();
    p.sorted_key = sorted_key.data();
    p.item = item.data();
    p.sorted_item = sorted_item.data();
    p.n_contact_node_before = before.data();
    report.resize(this->env.size());
    p.report = report.data();
    p.fit = &fit;
    this->batch.can_be_taken = &can_be_taken;
    carry.n_env = this->batch.n_env;
    carry.env = this->env.data();
    carry.carried = carried.data();
    carry.control = control.data();
  }

  void name(RaceDetector* launcher) {
    Device<Precision>::name(launcher);
    const auto one = [&](const char* what, const auto& array) {
      name_array(launcher, what, array);
    };
    for (PairArrays<Precision>& a : more) {
      one("coupled_entry", a.coupled_entry);
      one("coupled_count", a.coupled_count);
      one("constraint_begin", a.constraint_begin);
      one("constraint_row", a.constraint_row);
      one("constrained_row", a.constrained_row);
      one("constrained_chunk", a.constrained_chunk);
      one("constrained_begin", a.constrained_begin);
      one("constrained_part", a.constrained_part);
      one("constraint_weight", a.constraint_weight);
      one("softness", a.softness);
      one("constraint_jacobian", a.constraint_jacobian);
      one("constraint_gain", a.constraint_gain);
      one("w", a.w);
      one("constrained_force", a.constrained_force);
      one("phi", a.phi);
      one("bias_lambda", a.bias_lambda);
      for (auto& role : a.node) one("node", role);
    }
    one("slot", slot);
    one("contact_node_side", contact_node_side);
    one("item", item);
    one("sorted_item", sorted_item);
    one("before", before);
    one("key", key);
    one("sorted_key", sorted_key);
    one("pair", pair);
    one("counts", counts);
    one("told", report);
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
  /// Runs all kernels except those that make the pairs.
  template <class Launcher>
  void launch(Launcher* launcher) {
    launch_numbers(launcher);
    launch_near_places(*launcher, this->batch);
    launch_place_contacts(*launcher, this->batch);
    launch_place_point_constraints(*launcher, this->batch);
    launch_start_contact_nodes(*launcher, this->batch, carry);
  }

 private:
  void add(int e, int multi_contact_capacity, int n_contact_node) {
    const bool may_have_pairs = !this->problem.env[e].is_inactive;
    VfpiEnvironment<Precision>& own = this->env[e];
    const VfpiEnvironment<Precision>& from = this->host.environments()[e];
    const int n_row = own.n_chunk * kBlockLanes, rows = n_row - own.first_contact_node_row;
    const PairRoom of = ContactLayout::pair_room(!may_have_pairs      ? 0
                                                 : n_contact_node < 0 ? rows
                                                                      : n_contact_node);
    room.push_back(of);
    room.back().first_contact_node = static_cast<std::int32_t>(contact_node_side.size());
    contact_node_side.resize(contact_node_side.size() + of.n_contact_node, -7);
    this->batch.pairs.n_contact_node =
        std::max(this->batch.pairs.n_contact_node, of.n_contact_node);

    DeviceArrays<Precision>& a = this->arrays[e];
    own.n_slot = own.first_contact_node_row + multi_contact_capacity + of.n_coupled_slot;
    own.n_contact_node = own.n_constrained_row = own.n_coupled_slot = own.first_coupled_slot = -7;
    own.in_phases = own.cancel_bias = true;
    a.multi_contact.assign(multi_contact_capacity / 2 + 2 * of.n_pair + kGuard,
                           MultiContactRow{-7, -7, -7, -7});
    a.contact_plane.assign(kContactPlanes * (own.n_slot + kGuard), Real(-7));
    a.contact.assign(own.n_slot + kGuard, a.contact[0]);
    a.compliance.assign(own.n_slot + kGuard, -7);
    a.lambda.assign(kNodeStride * (own.n_slot + kGuard), Real(-7));
    own.multi_contact = a.multi_contact.data();
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
    const auto n_part = std::size_t{4} * of.n_contact_node;
    give(m.coupled_entry, of.n_coupled_entry, &own.coupled_entry);
    give(m.coupled_count, n_row, &own.coupled_count);
    give(m.constraint_begin, of.n_contact_node + 1, &own.constraint_begin);
    give(m.constraint_row, n_part, &own.constraint_row);
    give(m.constraint_weight, n_part, &own.constraint_weight);
    give(m.constrained_row, n_part, &own.constrained_row);
    give(m.constrained_chunk, own.n_chunk + 1, &own.constrained_chunk);
    give(m.constrained_begin, n_part + 1, &own.constrained_begin);
    give(m.constrained_part, 2 * n_part, &own.constrained_part);
    give(m.constraint_jacobian, 9 * n_part, &own.constraint_jacobian);
    give(m.constraint_gain, of.n_contact_node, &own.constraint_gain);
    give(m.constrained_force, kNodeStride * n_row, &own.constrained_force);
    give(m.softness, own.n_slot, &own.softness);
    give(m.phi, kNodeStride * own.n_slot, &own.phi);
    give(m.bias_lambda, kNodeStride * own.n_slot, &own.bias_lambda);
    give(m.w, n_row, &own.w);
    for (int role = 0; role < 4; ++role) {
      give(m.node[role], kNodeStride * n_row, &own.node[role]);
      std::copy_n(from.node[role], kNodeStride * own.first_contact_node_row, own.node[role]);
    }
    Carried& c = carried.emplace_back();
    c.knows_w = e % 2;
    c.control.power_products = 17;
    control.emplace_back().lambda_max = e;
    before.push_back(e == 1 ? from.n_contact_node : e);

    // Searches of some slots each, and the slots that are pairs.
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

}  // namespace nodia::test

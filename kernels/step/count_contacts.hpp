/// Counts per row of the loop, and sums per chunk of rows: contacts with obstacles, soft-soft pairs
/// that act on the row, and point constraints.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/step/contact_at.hpp"
#include "kernels/step/number_pairs.hpp"

namespace nodia {

/// Columns of VfpiEnvironment::partial before the loop, one value per chunk of rows.
enum ContactSum : int {
  kMultiContactSlots = 0,  ///< contacts of rows with several contacts, without coupled rows
  kMultiContactRows = 1,   ///< rows with several contacts, and coupled rows
  kLoad = 2,               ///< contribution to EnvironmentFacts::load [N]
  // The next columns exist only with pairs.
  kWorldSlots = 3,       ///< contacts of coupled rows with obstacles
  kCoupledEntries = 4,   ///< entries of coupled rows
  kSharingRows = 5,      ///< rows with several contacts
  kConstrainedRows = 6,  ///< rows with point constraints
  kPointConstraints = 7  ///< point constraints of the rows
};
inline constexpr int kContactSums = 8, kSumsWithoutPairs = 3;

namespace detail {
template <class Indices>
struct SumsOf;
template <int... i>
struct SumsOf<std::integer_sequence<int, i...>> {
  using Reduction = BlockReduction<(static_cast<void>(i), Combine::sum)...>;
};
}  // namespace detail
/// Reduction that sums `n` values.
template <int n>
using Sums = typename detail::SumsOf<std::make_integer_sequence<int, n>>::Reduction;

/// Numbers of contacts and point constraints of a row of the loop.
struct RowContacts {
  std::int32_t n_world = 0;       ///< contacts with obstacles
  std::int32_t n_pair = 0;        ///< pairs that act on the row
  std::int32_t n_constraint = 0;  ///< points that are constrained to the row's node

  NODIA_HD bool is_coupled() const { return n_pair > 0; }
  NODIA_HD std::int32_t n() const { return n_world + n_pair; }
  NODIA_HD bool is_multi_contact() const { return is_coupled() || n_world > 1; }
  NODIA_HD std::int32_t n_multi_contact_slot() const {
    return !is_coupled() && n_world > 1 ? n_world : 0;
  }
  NODIA_HD std::int32_t n_world_slot() const { return is_coupled() ? n_world : 0; }
  NODIA_HD std::int32_t n_entry() const { return is_coupled() ? n() : 0; }
};

/// Base of kernels over chunks of kBlockLanes rows or contact indices: item e n_chunk + c is chunk
/// c of environment e.
/// @tparam with_pairs  whether there may be soft-soft pairs
template <class Precision, bool with_pairs>
struct RowChunkKernel {
  SoftStepBatch<Precision> batch;
  int n_chunk = 1;  ///< maximum over the environments

  /// Node of a row; -1 if the row is not searched for contacts.
  NODIA_HD int node_of(int e, int row) const {
    const SoftRows& soft = batch.soft[e];
    const int node = row < soft.n_row ? soft.node[row] : -1;
    return node < batch.contacts[e].near.n_node ? node : -1;
  }
  /// Contact node of a row; -1 if the row has none in use.
  template <class Memory>
  NODIA_HD int point_of(int e, int row, Memory memory) const {
    const int k = row - batch.env[e].first_contact_node_row;
    return k >= 0 && k < memory.read(batch.pairs.counts + e).n_used() ? k : -1;
  }
  template <class Memory>
  NODIA_HD bool has_pairs(int e, Memory memory) const {
    return memory.read(&batch.pairs.counts[e].n_listed) > 0;
  }
  /// Returns 2 pair + side for a contact node.
  template <class Memory>
  NODIA_HD std::int32_t contact_node_side(int e, int point, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    return memory.read(pairs.contact_node_side + pairs.room[e].first_contact_node + point);
  }
  template <class Memory>
  NODIA_HD static bool is_near(const DetectionView& near, int place, Memory memory) {
    return memory.read(near.flag + place) != 0;
  }

  /// Calls visit(pair, side) for the pairs that act on a row, ascending; on a point if
  /// `constrained`.
  template <class Visit, class Memory>
  NODIA_HD void for_sides(int e, int row, bool constrained, const Visit& visit,
                          Memory memory) const {
    if (row >= batch.env[e].first_contact_node_row) {
      const int point = constrained ? -1 : point_of(e, row, memory);
      if (point < 0) return;
      const std::int32_t own = contact_node_side(e, point, memory);
      visit(own / 2, own % 2);
    } else if (has_pairs(e, memory)) {
      for_node_pairs(
          batch, e, row,
          [&](std::int32_t p, std::int32_t place) {
            const PairSide* const side = batch.pairs.pair[p].side;
            const int own = place < memory.read(&side[0].n) ? 0 : 1;
            if ((memory.read(&side[own].n) > 1) == constrained) visit(p, own);
          },
          memory);
    }
  }

  /// Runs after the flags of surfaces that may not collide are cleared.
  template <class Memory>
  NODIA_HD RowContacts contacts_of(int e, int row, Memory memory) const {
    RowContacts own;
    const DetectionView& near = batch.contacts[e].near;
    const int node = node_of(e, row);
    for (int k = 0; node >= 0 && k < near.n_obstacle; ++k)
      own.n_world += is_near(near, node * near.n_obstacle + k, memory) ? 1 : 0;
    if constexpr (with_pairs)
      for_sides(
          e, row, false, [&](std::int32_t, int) { ++own.n_pair; }, memory);
    return own;
  }
};

/// First contact index of coupled rows.
NODIA_HD std::int32_t first_coupled_slot(std::int32_t first_contact_node_row,
                                         const SoftContacts& contacts) {
  return first_contact_node_row + contacts.multi_contact_capacity;
}

/// Counts the contacts of rows with several contacts, and the effects of pairs on rows. Clears the
/// flags of surfaces that may not collide.
template <class Precision, bool with_pairs>
struct CountContacts : RowChunkKernel<Precision, with_pairs> {
  using Shared = Sums<(with_pairs ? kContactSums : kSumsWithoutPairs) - 1>;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    return item % this->n_chunk < this->batch.env[item / this->n_chunk].n_chunk;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / this->n_chunk, chunk = item % this->n_chunk;
    if constexpr (phase == 0) {
      const RowContacts own = count(e, chunk * kBlockLanes + lane, memory);
      const auto put = [&](int sum, std::int32_t n) {
        memory.write(&shared.term[term_of(sum)][lane], static_cast<double>(n));
      };
      put(kMultiContactSlots, own.n_multi_contact_slot());
      put(kMultiContactRows, own.is_multi_contact() ? 1 : 0);
      if constexpr (with_pairs) {
        put(kWorldSlots, own.n_world_slot());
        put(kCoupledEntries, own.n_entry());
        put(kSharingRows, own.n() > 1 ? 1 : 0);
        put(kConstrainedRows, own.n_constraint > 0 ? 1 : 0);
        put(kPointConstraints, own.n_constraint);
      }
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const VfpiEnvironment<Precision>& env = this->batch.env[e];
      for (int sum = 0; sum <= Shared::kCount; ++sum)
        if (sum != kLoad)
          memory.write(env.partial + sum * env.partial_stride() + chunk,
                       shared.result(term_of(sum), memory));
    }
  }

 private:
  NODIA_HD static int term_of(int sum) { return sum < kLoad ? sum : sum - 1; }

  template <class Memory>
  NODIA_HD RowContacts count(int e, int row, Memory memory) const {
    const SoftContacts& contacts = this->batch.contacts[e];
    const DetectionView& near = contacts.near;
    const int node = this->node_of(e, row);
    for (int k = 0; node >= 0 && k < near.n_obstacle; ++k) {
      const int place = node * near.n_obstacle + k;
      if (this->is_near(near, place, memory) && !can_touch(contacts, node, k))
        memory.write(near.flag + place, std::uint8_t{0});
    }
    RowContacts own = this->contacts_of(e, row, memory);
    if constexpr (with_pairs)
      this->for_sides(
          e, row, true, [&](std::int32_t, int) { ++own.n_constraint; }, memory);
    return own;
  }
};

}  // namespace nodia

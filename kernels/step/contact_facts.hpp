/// Facts of an environment after its contacts are counted, and the decision whether the step is
/// accepted: all contacts must fit in the allocated arrays.
#pragma once

#include "kernels/step/all_environments.hpp"
#include "kernels/step/count_contacts.hpp"

namespace nodia {

/// Computes SoftContacts::n_multi_contact, the facts that depend on contacts and, with pairs, the
/// remaining members of PairCounts. One item per environment.
template <class Precision, bool with_pairs>
struct ContactFacts {
  SoftStepBatch<Precision> batch;

  using Shared = Sums<with_pairs ? kContactSums : kSumsWithoutPairs>;
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    VfpiEnvironment<Precision>& env = batch.env[e];
    if constexpr (phase == 0) {
      shared.template gather<Isa>(env.partial, env.partial_stride(), lane, memory);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const auto whole = [&](int sum) {
        return static_cast<std::int32_t>(shared.result(sum, memory));
      };
      memory.write(batch.contacts[e].n_multi_contact, whole(kMultiContactSlots));
      bool shares = whole(kMultiContactSlots) > 0;
      if constexpr (with_pairs) {
        PairCounts* const counts = batch.pairs.counts + e;
        const std::int32_t n_pair = memory.read(&counts->n_listed),
                           n_contact_node = memory.read(counts).n_used();
        memory.write(&counts->n_world_slot, whole(kWorldSlots));
        memory.write(&counts->n_coupled_entry, whole(kCoupledEntries));
        memory.write(&env.first_coupled_slot,
                     first_coupled_slot(env.first_contact_node_row, batch.contacts[e]));
        memory.write(&env.n_coupled_slot, whole(kWorldSlots) + n_pair);
        memory.write(&env.n_contact_node, n_contact_node);
        memory.write(&env.n_constrained_row, whole(kConstrainedRows));
        memory.write(&env.in_phases, n_pair > 0 || batch.pairs.room[e].in_phases != 0);
        memory.write(&env.cancel_bias, n_contact_node > 0 && batch.pairs.coupling.cancels_bias);
        shares = whole(kSharingRows) > 0 || n_contact_node > 0;
      }
      memory.write(&env.rows_share_contacts, shares);
      memory.write(&env.load, shares ? shared.result(kLoad, memory) : 0.0);
    }
  }
};

/// Writes PairBatch::fit in one item.
template <class Precision>
struct TellWhetherPairsFit : AnyLane<TellWhetherPairsFit<Precision>> {
  SoftStepBatch<Precision> batch;

  /// Returns whether an environment's pairs exceed the allocated arrays.
  template <class Memory>
  NODIA_HD bool finds(int, int lane, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    if (memory.read(pairs.n_selected) > pairs.capacity) return true;
    for (int k = lane; k < pairs.paired.n_beyond(); k += kBlockLanes)
      if (memory.read(pairs.paired.pairs.beyond + k) != 0) return true;
    for (int e = lane; pairs.capacity > 0 && e < batch.n_env; e += kBlockLanes)
      if (!fits(memory.read(pairs.counts + e), pairs.room[e])) return true;
    return false;
  }
  template <class Memory>
  NODIA_HD void tell(int, bool any, Memory memory) const {
    memory.write(batch.pairs.fit, any ? 0 : 1);
  }

 private:
  NODIA_HD static bool fits(const PairCounts& counts, const PairRoom& room) {
    return counts.n_listed == counts.n && counts.n_world_slot + counts.n <= room.n_coupled_slot &&
           counts.n_coupled_entry <= room.n_coupled_entry;
  }
};

/// Writes SoftStepBatch::can_be_taken in one item.
template <class Precision>
struct TellWhetherItCanBeTaken : AllEnvironments<TellWhetherItCanBeTaken<Precision>, Precision> {
  template <class Memory>
  NODIA_HD bool holds(int e, Memory memory) const {
    const SoftContacts& contacts = this->batch.contacts[e];
    if (this->batch.pairs.fit != nullptr && memory.read(this->batch.pairs.fit) == 0) return false;
    return memory.read(contacts.n_multi_contact) <= contacts.multi_contact_capacity;
  }
  NODIA_HD std::int32_t* report() const { return this->batch.can_be_taken; }
};

}  // namespace nodia

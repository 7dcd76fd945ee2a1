/// The contacts of the near places in the slots of the loop (kernels/vfpi/arrays/contacts.hpp). A
/// row in one contact has the slot of its own number; the contacts of rows in several come behind
/// them, rows ascending, obstacles ascending.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/soft_step/all_environments.hpp"
#include "kernels/soft_step/contact_at.hpp"
#include "kernels/soft_step/row_blocks.hpp"
#include "kernels/vfpi/put_contact.hpp"

namespace nodia {

/// Runs of VfpiEnvironment::partial, before the loop: per chunk of rows.
enum ContactSum : int {
  kRareSlots = 0,  ///< contacts of rows in several
  kRareRows = 1,   ///< such rows
  kLoad = 2,       ///< part of EnvironmentFacts::load [N]
  kContactSums = 3
};

/// Over chunks of kBlockLanes rows or slots of every environment: item e n_chunk + c is chunk c of
/// environment e.
template <class Precision>
struct RowChunkKernel {
  SoftStepBatch<Precision> batch;
  int n_chunk = 1;  ///< of the largest environment

  /// Node of a row; -1: no contact is looked for.
  NODIA_HD int node_of(int e, int row) const {
    const SoftRows& soft = batch.soft[e];
    const int node = row < soft.n_row ? soft.node[row] : -1;
    return node < batch.contacts[e].near.n_node ? node : -1;
  }
  template <class Memory>
  NODIA_HD static bool is_near(const DetectionView& near, int place, Memory memory) {
    return memory.read(near.flag + place) != 0;
  }
};

/// How many contacts there are on rows in several. Flags of places whose surfaces do not meet are
/// taken back.
template <class Precision>
struct CountContacts : RowChunkKernel<Precision> {
  using Shared = BlockReduction<Combine::sum, Combine::sum>;
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
      const int n = count(e, this->node_of(e, chunk * kBlockLanes + lane), memory);
      memory.write(&shared.term[kRareSlots][lane], n > 1 ? static_cast<double>(n) : 0.0);
      memory.write(&shared.term[kRareRows][lane], n > 1 ? 1.0 : 0.0);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const VfpiEnvironment<Precision>& env = this->batch.env[e];
      for (const int sum : {kRareSlots, kRareRows})
        memory.write(env.partial + sum * env.partial_stride() + chunk, shared.result(sum, memory));
    }
  }

 private:
  template <class Memory>
  NODIA_HD int count(int e, int node, Memory memory) const {
    if (node < 0) return 0;
    const SoftContacts& contacts = this->batch.contacts[e];
    const DetectionView& near = contacts.near;
    int n = 0;
    for (int k = 0; k < near.n_obstacle; ++k) {
      const int place = node * near.n_obstacle + k;
      if (!this->is_near(near, place, memory)) continue;
      if (can_touch(contacts, node, k))
        ++n;
      else
        memory.write(near.flag + place, std::uint8_t{0});
    }
    return n;
  }
};

/// Every slot, the lists of rows, and SoftContacts::slot.
template <class Precision>
struct PlaceContacts : RowChunkKernel<Precision> {
  using Real = typename Precision::Real;
  using Environment = VfpiEnvironment<Precision>;
  using LoadSum = BlockReduction<Combine::sum>;
  /// Whole numbers: of the chunks before this one, and of all.
  using Counts = BlockReduction<Combine::sum, Combine::sum, Combine::sum>;
  enum : int { kSlotsBefore = 0, kRowsBefore = 1, kAllSlots = 2 };
  static constexpr int kSteps = Counts::kSteps;
  static_assert(1 << kSteps == kBlockLanes && kSteps % 2 == 0);

  struct Shared {
    Counts counts;
    LoadSum load;
    /// Of the rows up to the lane's: sums that a step of doubled distance takes from one to the
    /// other.
    std::int32_t slots[2][kBlockLanes], rows[2][kBlockLanes];
    std::int32_t n_contact[kBlockLanes];
  };
  static constexpr int kPlacing = 1 + kSteps, kPhases = 3 + 2 * kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase <= kPlacing) return {kBlockLanes, false};
    return phase < kPhases - 1 ? LoadSum::shape(phase - kPlacing - 1) : PhaseShape{1, false};
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    const Environment& env = this->batch.env[item / this->n_chunk];
    const int chunk = item % this->n_chunk;
    return chunk < env.n_chunk || chunk < item_count(env.n_slot);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / this->n_chunk, chunk = item % this->n_chunk;
    if constexpr (phase == 0) {
      count(e, chunk, lane, &shared, memory);
    } else if constexpr (phase < kPlacing) {
      constexpr int kStep = phase - 1;
      add_lanes<kStep>(shared.slots, lane, memory);
      add_lanes<kStep>(shared.rows, lane, memory);
      if (lane < Counts::shape(kStep).lanes) shared.counts.template run<kStep, Isa>(lane, memory);
    } else if constexpr (phase == kPlacing) {
      place(e, chunk * kBlockLanes + lane, lane, &shared, memory);
    } else if constexpr (phase < kPhases - 1) {
      shared.load.template run<phase - kPlacing - 1, Isa>(lane, memory);
    } else {
      const Environment& env = this->batch.env[e];
      if (chunk < env.n_chunk)
        memory.write(env.partial + kLoad * env.partial_stride() + chunk,
                     shared.load.result(0, memory));
    }
  }

 private:
  template <class Memory>
  NODIA_HD void count(int e, int chunk, int lane, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    double before[2] = {}, all = 0;
    for (int c = lane; c < env.n_chunk; c += kBlockLanes)
      for (const int sum : {kRareSlots, kRareRows}) {
        const double n = memory.read(env.partial + sum * env.partial_stride() + c);
        if (c < chunk) before[sum] += n;
        if (sum == kRareSlots) all += n;
      }
    memory.write(&shared->counts.term[kSlotsBefore][lane], before[kRareSlots]);
    memory.write(&shared->counts.term[kRowsBefore][lane], before[kRareRows]);
    memory.write(&shared->counts.term[kAllSlots][lane], all);

    const DetectionView& near = this->batch.contacts[e].near;
    const int node = this->node_of(e, chunk * kBlockLanes + lane);
    std::int32_t n = 0;
    for (int k = 0; node >= 0 && k < near.n_obstacle; ++k)
      n += this->is_near(near, node * near.n_obstacle + k, memory) ? 1 : 0;
    memory.write(&shared->n_contact[lane], n);
    memory.write(&shared->slots[0][lane], n > 1 ? n : 0);
    memory.write(&shared->rows[0][lane], n > 1 ? 1 : 0);
  }

  template <int step, class Memory>
  NODIA_HD static void add_lanes(std::int32_t (&sum)[2][kBlockLanes], int lane, Memory memory) {
    constexpr int kDistance = 1 << step;
    std::int32_t n = memory.read(&sum[step % 2][lane]);
    if (lane >= kDistance) n += memory.read(&sum[step % 2][lane - kDistance]);
    memory.write(&sum[1 - step % 2][lane], n);
  }

  /// @param row  also the slot of its number
  template <class Memory>
  NODIA_HD void place(int e, int row, int lane, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const auto whole = [&](int sum) {
      return static_cast<std::int32_t>(shared->counts.result(sum, memory));
    };
    if (row >= env.first_virtual_row && row < env.n_slot &&
        row - env.first_virtual_row >= whole(kAllSlots))
      put_no_contact(env, row, memory);
    double load = 0;
    if (row < env.n_chunk * kBlockLanes) {
      const std::int32_t n = memory.read(&shared->n_contact[lane]);
      const std::int32_t end_slot =
          env.first_virtual_row + whole(kSlotsBefore) + memory.read(&shared->slots[0][lane]);
      const std::int32_t end_row = whole(kRowsBefore) + memory.read(&shared->rows[0][lane]);
      if (row < env.first_virtual_row) {
        load = place_row(e, row, n, n == 1 ? row : end_slot - (n > 1 ? n : 0), memory);
        if (n != 1) put_no_contact(env, row, memory);
      }
      list_row(e, row, lane, n, end_slot, end_row, shared, memory);
    }
    memory.write(&shared->load.term[0][lane], load);
  }

  /// The contacts of a row into the slots from `first` on, as far as there are any.
  /// @return  the row's part of EnvironmentFacts::load [N]
  template <class Memory>
  NODIA_HD double place_row(int e, int row, std::int32_t n, std::int32_t first,
                            Memory memory) const {
    const Environment& env = this->batch.env[e];
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    const int node = this->node_of(e, row), n_obstacle = contacts.near.n_obstacle;
    if (node < 0) return 0;
    double load = norm(cast<double>(load_planes<Real>(env.b, row, memory)));
    Mat3d block;
    if (n > 0) block = row_diagonal_block(soft, node, memory);
    const bool fits = first + n <= env.n_slot;
    std::int32_t slot = first;
    for (int k = 0; k < n_obstacle; ++k) {
      const int place = node * n_obstacle + k;
      const bool has_contact = this->is_near(contacts.near, place, memory);
      memory.write(contacts.slot + place, has_contact && fits ? slot : -1);
      if (!has_contact) continue;
      if (fits) {
        const Contact<double> c = contact_at(contacts, soft, node, k, memory);
        const Vec3d d = node_compliance(block, c.R);
        put_contact(env, slot, cast<Real>(c), largest_axis(d) + this->batch.omega,
                    cast<Real>(memory.template load_unpadded_node<double>(contacts.kept, place)),
                    memory);
        load += norm(c.phi) / d.x;
      } else if (slot < env.n_slot) {
        put_no_contact(env, slot, memory);
      }
      ++slot;
    }
    return load;
  }

  /// The row's part of contact_slice, rare and rare_begin. A row whose contacts have not got slots
  /// has none in `rare`, which has room for half as many rows as there are slots.
  template <class Memory>
  NODIA_HD void list_row(int e, int row, int lane, std::int32_t n, std::int32_t end_slot,
                         std::int32_t end_row, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const std::int32_t n_listed = this->batch.contacts[e].rare_capacity / 2;
    if (n > 1 && end_row <= n_listed) {
      const bool fits = end_slot <= env.n_slot;
      memory.write(env.rare + end_row - 1,
                   RareRow{row, fits ? end_slot - n : 0, fits ? end_slot : 0, 0});
    }
    if (row == 0) memory.write(env.rare_begin, 0);
    if (row % kSliceRows != kSliceRows - 1) return;
    const std::int32_t slice = row / kSliceRows;
    memory.write(env.rare_begin + slice + 1, end_row < n_listed ? end_row : n_listed);
    bool has_single = false;
    for (int l = lane - (kSliceRows - 1); l <= lane; ++l)
      has_single = has_single || memory.read(&shared->n_contact[l]) == 1;
    memory.write(env.contact_slice + slice, has_single ? slice * kSliceRows : -1);
  }
};

/// EnvironmentFacts::rows_share_contacts and ::load, SoftContacts::n_rare; an item per environment.
template <class Precision>
struct ContactFacts {
  SoftStepBatch<Precision> batch;

  using Shared = BlockReduction<Combine::sum, Combine::sum, Combine::sum>;
  static_assert(Shared::kCount == kContactSums);
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
      const auto n_rare = static_cast<std::int32_t>(shared.result(kRareSlots, memory));
      memory.write(batch.contacts[e].n_rare, n_rare);
      memory.write(&env.rows_share_contacts, n_rare > 0);
      memory.write(&env.load, n_rare > 0 ? shared.result(kLoad, memory) : 0.0);
    }
  }
};

/// SoftStepBatch::can_be_taken, one item.
template <class Precision>
struct TellWhetherItCanBeTaken : AllEnvironments<TellWhetherItCanBeTaken<Precision>, Precision> {
  template <class Memory>
  NODIA_HD bool holds(int e, Memory memory) const {
    const SoftContacts& contacts = this->batch.contacts[e];
    if (this->batch.is_apart != nullptr && memory.read(this->batch.is_apart) == 0) return false;
    return memory.read(contacts.n_rare) <= contacts.rare_capacity;
  }
  NODIA_HD std::int32_t* told() const { return this->batch.can_be_taken; }
};

/// After launch_near_places.
template <class Launcher, class Precision>
void launch_place_contacts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.n_chunk == 0) return;
  CountContacts<Precision> count;
  count.batch = batch;
  count.n_chunk = batch.n_chunk;
  launcher.launch("count_contacts", count, batch.n_env * count.n_chunk);
  PlaceContacts<Precision> place;
  place.batch = batch;
  place.n_chunk =
      batch.n_chunk * kBlockLanes < batch.n_slot ? item_count(batch.n_slot) : batch.n_chunk;
  launcher.launch("place_contacts", place, batch.n_env * place.n_chunk);
  launcher.launch("contact_facts", ContactFacts<Precision>{batch}, batch.n_env);
  if (batch.can_be_taken != nullptr)
    launcher.launch("can_be_taken", TellWhetherItCanBeTaken<Precision>{{batch}}, 1);
}

}  // namespace nodia

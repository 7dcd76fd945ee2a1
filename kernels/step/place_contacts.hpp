/// Writes contacts into the arrays of the loop (kernels/vfpi/arrays/contacts.hpp), and the lists of
/// rows. The single contact of a row has the index of the row. Contacts of rows with several
/// contacts follow, by row and obstacle. Behind their capacity lie the contacts of coupled rows:
/// first those with obstacles, in the same order, then the pairs.
#pragma once

#include "kernels/launch/lane_scan.hpp"
#include "kernels/step/contact_place.hpp"
#include "kernels/step/count_contacts.hpp"
#include "kernels/step/row_blocks.hpp"

namespace nodia {

/// Writes all contacts except pairs, the lists of rows, and SoftContacts::slot.
template <class Precision, bool with_pairs>
struct PlaceContacts : RowChunkKernel<Precision, with_pairs> {
  using Real = typename Precision::Real;
  using Environment = VfpiEnvironment<Precision>;
  using LoadSum = BlockReduction<Combine::sum>;
  /// Counts over preceding rows.
  enum : int { kSlots = 0, kRows = 1, kCoupledWorld = 2, kEntries = 3 };
  static constexpr int n_before = with_pairs ? 4 : 2;
  /// Column of partial with one of these counts.
  NODIA_HD static int run_of(int k) {
    constexpr int kRuns[] = {kMultiContactSlots, kMultiContactRows, kWorldSlots, kCoupledEntries};
    static_assert(kRuns[kRows] == kRows && kRuns[kCoupledWorld] == kCoupledWorld + 1 &&
                  kRuns[kEntries] == kEntries + 1);
    return k <= kRows ? k : k + 1;
  }
  /// Integer sums over the chunks before this one, and over all chunks.
  using Counts = Sums<with_pairs ? 6 : 3>;
  enum : int { kAllSlots = n_before, kAllWorld = n_before + 1 };
  static constexpr int kSteps = Counts::kSteps;
  static_assert(kSteps == LaneScan::kSteps);

  struct Shared {
    Counts counts;
    LoadSum load;
    LaneScan before[n_before];  ///< over the rows up to the lane's
    std::int32_t n_world[kBlockLanes], n_pair[with_pairs ? kBlockLanes : 1];
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
      for (LaneScan& sum : shared.before) sum.template add<kStep>(lane, memory);
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
  /// First indices of a row's entries.
  struct Begins {
    std::int32_t slot = 0;      ///< index of its first contact with an obstacle
    std::int32_t end_slot = 0;  ///< end of the indices that it may use
    std::int32_t row = 0;       ///< index in `multi_contact`
    std::int32_t entry = 0;
    std::int32_t pair_slot = 0;  ///< index of the environment's first pair
  };

  template <class Memory>
  NODIA_HD void count(int e, int chunk, int lane, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    double before[n_before] = {}, all[n_before] = {};
    for (int c = lane; c < env.n_chunk; c += kBlockLanes)
      for (int k = 0; k < n_before; ++k) {
        const double n = memory.read(env.partial + run_of(k) * env.partial_stride() + c);
        if (c < chunk) before[k] += n;
        all[k] += n;
      }
    for (int k = 0; k < n_before; ++k) memory.write(&shared->counts.term[k][lane], before[k]);
    memory.write(&shared->counts.term[kAllSlots][lane], all[kSlots]);
    if constexpr (with_pairs)
      memory.write(&shared->counts.term[kAllWorld][lane], all[kCoupledWorld]);

    const RowContacts own = this->contacts_of(e, chunk * kBlockLanes + lane, memory);
    memory.write(&shared->n_world[lane], own.n_world);
    shared->before[kSlots].put(lane, own.n_multi_contact_slot(), memory);
    shared->before[kRows].put(lane, own.is_multi_contact() ? 1 : 0, memory);
    if constexpr (with_pairs) {
      memory.write(&shared->n_pair[lane], own.n_pair);
      shared->before[kCoupledWorld].put(lane, own.n_world_slot(), memory);
      shared->before[kEntries].put(lane, own.n_entry(), memory);
    }
  }

  template <class Memory>
  NODIA_HD static RowContacts own_contacts(const Shared& shared, int lane, Memory memory) {
    RowContacts own;
    own.n_world = memory.read(&shared.n_world[lane]);
    if constexpr (with_pairs) own.n_pair = memory.read(&shared.n_pair[lane]);
    return own;
  }

  template <class Memory>
  NODIA_HD static std::int32_t whole(const Shared& shared, int sum, Memory memory) {
    return static_cast<std::int32_t>(shared.counts.result(sum, memory));
  }

  /// @param row  also the index of its single contact
  template <class Memory>
  NODIA_HD void place(int e, int row, int lane, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const ContactPlace put = contact_place<with_pairs>(this->batch, e, memory);
    if (row >= env.first_contact_node_row && row < env.n_slot && !is_used(e, row, *shared, memory))
      put.put_none(env, row, memory);
    double load = 0;
    if (row < env.n_chunk * kBlockLanes) {
      const RowContacts own = own_contacts(*shared, lane, memory);
      const Begins begins = begins_of(e, row, lane, own, *shared, memory);
      if (row < env.first_contact_node_row) {
        load = place_row(e, row, own.n_world, begins, put, memory);
        if (own.is_multi_contact() || own.n_world == 0) put.put_none(env, row, memory);
      }
      if constexpr (with_pairs) load = place_entries(e, row, own, begins, load, memory);
      list_row(e, row, lane, own, begins, shared, memory);
    }
    memory.write(&shared->load.term[0][lane], load);
  }

  /// Returns whether an index behind the single contacts has a contact.
  template <class Memory>
  NODIA_HD bool is_used(int e, std::int32_t slot, const Shared& shared, Memory memory) const {
    const std::int32_t first = this->batch.env[e].first_contact_node_row;
    const std::int32_t in_coupled = slot - first_coupled_slot(first, this->batch.contacts[e]);
    if (in_coupled < 0) return slot - first < whole(shared, kAllSlots, memory);
    if constexpr (with_pairs)
      return in_coupled <
             whole(shared, kAllWorld, memory) + memory.read(&this->batch.pairs.counts[e].n_listed);
    return false;
  }

  template <class Memory>
  NODIA_HD Begins begins_of(int e, int row, int lane, const RowContacts& own, const Shared& shared,
                            Memory memory) const {
    const Environment& env = this->batch.env[e];
    const auto before = [&](int k, std::int32_t n) {
      return whole(shared, k, memory) + shared.before[k].result(lane, memory) - n;
    };
    const std::int32_t coupled =
        first_coupled_slot(env.first_contact_node_row, this->batch.contacts[e]);
    Begins begins;
    begins.row = before(kRows, own.is_multi_contact() ? 1 : 0);
    begins.slot = own.n_world == 1
                      ? row
                      : env.first_contact_node_row + before(kSlots, own.n_multi_contact_slot());
    begins.end_slot = coupled;
    if constexpr (with_pairs) {
      if (own.is_coupled()) {
        begins.slot = coupled + before(kCoupledWorld, own.n_world_slot());
        begins.end_slot = env.n_slot;
      }
      begins.entry = before(kEntries, own.n_entry());
      begins.pair_slot = coupled + whole(shared, kAllWorld, memory);
    }
    return begins;
  }

  /// Writes the contacts of a row with obstacles, as far as indices are available.
  /// @return  the row's contribution to EnvironmentFacts::load [N]
  template <class Memory>
  NODIA_HD double place_row(int e, int row, std::int32_t n, const Begins& begins, ContactPlace put,
                            Memory memory) const {
    const Environment& env = this->batch.env[e];
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    const int node = this->node_of(e, row), n_obstacle = contacts.near.n_obstacle;
    if (node < 0) return 0;
    double load = norm(cast<double>(load_planes<Real>(env.b, row, memory)));
    Mat3d block;
    if (n > 0) block = row_diagonal_block(soft, node, memory);
    const bool fits = begins.slot + n <= begins.end_slot;
    std::int32_t slot = begins.slot;
    for (int k = 0; k < n_obstacle; ++k) {
      const int place = node * n_obstacle + k;
      const bool has_contact = this->is_near(contacts.near, place, memory);
      memory.write(contacts.slot + place, has_contact && fits ? slot : -1);
      if (!has_contact) continue;
      if (fits) {
        const Contact<double> c = contact_at(contacts, soft, node, k, memory);
        const Vec3d d = node_compliance(block, c.R);
        put.compliance = largest_axis(d) + this->batch.omega;
        put.put(env, slot, c, memory.template load_unpadded_node<double>(contacts.kept, place),
                memory);
        load += norm(c.phi) / d.x;
      } else if (slot < begins.end_slot) {
        put.put_none(env, slot, memory);
      }
      ++slot;
    }
    return load;
  }

  /// Writes the row's part of coupled_entry and coupled_count; returns the load from pairs.
  template <class Memory>
  NODIA_HD double place_entries(int e, int row, const RowContacts& own, const Begins& begins,
                                double load, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const PairBatch& pairs = this->batch.pairs;
    memory.write(env.coupled_count + row, own.n_entry());
    if (!own.is_coupled()) return load;
    std::int32_t entry = begins.entry;
    const auto add = [&](std::int32_t slot, int side) {
      if (entry < pairs.room[e].n_coupled_entry)
        memory.write(env.coupled_entry + entry, 2 * slot + side);
      ++entry;
    };
    for (std::int32_t k = 0; k < own.n_world; ++k) add(begins.slot + k, 0);
    const std::int32_t first = memory.read(&pairs.counts[e].first);
    this->for_sides(
        e, row, false,
        [&](std::int32_t p, int side) {
          add(begins.pair_slot + p - first, side);
          const PairContact& pair = pairs.pair[p];
          if (side == 0)
            load += norm(memory.read(&pair.contact.phi)) / memory.read(&pair.compliance).x;
        },
        memory);
    return load;
  }

  /// Writes the row's part of contact_slice, multi_contact and multi_contact_begin. A row whose
  /// contacts have no index has no entry in `multi_contact`, whose capacity is half the number of
  /// contact indices plus two per pair.
  template <class Memory>
  NODIA_HD void list_row(int e, int row, int lane, const RowContacts& own, const Begins& begins,
                         Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    std::int32_t n_listed = this->batch.contacts[e].multi_contact_capacity / 2;
    if constexpr (with_pairs) n_listed += 2 * this->batch.pairs.room[e].n_pair;
    if (own.is_multi_contact() && begins.row < n_listed) {
      MultiContactRow multi_contact{row, begins.entry, begins.entry + own.n_entry(), 1};
      if (!own.is_coupled()) {
        const bool fits = begins.slot + own.n_world <= begins.end_slot;
        multi_contact = {row, fits ? begins.slot : 0, fits ? begins.slot + own.n_world : 0, 0};
      }
      memory.write(env.multi_contact + begins.row, multi_contact);
    }
    if (row == 0) memory.write(env.multi_contact_begin, 0);
    if (row % kSliceRows != kSliceRows - 1) return;
    const std::int32_t slice = row / kSliceRows,
                       end_row = begins.row + (own.is_multi_contact() ? 1 : 0);
    memory.write(env.multi_contact_begin + slice + 1, end_row < n_listed ? end_row : n_listed);
    bool has_single = false;
    for (int l = lane - (kSliceRows - 1); l <= lane; ++l) {
      const RowContacts other = own_contacts(*shared, l, memory);
      has_single = has_single || (other.n_world == 1 && !other.is_coupled());
    }
    memory.write(env.contact_slice + slice, has_single ? slice * kSliceRows : -1);
  }
};

}  // namespace nodia

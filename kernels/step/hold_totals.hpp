/// Forces and moments of attachments at the end of the step, with the bits of the host's sums
/// (host/simulation/attachments.cpp).
#pragma once

#include "kernels/step/end_of_step.hpp"

namespace nodia {

using HoldReduction = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum,
                                     Combine::sum, Combine::sum, Combine::sum, Combine::sum>;

/// Sum of the lanes' HoldSums values.
struct SummedHolds : ReducedTerms<HoldReduction> {
 protected:
  template <class Memory>
  NODIA_HD static void put(const HoldSums& sums, int lane, Shared& shared, Memory memory) {
    for (int axis = 0; axis < 3; ++axis) {
      memory.write(&shared.term[axis][lane], sums.force_N[axis]);
      memory.write(&shared.term[3 + axis][lane], sums.torque_Nm[axis]);
    }
    memory.write(&shared.term[6][lane], sums.work_J);
    memory.write(&shared.term[7][lane], sums.energy_J);
  }
  template <class Memory>
  NODIA_HD static HoldSums total(const Shared& shared, Memory memory) {
    const auto result = [&](int i) { return shared.result(i, memory); };
    return {
        {result(0), result(1), result(2)}, {result(3), result(4), result(5)}, result(6), result(7)};
  }
};

/// Sums over chunks of an attachment's nodes into HoldBatch::chunk_sum, one lane per node: item (e
/// n_attachment + a) n_chunk + c is chunk c of attachment a of environment e.
template <class Precision>
struct HoldSumsOfChunks : SummedHolds {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = env_of(item), a = attachment_of(item);
    const SoftHolds& holds = batch.soft[e].holds;
    return a < holds.n_attachment && batch.holds.is_holding[holds.first + a] != 0 &&
           first_of(item) < holds.begin[a + 1] && reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const int e = env_of(item), k = first_of(item) + lane;
      HoldSums sums;
      if (k < batch.soft[e].holds.begin[attachment_of(item) + 1]) add(e, k, &sums, memory);
      put(sums, lane, shared, memory);
    } else if constexpr (phase < kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const int at = batch.soft[env_of(item)].holds.first + attachment_of(item);
      memory.write(batch.holds.chunk_sum + at * batch.holds.n_chunk + item % batch.holds.n_chunk,
                   total(shared, memory));
    }
  }

 private:
  NODIA_HD int env_of(int item) const {
    return item / batch.holds.n_chunk / batch.holds.n_attachment;
  }
  NODIA_HD int attachment_of(int item) const {
    return item / batch.holds.n_chunk % batch.holds.n_attachment;
  }
  /// Entry of the chunk's first lane.
  NODIA_HD int first_of(int item) const {
    return batch.soft[env_of(item)].holds.begin[attachment_of(item)] +
           item % batch.holds.n_chunk * kBlockLanes;
  }
  template <class Memory>
  NODIA_HD void add(int e, int k, HoldSums* sums, Memory memory) const {
    const SoftRows& soft = batch.soft[e];
    const SoftHolds& holds = soft.holds;
    const Hold& hold = holds.hold[k];
    const int frame = holds.first + hold.attachment;
    const Vec3d x = memory.template load_unpadded_node<double>(soft.x, hold.node) +
                    soft.step.step_s * loop_answer(batch, e, hold.node, memory);
    const int end = *batch.holds.end_slot;
    add_hold(holds.stiffness_N_m[hold.attachment], batch.holds.frames[1 - end][frame],
             batch.holds.frames[end][frame], holds.place[k], x, sums);
  }
};

/// Combines the sums of attachment a into HoldBatch::sum; item e n_attachment + a. Inactive
/// attachments get 0.
template <class Precision>
struct HoldSumsOfAttachments : SummedHolds {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = item / batch.holds.n_attachment;
    return item % batch.holds.n_attachment < batch.soft[e].holds.n_attachment &&
           reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const SoftHolds& holds = batch.soft[item / batch.holds.n_attachment].holds;
    const int a = item % batch.holds.n_attachment, at = holds.first + a;
    if constexpr (phase == 0) {
      const int n =
          batch.holds.is_holding[at] == 0 ? 0 : item_count(holds.begin[a + 1] - holds.begin[a]);
      HoldSums sums;
      for (int c = lane; c < n; c += kBlockLanes)
        sums += memory.read(batch.holds.chunk_sum + at * batch.holds.n_chunk + c);
      put(sums, lane, shared, memory);
    } else if constexpr (phase < kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(batch.holds.sum + at, total(shared, memory));
    }
  }
};

/// Runs after launch_contact_totals while positions are those of the start of the step. Skips
/// environments without a valid end-of-step state.
template <class Launcher, class Precision>
void launch_hold_totals(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const int n_attachment = batch.n_env * batch.holds.n_attachment;
  if (n_attachment == 0) return;
  HoldSumsOfChunks<Precision> chunks;
  chunks.batch = batch;
  launcher.launch("hold_sums_of_chunks", chunks, n_attachment * batch.holds.n_chunk);
  HoldSumsOfAttachments<Precision> attachments;
  attachments.batch = batch;
  launcher.launch("hold_sums_of_attachments", attachments, n_attachment);
}

}  // namespace nodia

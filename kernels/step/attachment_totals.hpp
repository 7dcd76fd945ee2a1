/// Forces and moments of attachments at the end of the step, with the bits of the host's sums
/// (host/simulation/attachments.cpp).
#pragma once

#include "kernels/step/end_of_step.hpp"

namespace nodia {

using AttachmentReduction = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum,
                                           Combine::sum, Combine::sum, Combine::sum, Combine::sum>;

/// Sum of the lanes' AttachmentSums values.
struct SummedAttachments : ReducedTerms<AttachmentReduction> {
 protected:
  template <class Memory>
  NODIA_HD static void put(const AttachmentSums& sums, int lane, Shared& shared, Memory memory) {
    for (int axis = 0; axis < 3; ++axis) {
      memory.write(&shared.term[axis][lane], sums.force_N[axis]);
      memory.write(&shared.term[3 + axis][lane], sums.torque_Nm[axis]);
    }
    memory.write(&shared.term[6][lane], sums.work_J);
    memory.write(&shared.term[7][lane], sums.energy_J);
  }
  template <class Memory>
  NODIA_HD static AttachmentSums total(const Shared& shared, Memory memory) {
    const auto result = [&](int i) { return shared.result(i, memory); };
    return {
        {result(0), result(1), result(2)}, {result(3), result(4), result(5)}, result(6), result(7)};
  }
};

/// Sums over chunks of an attachment's nodes into AttachmentBatch::chunk_sum, one lane per node:
/// item (e n_attachment + a) n_chunk + c is chunk c of attachment a of environment e.
template <class Precision>
struct AttachmentSumsOfChunks : SummedAttachments {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = env_of(item), a = attachment_of(item);
    const SoftAttachments& attachments = batch.soft[e].attachments;
    return a < attachments.n_attachment &&
           batch.attachments.is_attached[attachments.first + a] != 0 &&
           first_of(item) < attachments.begin[a + 1] && reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const int e = env_of(item), k = first_of(item) + lane;
      AttachmentSums sums;
      if (k < batch.soft[e].attachments.begin[attachment_of(item) + 1]) add(e, k, &sums, memory);
      put(sums, lane, shared, memory);
    } else if constexpr (phase < kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const int at = batch.soft[env_of(item)].attachments.first + attachment_of(item);
      memory.write(batch.attachments.chunk_sum + at * batch.attachments.n_chunk +
                       item % batch.attachments.n_chunk,
                   total(shared, memory));
    }
  }

 private:
  NODIA_HD int env_of(int item) const {
    return item / batch.attachments.n_chunk / batch.attachments.n_attachment;
  }
  NODIA_HD int attachment_of(int item) const {
    return item / batch.attachments.n_chunk % batch.attachments.n_attachment;
  }
  /// Entry of the chunk's first lane.
  NODIA_HD int first_of(int item) const {
    return batch.soft[env_of(item)].attachments.begin[attachment_of(item)] +
           item % batch.attachments.n_chunk * kBlockLanes;
  }
  template <class Memory>
  NODIA_HD void add(int e, int k, AttachmentSums* sums, Memory memory) const {
    const SoftRows& soft = batch.soft[e];
    const SoftAttachments& attachments = soft.attachments;
    const AttachedNode& attached_node = attachments.attached_node[k];
    const int frame = attachments.first + attached_node.attachment;
    const Vec3d x = memory.template load_unpadded_node<double>(soft.x, attached_node.node) +
                    soft.step.step_s * loop_solution(batch, e, attached_node.node, memory);
    const int end = *batch.attachments.end_slot;
    add_attached_node(attachments.stiffness_N_m[attached_node.attachment],
                      batch.attachments.frames[1 - end][frame],
                      batch.attachments.frames[end][frame], attachments.place[k], x, sums);
  }
};

/// Combines the sums of attachment a into AttachmentBatch::sum; item e n_attachment + a. Inactive
/// attachments get 0.
template <class Precision>
struct SumsOfAttachments : SummedAttachments {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = item / batch.attachments.n_attachment;
    return item % batch.attachments.n_attachment < batch.soft[e].attachments.n_attachment &&
           reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const SoftAttachments& attachments =
        batch.soft[item / batch.attachments.n_attachment].attachments;
    const int a = item % batch.attachments.n_attachment, at = attachments.first + a;
    if constexpr (phase == 0) {
      const int n = batch.attachments.is_attached[at] == 0
                        ? 0
                        : item_count(attachments.begin[a + 1] - attachments.begin[a]);
      AttachmentSums sums;
      for (int c = lane; c < n; c += kBlockLanes)
        sums += memory.read(batch.attachments.chunk_sum + at * batch.attachments.n_chunk + c);
      put(sums, lane, shared, memory);
    } else if constexpr (phase < kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(batch.attachments.sum + at, total(shared, memory));
    }
  }
};

/// Runs after launch_contact_totals while positions are those of the start of the step. Skips
/// environments without a valid end-of-step state.
template <class Launcher, class Precision>
void launch_attachment_totals(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const int n_attachment = batch.n_env * batch.attachments.n_attachment;
  if (n_attachment == 0) return;
  AttachmentSumsOfChunks<Precision> chunks;
  chunks.batch = batch;
  launcher.launch("attachment_sums_of_chunks", chunks, n_attachment * batch.attachments.n_chunk);
  SumsOfAttachments<Precision> attachments;
  attachments.batch = batch;
  launcher.launch("sums_of_attachments", attachments, n_attachment);
}

}  // namespace nodia

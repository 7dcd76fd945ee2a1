/// Base classes of the V-FPI kernels over chunks of rows.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// Kernel over the chunks of the environments that iterate.
template <class Precision>
struct ChunkKernel {
  using Real = typename Precision::Real;
  using Environment = VfpiEnvironment<Precision>;
  const VfpiBatch<Precision>* batch = nullptr;

  template <class Memory>
  NODIA_HD WorkItem item_of(int item, Memory memory) const {
    return memory.read(&batch->work[item]);
  }
  template <class Memory>
  NODIA_HD const Environment& environment(int item, Memory memory) const {
    return batch->env[item_of(item, memory).env];
  }
  /// First row of the item's chunk.
  template <class Memory>
  NODIA_HD int first_row(int item, Memory memory) const {
    return item_of(item, memory).chunk * kBlockLanes;
  }
};

/// Kernel with one packed phase and no shared memory.
template <class Precision>
struct OnePhaseKernel : ChunkKernel<Precision> {
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }
};

/// Kernel that writes sums or maxima per chunk to VfpiEnvironment::partial, starting with run
/// `first_sum`. The derived kernel fills the terms of its rows in phase 0.
template <class Precision, class Reduction, int first_sum = 0>
struct SummingKernel : ChunkKernel<Precision> {
  using Shared = Reduction;
  static constexpr int kPhases = 1 + Reduction::kSteps;

  static constexpr PhaseShape reduction_shape(int phase) { return Reduction::shape(phase - 1); }

  /// Reduces in the phases after 0.
  template <int phase, class Isa, class Memory>
  NODIA_HD void reduce(int item, int lane, Shared& shared, Memory memory) const {
    this->template run_alike<1, Isa>(item, reduction_shape(phase).lanes, lane, shared, memory);
  }
  static constexpr int n_alike(int phase) { return phase == 1 ? Reduction::kSteps : 1; }
  template <int, class Isa, class Memory>
  NODIA_HD void run_alike(int item, int lanes, int lane, Shared& shared, Memory memory) const {
    shared.template run_at<Isa>(lanes, lane, memory);
    if (lanes > 1) return;
    const WorkItem work = this->item_of(item, memory);
    const auto& env = this->batch->env[work.env];
    for (int i = 0; i < Reduction::kCount; ++i)
      memory.write(env.partial + (first_sum + i) * env.partial_stride() + work.chunk,
                   shared.result(i, memory));
  }
};

/// Decision per environment (kernels/launch/decision.hpp): combines the chunk results of the
/// SummingKernels, then decides in one lane.
template <class Precision, class Reduction, class Derived>
struct DecidingKernel {
  using Environment = VfpiEnvironment<Precision>;
  /// Word of the control. Each lane copies words, because a copy by one lane needs many registers.
  struct Word {
    alignas(8) unsigned char byte[8];
  };
  static constexpr int kWords = sizeof(VfpiControl) / sizeof(Word);
  static_assert(sizeof(VfpiControl) % sizeof(Word) == 0 && kWords <= kBlockLanes);
  struct Shared {
    Reduction reduction;
    Word control[kWords];
  };
  static constexpr int kPhases = 3 + Reduction::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, true};
    if (phase == kPhases - 2) return {1, false};
    if (phase == kPhases - 1) return {kWords, false};
    return Reduction::shape(phase - 1);
  }

  static constexpr int n_alike(int phase) { return phase == 1 ? Reduction::kSteps : 1; }

  const VfpiBatch<Precision>* batch = nullptr;

  template <class Memory>
  NODIA_HD int group_of(int item, Memory memory) const {
    return memory.read(&batch->work[item]).env;
  }
  NODIA_HD int group_size(int group) const { return batch->env[group].n_chunk; }
  NODIA_HD std::int32_t* ticket(int group) const { return &batch->env[group].control->ticket; }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int group, int lane, Shared& shared, Memory memory) const {
    const Environment& env = batch->env[group];
    if constexpr (phase == 0) {
      for (int w = lane; w < lane + Isa::kLanes && w < kWords; ++w)
        memory.write(&shared.control[w],
                     memory.read(reinterpret_cast<const Word*>(env.control) + w));
      shared.reduction.template gather<Isa>(env.partial, env.partial_stride(), lane, memory);
    } else if constexpr (phase < kPhases - 2) {
      shared.reduction.template run<phase - 1, Isa>(lane, memory);
    } else if constexpr (phase == kPhases - 2) {
      double result[Reduction::kCount];
      for (int i = 0; i < Reduction::kCount; ++i) result[i] = shared.reduction.result(i, memory);
      static_cast<const Derived*>(this)->decide(env, reinterpret_cast<VfpiControl*>(shared.control),
                                                result);
    } else {
      memory.write(reinterpret_cast<Word*>(env.control) + lane, memory.read(&shared.control[lane]));
    }
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run_alike(int, int lanes, int lane, Shared& shared, Memory memory) const {
    shared.reduction.template run_at<Isa>(lanes, lane, memory);
  }
};

}  // namespace nodia

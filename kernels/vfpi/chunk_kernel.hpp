/// What the kernels of the V-FPI loop have in common.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/vfpi/batch.hpp"

namespace nodia {

/// A kernel over the chunks of the environments that iterate.
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

/// Of one packed phase that shares nothing.
template <class Precision>
struct OnePhaseKernel : ChunkKernel<Precision> {
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }
};

/// A kernel over chunks that leaves sums (or maxima) of them in VfpiEnvironment::partial, from run
/// `first_sum` on. The derived kernel fills the terms of its rows in phase 0.
template <class Precision, class Reduction, int first_sum = 0>
struct SummingKernel : ChunkKernel<Precision> {
  using Shared = Reduction;
  static constexpr int kPhases = 1 + Reduction::kSteps;

  static constexpr PhaseShape reduction_shape(int phase) { return Reduction::shape(phase - 1); }

  /// Phases after 0.
  template <int phase, class Isa, class Memory>
  NODIA_HD void reduce(int item, int lane, Shared& shared, Memory memory) const {
    shared.template run<phase - 1, Isa>(lane, memory);
    if (phase < kPhases - 1) return;
    const WorkItem work = this->item_of(item, memory);
    const auto& env = this->batch->env[work.env];
    for (int i = 0; i < Reduction::kCount; ++i)
      memory.write(env.partial + (first_sum + i) * env.partial_stride() + work.chunk,
                   shared.result(i, memory));
  }
};

/// A kernel over the environments that iterate: combines what a SummingKernel left per chunk, then
/// decides in one lane.
template <class Precision, class Reduction, class Derived>
struct DecidingKernel {
  using Environment = VfpiEnvironment<Precision>;
  using Shared = Reduction;
  static constexpr int kPhases = 2 + Reduction::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, true};
    if (phase == kPhases - 1) return {1, false};
    return Reduction::shape(phase - 1);
  }

  const VfpiBatch<Precision>* batch = nullptr;

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const Environment& env = batch->env[memory.read(&batch->active[item])];
    if constexpr (phase == 0) {
      shared.template gather<Isa>(env.partial, env.partial_stride(), lane, memory);
    } else if constexpr (phase < kPhases - 1) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      VfpiControl control = memory.read(env.control);
      double result[Reduction::kCount];
      for (int i = 0; i < Reduction::kCount; ++i) result[i] = shared.result(i, memory);
      static_cast<const Derived*>(this)->decide(env, &control, result);
      memory.write(env.control, control);
    }
  }
};

}  // namespace nodia

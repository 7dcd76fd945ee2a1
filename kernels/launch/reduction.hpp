/// Sums and maxima over the lanes of a block, in one order on every backend.
///
///   t_l := t_l (+) t_(l + 128),  l < 128;   then with 64, 32, ..., 1;   the result is t_0
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

enum class Combine : std::uint8_t { sum, max };

/// Combines two values; NaN if an argument is NaN.
template <class P>
NODIA_HD P combine(Combine how, P a, P b) {
  return how == Combine::sum ? a + b : larger_or_nan(a, b);
}

/// kCount values per lane, combined over the block's lanes. A reducing kernel has one in its
/// Shared, fills it in an early phase and then runs kSteps phases of run<step>(). These phases
/// differ only in their lanes: each equals run_at() of its lanes.
template <Combine... how>
struct BlockReduction {
  static constexpr int kCount = sizeof...(how);
  static constexpr int kSteps = 8;  // log2(kBlockLanes)

  alignas(64) double term[kCount][kBlockLanes];

  /// Shape of step 0 .. kSteps - 1.
  static constexpr PhaseShape shape(int step) { return {kBlockLanes >> (step + 1), true}; }

  template <int step, class Isa, class Memory>
  NODIA_HD void run(int lane, Memory memory) {
    this->template run_at<Isa>(kBlockLanes >> (step + 1), lane, memory);
  }
  /// @param lanes  lanes of the step
  template <class Isa, class Memory>
  NODIA_HD void run_at(int lanes, int lane, Memory memory) {
    int i = 0;
    (this->template run_one<how, Isa>(i++, lanes, lane, memory), ...);
  }

  /// Fills the lanes' terms from kCount runs of values in memory, `stride` apart. `stride` is a
  /// multiple of kBlockLanes.
  template <class Isa, class Memory>
  NODIA_HD void gather(const double* value, int stride, int lane, Memory memory) {
    using P = Lanes<double, Isa>;
    P total[kCount];
    for (int i = 0; i < kCount; ++i)
      total[i] = memory.template load<P>(value + static_cast<std::int64_t>(i) * stride + lane);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int k = kBlockLanes; k < stride; k += kBlockLanes) {
      int i = 0;
      ((total[i] = combine(
            how, total[i],
            memory.template load<P>(value + static_cast<std::int64_t>(i) * stride + k + lane)),
        ++i),
       ...);
    }
    for (int i = 0; i < kCount; ++i) memory.store(&term[i][lane], total[i]);
  }

  /// Combined value, for lane 0 after the last step.
  template <class Memory>
  NODIA_HD double result(int i, Memory memory) const {
    return memory.read(&term[i][0]);
  }

 private:
  template <Combine one, class Isa, class Memory>
  NODIA_HD void run_one(int i, int distance, int lane, Memory memory) {
    using P = Lanes<double, Isa>;
    memory.template store<P>(&term[i][lane],
                             combine(one, memory.template load<P>(&term[i][lane]),
                                     memory.template load<P>(&term[i][lane + distance])));
  }
};

}  // namespace nodia

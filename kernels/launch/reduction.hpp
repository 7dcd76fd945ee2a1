/// Sums and maxima over the lanes of a block, in one order on every backend.
///
///   t_l := t_l (+) t_(l + 128),  l < 128;   then with 64, 32, ..., 1;   the result is t_0
#pragma once

#include "kernels/launch/kernel.hpp"

namespace nodia {

enum class Combine : std::uint8_t { sum, max };

/// NaN where any argument is.
NODIA_HD double combine(Combine how, double a, double b) {
  if (how == Combine::sum) return a + b;
  return a >= b || a != a ? a : b;
}

/// kCount values per lane, combined over the block's lanes. A kernel that reduces holds one in its
/// Shared, fills it in an early phase and then runs kSteps phases of step<i>().
template <Combine... how>
struct BlockReduction {
  static constexpr int kCount = sizeof...(how);
  static constexpr int kSteps = 8;  // log2(kBlockLanes)

  alignas(64) double term[kCount][kBlockLanes];

  /// Of step 0 .. kSteps - 1.
  static constexpr PhaseShape shape(int step) { return {kBlockLanes >> (step + 1), true}; }

  template <int step, class Isa, class Memory>
  NODIA_HD void run(int lane, Memory memory) {
    int i = 0;
    constexpr int kDistance = kBlockLanes >> (step + 1);
    (this->template run_one<how, kDistance, Isa>(i++, lane, memory), ...);
  }

  /// The combined value, for lane 0 after the last step.
  template <class Memory>
  NODIA_HD double result(int i, Memory memory) const {
    return memory.read(&term[i][0]);
  }

 private:
  template <Combine one, int distance, class Isa, class Memory>
  NODIA_HD void run_one(int i, int lane, Memory memory) {
    using P = Lanes<double, Isa>;
    const P a = memory.template load<P>(&term[i][lane]);
    const P b = memory.template load<P>(&term[i][lane + distance]);
    P c = b;
    if constexpr (one == Combine::sum) {
      c = a + b;
    } else {
      for (int l = 0; l < Isa::kLanes; ++l)
        set_lane(&c, l, combine(one, lane_of(a, l), lane_of(b, l)));
    }
    memory.template store<P>(&term[i][lane], c);
  }
};

}  // namespace nodia

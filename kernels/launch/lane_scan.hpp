/// Inclusive sums of integers over the lanes of a block.
#pragma once

#include <cstdint>

#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Member of a kernel's Shared. Every lane calls put() in one phase and add<k>() in the k-th of the
/// next kSteps phases; result() is valid in the phases after them.
struct LaneScan {
  static constexpr int kSteps = 8;
  static_assert(1 << kSteps == kBlockLanes && kSteps % 2 == 0);

  std::int32_t sum[2][kBlockLanes];  ///< a step reads one row and writes the other

  template <class Memory>
  NODIA_HD void put(int lane, std::int32_t n, Memory memory) {
    memory.write(&sum[0][lane], n);
  }
  template <int step, class Memory>
  NODIA_HD void add(int lane, Memory memory) {
    constexpr int kDistance = 1 << step;
    std::int32_t n = memory.read(&sum[step % 2][lane]);
    if (lane >= kDistance) n += memory.read(&sum[step % 2][lane - kDistance]);
    memory.write(&sum[1 - step % 2][lane], n);
  }
  /// Sum over the lanes up to this one.
  template <class Memory>
  NODIA_HD std::int32_t result(int lane, Memory memory) const {
    return memory.read(&sum[0][lane]);
  }
};

}  // namespace nodia

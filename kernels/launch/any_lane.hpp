/// Base class of kernels that test whether any lane of a block satisfies a predicate.
#pragma once

#include "kernels/launch/kernel.hpp"

namespace nodia {

/// The derived class has
///
///   bool finds(int item, int lane, Memory memory) const;
///   void tell(int item, bool any, Memory memory) const;    once per item: true if a lane found it
///
/// The kernel is enabled for every item unless Own defines enabled().
template <class Own>
struct AnyLane {
  struct Shared {
    std::int32_t found[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const Own& own = static_cast<const Own&>(*this);
    if constexpr (phase == 0) {
      memory.write(&shared.found[lane], own.finds(item, lane, memory) ? 1 : 0);
    } else {
      bool any = false;
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.found[l]) != 0) any = true;
      own.tell(item, any, memory);
    }
  }
};

}  // namespace nodia

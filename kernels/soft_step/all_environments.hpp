/// A kernel of one item that tells whether something holds of all environments.
#pragma once

#include "kernels/soft_step/soft_contacts.hpp"

namespace nodia {

/// A base for a kernel over SoftStepBatch, Own:
///   bool holds(e, memory)     of environment e
///   std::int32_t* told() const  where 1 is written if it holds of all, else 0
template <class Own, class Precision>
struct AllEnvironments {
  SoftStepBatch<Precision> batch;

  struct Shared {
    std::int32_t holds[kBlockLanes];  ///< of the lane's environments
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    const Own& own = static_cast<const Own&>(*this);
    std::int32_t all = 1;
    if constexpr (phase == 0) {
      for (int e = lane; all != 0 && e < batch.n_env; e += kBlockLanes)
        if (!own.holds(e, memory)) all = 0;
      memory.write(&shared.holds[lane], all);
    } else {
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.holds[l]) == 0) all = 0;
      memory.write(own.told(), all);
    }
  }
};

}  // namespace nodia

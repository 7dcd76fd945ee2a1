/// Base of single-item kernels that decide whether a condition holds for all environments.
#pragma once

#include "kernels/launch/any_lane.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Derives a kernel over SoftStepBatch from class Own, which has
///   bool holds(e, memory)        the condition for environment e
///   std::int32_t* report() const   output: 1 if the condition holds for all environments, else 0
template <class Own, class Precision>
struct AllEnvironments : AnyLane<AllEnvironments<Own, Precision>> {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool finds(int, int lane, Memory memory) const {
    for (int e = lane; e < batch.n_env; e += kBlockLanes)
      if (!own().holds(e, memory)) return true;
    return false;
  }
  template <class Memory>
  NODIA_HD void tell(int, bool any, Memory memory) const {
    memory.write(own().report(), any ? 0 : 1);
  }

 private:
  NODIA_HD const Own& own() const { return static_cast<const Own&>(*this); }
};

}  // namespace nodia

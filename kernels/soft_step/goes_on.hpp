/// Whether the next step may begin before the host has read what is told of a step.
#pragma once

#include "kernels/soft_step/soft_contacts.hpp"

namespace nodia {

/// It may where every contact has got a slot, every environment that does not rest has an end, and
/// every W is the one that was made for it. Behind the other kernels of a step, in one item.
template <class Precision>
struct TellWhetherItGoesOn {
  SoftStepBatch<Precision> batch;
  std::int32_t* goes_on = nullptr;  ///< out, one: 0 or 1

  struct Shared {
    std::int32_t good[kBlockLanes];  ///< all of the lane's environments are
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    std::int32_t good = 1;
    if constexpr (phase == 0) {
      if (batch.has_room != nullptr && memory.read(batch.has_room) == 0) good = 0;
      for (int e = lane; good != 0 && e < batch.n_env; e += kBlockLanes)
        if (!is_good(e, memory)) good = 0;
      memory.write(&shared.good[lane], good);
    } else {
      for (int l = 0; l < kBlockLanes; ++l)
        if (memory.read(&shared.good[l]) == 0) good = 0;
      memory.write(goes_on, good);
    }
  }

 private:
  template <class Memory>
  NODIA_HD bool is_good(int e, Memory memory) const {
    const VfpiControl* control = batch.env[e].control;
    return memory.read(&control->stage) == VfpiControl::Stage::done &&
           memory.read(&control->power_products) == 0 && memory.read(&control->restarts) == 0 &&
           (batch.contacts[e].near.n_node == 0 || memory.read(&batch.end[e].is_reached));
  }
};

}  // namespace nodia

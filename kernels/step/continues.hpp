/// Decides whether the next step may start before the host has read this step's report.
#pragma once

#include "kernels/step/all_environments.hpp"

namespace nodia {

/// The next step may start if this step was accepted, every active environment has a valid end
/// state, and every W is still valid: no environment has contact nodes or had some in the last
/// solve. Runs last in a step, as one item.
template <class Precision>
struct ReportWhetherItContinues : AllEnvironments<ReportWhetherItContinues<Precision>, Precision> {
  std::int32_t* continues = nullptr;  ///< output, one value: 1 if the next step may start, else 0

  template <class Memory>
  NODIA_HD bool holds(int e, Memory memory) const {
    const SoftStepBatch<Precision>& all = this->batch;
    if (all.can_be_taken != nullptr && memory.read(all.can_be_taken) == 0) return false;
    if (all.pairs.capacity > 0) {
      const PairReport report = memory.read(all.pairs.report + e);
      if (report.n_contact_node > 0 || report.n_contact_node_before > 0) return false;
    }
    const VfpiControl* control = all.env[e].control;
    return memory.read(&control->stage) == VfpiControl::Stage::done &&
           memory.read(&control->power_products) == 0 && memory.read(&control->restarts) == 0 &&
           (all.contacts[e].near.n_node == 0 || memory.read(&all.end[e].is_reached));
  }
  NODIA_HD std::int32_t* report() const { return continues; }
};

}  // namespace nodia

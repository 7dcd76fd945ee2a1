/// Writes the soft-soft pairs into the arrays of the loop.
#pragma once

#include "kernels/step/contact_place.hpp"
#include "kernels/step/count_contacts.hpp"

namespace nodia {

/// Writes every pair at its contact index. Runs after ContactFacts.
template <class Precision>
struct PlacePairs : FlatListKernel<PlacePairs<Precision>> {
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(std::int32_t p, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    if (p >= listed_pairs(pairs, memory)) return;
    const int e = environment_of_pair(batch, p, memory);
    const PairCounts counts = memory.read(pairs.counts + e);
    const VfpiEnvironment<Precision>& env = batch.env[e];
    const std::int32_t slot = first_coupled_slot(env.first_contact_node_row, batch.contacts[e]) +
                              counts.n_world_slot + p - counts.first;
    if (counts.n_listed == 0 || slot >= env.n_slot) return;
    const PairContact& pair = pairs.pair[p];
    ContactPlace place = contact_place<true>(batch, e, memory);
    place.compliance = largest_axis(memory.read(&pair.compliance)) + batch.omega;
    for (int side = 0; side < 2; ++side)
      if (memory.read(&pair.side[side].n) > 1) place.softness += 1 / memory.read(&pair.gain[side]);
    place.put(env, slot, memory.read(&pair.contact), memory.read(&pair.lambda), memory);
  }
};

}  // namespace nodia

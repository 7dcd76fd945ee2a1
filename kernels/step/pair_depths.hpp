/// Penetration of soft-soft pairs after the step. The values equal those of
/// ContactFinder::evaluate().
#pragma once

#include "kernels/step/node_sums.hpp"
#include "kernels/step/pair_list.hpp"
#include "kernels/step/pair_side.hpp"

namespace nodia {

/// PairBatch::depth, one item per search: -(gap + t u_n) of the deepest pair, 0 without overlap.
template <class Precision>
struct PairDepths : ReducedTerms<BlockReduction<Combine::max>> {
  using Base = ReducedTerms<BlockReduction<Combine::max>>;
  using typename Base::Shared;
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int search, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      memory.write(&shared.term[0][lane], deepest(search, lane, memory));
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(batch.pairs.depth + search, shared.result(0, memory));
    }
  }

 private:
  /// Deepest of the search's pairs that the lane evaluates [m].
  template <class Memory>
  NODIA_HD double deepest(int search, int lane, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const PairSlots& slots = pairs.paired.pairs.slots[search];
    const std::int32_t begin = first_pair_from(pairs, slots.first, memory),
                       end = first_pair_from(pairs, slots.end(), memory);
    const int e = environment_of(pairs.paired, batch.n_env, search);
    const double t = batch.soft[e].step.step_s;
    double depth = 0;
    for (std::int32_t p = begin + lane; p < end; p += kBlockLanes) {
      const PairContact& pair = memory.read_in_place(pairs.pair + p);
      const Vec3d u = pair.contact.R * relative_velocity(pair, [&](std::int32_t node) {
                        return loop_solution(batch, e, node, memory);
                      });
      depth = larger(-(pair.gap_m + t * u.x), depth);
    }
    return depth;
  }
};

/// Runs after the loop.
template <class Launcher, class Precision>
void launch_pair_depths(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.pairs.paired.searches.n_search == 0) return;
  PairDepths<Precision> kernel;
  kernel.batch = batch;
  launcher.launch("pair_depths", kernel, batch.pairs.paired.searches.n_search);
}

}  // namespace nodia

/// Sums over an environment's soft nodes, chunk by chunk.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Velocity of a node in the loop's solution [m/s].
template <class Precision, class Memory>
NODIA_HD Vec3d loop_solution(const SoftStepBatch<Precision>& batch, int e, int node,
                             Memory memory) {
  using Real = typename Precision::Real;
  const VfpiEnvironment<Precision>& env = batch.env[e];
  return cast<double>(load_state<Real>(env, env.node[memory.read(&env.control->solution)],
                                       batch.contacts[e].row[node], memory));
}

/// Phases of a kernel that fills the terms of a Reduction in phase 0, combines them, and passes the
/// result to lane 0 in phase kLast.
template <class Reduction>
struct ReducedTerms {
  using Shared = Reduction;
  static constexpr int kLast = 1 + Shared::kSteps;
  static constexpr int kPhases = 1 + kLast;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase < kLast ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
};

/// Sums into VfpiEnvironment::partial, one lane per node; chunks beyond the nodes add nothing.
/// Derived has takes(e, memory), true if an environment takes part, and terms(e, node, memory).
template <class Derived, class Precision, class Reduction>
struct NodeSums : ReducedTerms<Reduction> {
  using Base = ReducedTerms<Reduction>;
  using typename Base::Shared;
  struct Terms {
    double value[Shared::kCount] = {};
  };

  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = item / batch.n_chunk;
    return item % batch.n_chunk < batch.env[e].n_chunk && derived().takes(e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / batch.n_chunk, chunk = item % batch.n_chunk;
    if constexpr (phase == 0) {
      Terms terms;
      const int node = chunk * kBlockLanes + lane;
      if (node < batch.contacts[e].near.n_node) terms = derived().terms(e, node, memory);
      for (int i = 0; i < Shared::kCount; ++i) memory.write(&shared.term[i][lane], terms.value[i]);
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const VfpiEnvironment<Precision>& env = batch.env[e];
      for (int i = 0; i < Shared::kCount; ++i)
        memory.write(env.partial + i * env.partial_stride() + chunk, shared.result(i, memory));
    }
  }

 protected:
  template <class Memory>
  NODIA_HD Vec3d solution(int e, int node, Memory memory) const {
    return loop_solution(batch, e, node, memory);
  }

 private:
  NODIA_HD const Derived& derived() const { return *static_cast<const Derived*>(this); }
};

/// Combines the sums of NodeSums, one item per environment. Derived has enabled(), and run() that
/// calls combine() in all phases before kLast.
template <class Precision, class Reduction>
struct NodeTotals : ReducedTerms<Reduction> {
  using Base = ReducedTerms<Reduction>;
  using typename Base::Shared;

  SoftStepBatch<Precision> batch;

  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::shape(phase);
  }

 protected:
  template <int phase, class Isa, class Memory>
  NODIA_HD void combine(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const VfpiEnvironment<Precision>& env = batch.env[e];
      shared.template gather<Isa>(env.partial, env.partial_stride(), lane, memory);
    } else {
      shared.template run<phase - 1, Isa>(lane, memory);
    }
  }
};

}  // namespace nodia

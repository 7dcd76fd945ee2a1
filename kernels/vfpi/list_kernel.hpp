/// Base classes of kernels over lists: rows with two-body contacts, contact nodes, groups.
#pragma once

#include "kernels/vfpi/chunk_kernel.hpp"

namespace nodia {

/// Selects environments in an iteration in phases.
struct InIteration {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment& env, const VfpiControl& control,
                               const VfpiOptions& options) {
    return env.in_phases && control.iterates(options);
  }
};

/// Lanes of an environment, one per row, padding included.
template <class Environment>
NODIA_HD int lane_count(const Environment& env) {
  return env.n_chunk * kBlockLanes;
}

/// The lanes stride over the list. Derived has size(env) and visit(env, control, k, memory).
/// @tparam When  enabled(env, control, options) selects the environments
template <class Precision, class Derived, class When = InIteration>
struct ListKernel : ChunkKernel<Precision> {
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return When::enabled(env, memory.read(env.control), this->batch->options);
  }

  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const auto& env = this->environment(item, memory);
    const VfpiControl& control = memory.read_members(env.control);
    const auto& derived = *static_cast<const Derived*>(this);
    for (int k = this->first_row(item, memory) + lane; k < derived.size(env); k += lane_count(env))
      derived.visit(env, control, k, memory);
  }
};

/// One lane per row. Derived has visit(env, control, row, memory).
template <class Precision, class Derived, class When = InIteration>
struct RowKernel : ListKernel<Precision, Derived, When> {
  template <class Environment>
  NODIA_HD int size(const Environment& env) const {
    return lane_count(env);
  }
};

}  // namespace nodia

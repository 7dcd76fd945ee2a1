/// Kernel that executes the vector copies of a test: best solution, reference.
#pragma once

#include "kernels/vfpi/chunk_kernel.hpp"

namespace nodia {

template <class Precision>
struct CopyBest : OnePhaseKernel<Precision> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const VfpiControl control = memory.read(this->environment(item, memory).control);
    return control.keep_best || control.return_to_best ||
           (Environment::kIncrement && control.move_reference);
  }

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const Environment& env = this->environment(item, memory);
    const VfpiControl& control = memory.read_members(env.control);
    const int first = this->first_row(item, memory) + lane;
    if (control.keep_best)
      store_planes<P>(env.best, first,
                      load_state<P>(env, env.node[control.solution], first, memory), memory);
    if (control.return_to_best) {
      const Vec3<P> best = load_planes<P>(env.best, first, memory);
      store_state<P>(env, env.node[control.y], first, best, memory);
      store_state<P>(env, env.node[control.v_prev], first, best, memory);
      store_state<P>(env, env.node[control.v_next], first, best, memory);
      store_state<P>(env, env.node[control.solution], first, best, memory);
    }
    for (int slot = first; slot < env.n_slot; slot += env.n_chunk * kBlockLanes) {
      if (control.keep_best) copy<P>(env.lambda, env.best_lambda, slot, memory);
      if (control.return_to_best) copy<P>(env.best_lambda, env.lambda, slot, memory);
    }
    if constexpr (Environment::kIncrement) {
      if (control.move_reference && !control.return_to_best) {
        store_planes<P>(env.reference, first,
                        load_state<P>(env, env.node[control.solution], first, memory), memory);
        store_planes<P>(env.reference_gradient, first, load_planes<P>(env.gradient, first, memory),
                        memory);
      }
      if (!control.move_reference && !control.return_to_best) return;
      using F = Lanes<typename Precision::Matrix, Isa>;
      const Vec3<P> increment = load_state<P>(env, env.node[control.y], first, memory) -
                                load_planes<P>(env.reference, first, memory);
      memory.template store_node<F>(env.increment[control.increment], first, convert<F>(increment));
    }
  }

 private:
  template <class P, class Memory>
  NODIA_HD static void copy(const Real* from, Real* to, int first, Memory memory) {
    memory.template store_node<P>(to, first, memory.template load_node<P>(from, first));
  }
};

}  // namespace nodia

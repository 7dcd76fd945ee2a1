/// Kernels over elements of environments side by side.
#pragma once

#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Over chunks of kBlockLanes elements of every environment: item e n_chunk + c is chunk c of
/// environment e. Derived has size(environment) and visit(environment, k, memory).
template <class Derived, class Environment>
struct ElementKernel {
  const Environment* environment = nullptr;
  int n_chunk = 1;  ///< of the largest environment

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const Environment& own = environment[item / n_chunk];
    const int k = item % n_chunk * kBlockLanes + lane;
    if (k < Derived::size(own)) Derived::visit(own, k, memory);
  }
};

/// The same in packs: visit<Isa>(environment, k, memory) takes Isa::kLanes elements from k on. What
/// it reads and writes has room for whole packs.
template <class Derived, class Environment>
struct PackedElementKernel {
  const Environment* environment = nullptr;
  int n_chunk = 1;  ///< of the largest environment

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const Environment& own = environment[item / n_chunk];
    const int k = item % n_chunk * kBlockLanes + lane;
    if (k < Derived::size(own)) Derived::template visit<Isa>(own, k, memory);
  }
};

/// @param n  the most elements that an environment has
template <class Launcher, class Kernel, class Environment>
void launch_elements(Launcher&& launcher, const char* name, Kernel kernel,
                     const Environment* environment, int n_env, int n) {
  kernel.environment = environment;
  kernel.n_chunk = item_count(n);
  if (n > 0) launcher.launch(name, kernel, n_env * kernel.n_chunk);
}

}  // namespace nodia

/// Base classes of kernels over elements of all environments of a batch.
#pragma once

#include "kernels/launch/kernel.hpp"

namespace nodia {

/// One lane per element, in chunks of kBlockLanes elements of every environment: item e n_chunk + c
/// is chunk c of environment e. Derived has visit(e, k, memory), where k may exceed the
/// environment's elements.
template <class Derived>
struct EnvironmentKernel {
  int n_chunk = 1;  ///< chunks of the largest environment

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    static_cast<const Derived*>(this)->visit(item / n_chunk, item % n_chunk * kBlockLanes + lane,
                                             memory);
  }
};

/// Kernel over the elements of an array of environments. Derived has size(environment) and
/// visit(environment, k, memory).
template <class Derived, class Environment>
struct ElementKernel : EnvironmentKernel<ElementKernel<Derived, Environment>> {
  const Environment* environment = nullptr;

  template <class Memory>
  NODIA_HD void visit(int e, int k, Memory memory) const {
    const Environment& own = environment[e];
    if (k < Derived::size(own)) Derived::visit(own, k, memory);
  }
};

/// Packed version: visit<Isa>(environment, k, memory) processes Isa::kLanes elements from k on. Its
/// arrays are padded to whole packs.
template <class Derived, class Environment>
struct PackedElementKernel {
  const Environment* environment = nullptr;
  int n_chunk = 1;  ///< chunks of the largest environment

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

/// One lane per element of a list, in chunks of kBlockLanes. Derived has visit(k, memory).
template <class Derived>
struct FlatListKernel {
  int n = 0;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const int k = item * kBlockLanes + lane;
    if (k < n) static_cast<const Derived*>(this)->visit(k, memory);
  }
};

/// Launches a kernel over environments. @param n  largest number of elements of an environment
template <class Launcher, class Kernel>
void launch_environments(Launcher&& launcher, const char* name, Kernel kernel, int n_env, int n) {
  kernel.n_chunk = item_count(n);
  if (n > 0) launcher.launch(name, kernel, n_env * kernel.n_chunk);
}
template <class Launcher, class Kernel, class Environment>
void launch_elements(Launcher&& launcher, const char* name, Kernel kernel,
                     const Environment* environment, int n_env, int n) {
  kernel.environment = environment;
  launch_environments(launcher, name, kernel, n_env, n);
}

template <class Launcher, class Kernel>
void launch_list(Launcher&& launcher, const char* name, Kernel kernel, int n) {
  kernel.n = n;
  if (n > 0) launcher.launch(name, kernel, item_count(n));
}

}  // namespace nodia

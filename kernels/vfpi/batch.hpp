/// Batch of environments of the V-FPI loop, as kernels receive it. Kernels are templates over the
/// environment, which is complete once all preconditioner blocks are known (environment.hpp).
#pragma once

#include "kernels/vfpi/arrays/contacts.hpp"

namespace nodia {

template <class Precision>
struct VfpiEnvironment;

/// Loads rows of VfpiEnvironment::node.
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> load_state(const VfpiEnvironment<Precision>&, const Scalar<P>* v, int row,
                            Memory memory) {
  if constexpr (kHasIncrement<Precision>)
    return load_planes<P>(v, row, memory);
  else
    return memory.template load_node<P>(v, row);
}
template <class P, class Precision, class Memory>
NODIA_HD void store_state(const VfpiEnvironment<Precision>&, Scalar<P>* v, int row, Vec3<P> value,
                          Memory memory) {
  if constexpr (kHasIncrement<Precision>)
    store_planes<P>(v, row, value, memory);
  else
    memory.template store_node<P>(v, row, value);
}

/// One chunk of an environment.
struct WorkItem {
  std::int32_t env = 0, chunk = 0;
};

/// Environments and the queue of iterating ones. Kernels over chunks read items of `work`;
/// decisions read the environments.
template <class Precision>
struct VfpiBatch {
  VfpiOptions options;
  int n_env = 0;
  int capacity = 0;  ///< environments that iterate at the same time; the others wait
  const VfpiEnvironment<Precision>* env = nullptr;
  WorkItem* work = nullptr;  ///< [sum of n_chunk]
  VfpiQueue* queue = nullptr;
};

}  // namespace nodia

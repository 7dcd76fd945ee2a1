/// What the kernels of the V-FPI loop read and write: one environment, and a batch of them.
#pragma once

#include "kernels/vfpi/arrays/body_blocks.hpp"
#include "kernels/vfpi/arrays/chains.hpp"
#include "kernels/vfpi/arrays/contacts.hpp"
#include "kernels/vfpi/arrays/rows.hpp"
#include "kernels/vfpi/arrays/ties.hpp"

namespace nodia {

/// All arrays of the loop, group by group.
template <class Precision, class Space>
struct LoopArrays : RowLists<Space>,
                    RowValues<Precision, Space>,
                    ContactLists<Space>,
                    ContactValues<Precision, Space>,
                    TieLists<Space>,
                    TieValues<Precision, Space>,
                    BodyBlocks<Space>,
                    Chains<Space> {
  template <class F, class... Arrays>
  static void each(const F& f, Arrays&... arrays) {
    RowLists<Space>::each(f, arrays...);
    RowValues<Precision, Space>::each(f, arrays...);
    ContactLists<Space>::each(f, arrays...);
    ContactValues<Precision, Space>::each(f, arrays...);
    TieLists<Space>::each(f, arrays...);
    TieValues<Precision, Space>::each(f, arrays...);
    BodyBlocks<Space>::each(f, arrays...);
    Chains<Space>::each(f, arrays...);
  }
};

struct LoopCounts : RowCounts, ContactCounts, TieCounts, BodyBlockCounts, ChainCounts {};
struct LoopOffsets : RowOffsets, ContactOffsets, TieOffsets, BodyBlockOffsets, ChainOffsets {};

/// What is known of an environment beside its arrays: set by the host for every problem, copied
/// whole.
struct EnvironmentFacts {
  bool cancel_bias = false;  ///< math.md section 4b; without it virtual nodes are as published
  bool in_phases = false;    ///< iterates phase by phase: coupled contacts, parts of W, or
                             ///< Barzilai-Borwein
  bool several = false;      ///< some row is in several contacts or virtual, so contact errors are
                             ///< measured
  double load = 0;           ///< sum |b_i| + sum |phi_m| / d_m [N], see kUnboundedForce
  double smallest_mass_rate = 0;  ///< min m_i/(theta t), below sigma_min(A) [kg/s]; 0: unknown
};

template <class Precision>
struct VfpiEnvironment : LoopCounts, EnvironmentFacts, LoopArrays<Precision, Views> {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  static constexpr bool kDifference = std::is_same_v<Matrix, float>;
  static constexpr bool kIncrement = kHasIncrement<Precision>;

  const double* block_value = nullptr;  ///< the environment's part of A, block_csr.hpp's layout

  NODIA_HD SlicedPatternView pattern() const {
    return {this->slice_begin, this->column, this->block};
  }
};

/// Rows of VfpiEnvironment::node.
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> load_state(const VfpiEnvironment<Precision>&, const Scalar<P>* v, int row,
                            Memory memory) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    return load_planes<P>(v, row, memory);
  else
    return memory.template load_node<P>(v, row);
}
template <class P, class Precision, class Memory>
NODIA_HD void store_state(const VfpiEnvironment<Precision>&, Scalar<P>* v, int row, Vec3<P> value,
                          Memory memory) {
  if constexpr (VfpiEnvironment<Precision>::kIncrement)
    store_planes<P>(v, row, value, memory);
  else
    memory.template store_node<P>(v, row, value);
}

/// A chunk of an environment.
struct WorkItem {
  std::int32_t env = 0, chunk = 0;
};

/// Environments and the queue of those that iterate. Kernels over chunks take items of `work`,
/// kernels over environments take items of `active`.
template <class Precision>
struct VfpiBatch {
  VfpiOptions options;
  int n_env = 0;
  int capacity = 0;  ///< environments that iterate at a time; the others wait for one to finish
  const VfpiEnvironment<Precision>* env = nullptr;
  WorkItem* work = nullptr;        ///< [sum of n_chunk]
  std::int32_t* active = nullptr;  ///< [n_env] environments that iterate
  VfpiQueue* queue = nullptr;
};

}  // namespace nodia

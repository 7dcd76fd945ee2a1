/// Interface of preconditioner blocks: terms of W and A beyond the sliced matrix and one value per
/// row, on some rows of an environment. One file holds the arrays and kernels of a block type, and
///
///   struct XPart : PartOfW {
///     using Counts = ...;  using Offsets = ...;           sizes and offsets of an environment
///     template <class Precision, class Space> using Arrays = ...;      see kernels/vfpi/arrays
///     static bool present(const VfpiEnvironment<Precision>&);
///     the hooks that it needs
///   };
///
/// The bodies of prepare and fill are in host/solvers/cond/w. w/parts.hpp lists the block types and
/// defines the order of the hooks. Hooks that launch are called if some environment has the block.
#pragma once

#include "kernels/vfpi/list_kernel.hpp"

namespace nodia {

struct HostMemory;  ///< host/step/loop_arrays.hpp
struct PartSetUp;   ///< host/solvers/cond/w/set_up.hpp

struct PartOfW {
  /// On the host, for every problem: sizes and offsets of all environments, sizes of the lists.
  static void prepare(PartSetUp&, void*) {}
  /// On the host, after prepare: lists and values of one environment; called concurrently.
  static void fill(const PartSetUp&, int, void*) {}

  // Kernel code of an iteration and its test. Row hooks are called in the lane of every row,
  // padding included. Element hooks are called in every lane, for the elements `first`, `first` +
  // lane_count(env), ... of the block's lists.

  /// True if the block adds terms to A; only then the hooks of this group are called.
  static constexpr bool kAddsToA = false;
  /// gradient := A y - b of a row without blocks in A. Does not read the gradient.
  template <class Environment, class Memory>
  NODIA_HD static void own_gradient(const Environment&, const VfpiControl&, int, Memory) {}
  /// gradient += terms of the block, on rows of the chunk of `row`. Runs one launch later.
  template <class Environment, class Memory>
  NODIA_HD static void add_gradient(const Environment&, int, Memory) {}
  /// Prepares a measurement of the solution (element hook).
  template <class Environment, class Memory>
  NODIA_HD static void measure(const Environment&, const VfpiControl&, int, Memory) {}
  /// Executes the commands of a test on the chunk of `row`, after the commands on the rows of A.
  template <class Environment, class Memory>
  NODIA_HD static void after_test(const Environment&, const VfpiControl&, int, Memory) {}

  /// v* = v** = y - W gradient on the block's rows (element hook), which have no contacts. The
  /// gradient, and v* by each row's own w, are available. Chains use the kernel ChainStep instead.
  template <class Environment, class Memory>
  NODIA_HD static void step(const Environment&, const VfpiControl&, int, Memory) {}

  // Kernels before the first iteration, launched through the schedule `s`.

  /// w_unguarded of the block's rows, after that of all rows by their blocks of A.
  template <class Schedule>
  static void unguarded(Schedule&) {}
  /// Terms that the block adds to x.Ax of the power iteration, and to x.W^-1 x beyond the rows' own
  /// w. Kernel code: elements `first`, `first` + `stride`, ... of the block.
  /// @param sums  x.Ax of point constraints, x.Ax - x.W^-1 x of blocks
  template <class Environment, class Memory>
  NODIA_HD static void add_power_sums(const Environment&, int, int, double*, Memory) {}
  /// power_product += terms that the block adds to A x.
  template <class Schedule>
  static void power_product(Schedule&) {}
  /// power := W power_product on the block's rows, scaled, after that of all rows by their own w.
  template <class Schedule>
  static void power(Schedule&) {}
};

/// x(row) of the power iteration, in double precision; for add_power_sums.
template <class Precision, class Memory>
NODIA_HD auto power_vector(const VfpiEnvironment<Precision>& env, Memory memory) {
  return [&env, memory](int row) {
    return cast<double>(memory.template load_node<typename Precision::Real>(env.power, row));
  };
}

/// Selects environments with new W.
struct WithNewW {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return control.new_w;
  }
};
struct InPowerIteration {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return control.power_products > 0;
  }
};
struct InPowerUpdate {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return control.new_w && control.power_scale > 0;
  }
};
/// Selects environments in a measurement of the solution.
struct InMeasurement {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return is_measured(control);
  }
};
/// Selects environments whose test has commands for the preconditioner blocks.
struct WithOrders {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return control.move_bias || control.fall_back;
  }
};

}  // namespace nodia

/// Parts of W: what W and A are beside the sliced matrix and one value a row. A part belongs to
/// some rows of an environment. All of it stands in one file: its arrays, its kernels, and
///
///   struct XPart : PartOfW {
///     using Counts = ...;  using Offsets = ...;           sizes of an environment, where it begins
///     template <class Precision, class Space> using Arrays = ...;      as kernels/vfpi/arrays
///     static bool present(const VfpiEnvironment<Precision>&);
///     whichever hooks it needs
///   };
///
/// but for the bodies of prepare and fill, its set-up, which stand in host/solvers/cond/w. A part
/// is listed in w/parts.hpp. Hooks are called in the order of the list, those that launch where an
/// environment of the batch has the part.
#pragma once

#include "kernels/vfpi/list_kernel.hpp"

namespace nodia {

struct HostMemory;  ///< host/step/loop_arrays.hpp
struct PartSetUp;   ///< host/solvers/cond/w/set_up.hpp

struct PartOfW {
  /// On the host, for every problem: sizes and offsets of all environments, sizes of the lists.
  static void prepare(PartSetUp&, void*) {}
  /// On the host, after prepare: lists and values of one environment, many at the same time.
  static void fill(const PartSetUp&, int, void*) {}

  // Kernel code in an iteration and its test. A hook of a row is called in the lane of every row of
  // the environment, padding included; one of elements in every lane, for the elements `first`,
  // `first` + lane_count(env), ... of the part's lists.

  /// Whether A is more than its sliced matrix by the part, whose hooks of this group are called
  /// then.
  static constexpr bool kAddsToA = false;
  /// gradient := A y - b of a row that A has no blocks for. Reads nothing of the gradient.
  template <class Environment, class Memory>
  NODIA_HD static void own_gradient(const Environment&, const VfpiControl&, int, Memory) {}
  /// gradient += what the part adds, on rows of the chunk that `row` is in. A launch later.
  template <class Environment, class Memory>
  NODIA_HD static void add_gradient(const Environment&, int, Memory) {}
  /// What a measurement of the answer needs, elements.
  template <class Environment, class Memory>
  NODIA_HD static void measure(const Environment&, const VfpiControl&, int, Memory) {}
  /// What a test has ordered of the chunk that `row` is in, after its orders to the rows of A.
  template <class Environment, class Memory>
  NODIA_HD static void after_test(const Environment&, const VfpiControl&, int, Memory) {}

  /// v* = v** = y - W gradient of the part's rows, elements, which touch nothing; with gradient and
  /// v* of all rows by their own w. That of chains is a kernel of the same launch (ChainStep).
  template <class Environment, class Memory>
  NODIA_HD static void step(const Environment&, const VfpiControl&, int, Memory) {}

  // Kernels before the first iteration, launched through the schedule `s`.

  /// w_unguarded of the part's rows, after that of all rows by their blocks.
  template <class Schedule>
  static void unguarded(Schedule&) {}
  /// What the part adds to the power iteration's x.Ax, and to x.W^-1 x beyond its rows' own w.
  /// Kernel code: elements `first`, `first` + `stride`, ... of the part.
  /// @param sums  x.Ax of ties, x.Ax - x.W^-1 x of blocks
  template <class Environment, class Memory>
  NODIA_HD static void add_power_sums(const Environment&, int, int, double*, Memory) {}
  /// power_product += what the part adds to A x.
  template <class Schedule>
  static void power_product(Schedule&) {}
  /// power := W power_product of the part's rows, scaled, after that of all rows by their own w.
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

/// Which environments a part's kernel takes, by what is under way.
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
/// In a measurement of the answer.
struct InMeasurement {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return is_measured(control);
  }
};
/// With a test's orders to parts.
struct WithOrders {
  template <class Environment>
  NODIA_HD static bool enabled(const Environment&, const VfpiControl& control, const VfpiOptions&) {
    return control.move_bias || control.fall_back;
  }
};

}  // namespace nodia

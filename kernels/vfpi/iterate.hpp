/// V-FPI iteration in one pass, without two-body contacts (Lee et al., (20)-(25), Alg. 2, (38)).
///
///   v*     = y - W (A y - b)                            (20)
///   v**    = v* + W Jc^T lambda                         Alg. 2 and (24), contact_solve.hpp
///   v_next                                              (38), acceleration.hpp
#pragma once

#include "kernels/vfpi/contact_solve.hpp"
#include "kernels/vfpi/fill_matrix.hpp"

namespace nodia {

/// Mixed precision: A v - b of the lanes' rows from the increment of v over the reference [N].
template <class Isa, int together = 4, class Precision, class Memory>
NODIA_HD Vec3<Lanes<typename Precision::Real, Isa>> increment_gradient(
    const VfpiEnvironment<Precision>& env, const typename Precision::Matrix* increment, int row,
    Memory memory) {
  using P = Lanes<typename Precision::Real, Isa>;
  using F = Lanes<typename Precision::Matrix, Isa>;
  const Vec3<F> product =
      sliced_row_product<F, true, together>(env.pattern(), env.matrix, increment, row, memory);
  return convert<P>(product) + load_planes<P>(env.reference_gradient, row, memory);
}

/// A y - b of the lanes' rows with the iteration's matrix [N].
template <class Isa, int together = 4, class Precision, class Memory>
NODIA_HD Vec3<Lanes<typename Precision::Real, Isa>> gradient(const VfpiEnvironment<Precision>& env,
                                                             const VfpiControl& control, int row,
                                                             Memory memory) {
  using P = Lanes<typename Precision::Real, Isa>;
  using Environment = VfpiEnvironment<Precision>;
  if constexpr (Environment::kIncrement) {
    return increment_gradient<Isa, together>(env, env.increment[control.increment], row, memory);
  } else {
    return sliced_row_product<P, Environment::kDifference, together>(
               env.pattern(), env.matrix, env.node[control.y], row, memory) -
           load_planes<P>(env.b, row, memory);
  }
}

/// Mixed precision: stores v** of the lanes' rows and its increment for the products of a test.
template <class Isa, class Precision, class Memory>
NODIA_HD void store_tested(const VfpiEnvironment<Precision>& env, int row,
                           Vec3<Lanes<typename Precision::Real, Isa>> v, Memory memory) {
  using P = Lanes<typename Precision::Real, Isa>;
  using F = Lanes<typename Precision::Matrix, Isa>;
  memory.template store_node<P>(env.tested, row, v);
  memory.template store_node<F>(env.tested_increment, row,
                                convert<F>(v - load_planes<P>(env.reference, row, memory)));
}

/// Computes and stores v_next of the lanes' rows, and their contributions to the two sums.
/// @param step_squared   |v_next - y|^2 [m^2/s^2]
template <class Isa, class Precision, class Memory>
NODIA_HD void extrapolate(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                          const VfpiOptions& options, int row,
                          Vec3<Lanes<typename Precision::Real, Isa>> y,
                          Vec3<Lanes<typename Precision::Real, Isa>> v,
                          Lanes<typename Precision::Real, Isa> w, Lanes<double, Isa>* step_squared,
                          Lanes<double, Isa>* restart, Memory memory) {
  using Real = typename Precision::Real;
  using P = Lanes<Real, Isa>;
  using D = Lanes<double, Isa>;
  const Extrapolation& e = control.extrapolation;
  Vec3<P> before = v;
  if (reads_previous(e.kind)) before = load_state<P>(env, env.node[control.v_prev], row, memory);
  const Vec3<P> next = extrapolated(e, options.under_relaxation, y, v, before);
  *restart = restart_share<D>(e, y, v, before, w);
  store_state<P>(env, env.node[control.v_next], row, next, memory);
  if constexpr (VfpiEnvironment<Precision>::kIncrement) {
    using F = Lanes<typename Precision::Matrix, Isa>;
    const Vec3<P> increment = next - load_planes<P>(env.reference, row, memory);
    memory.template store_node<F>(env.increment[1 - control.increment], row, convert<F>(increment));
  }
  *step_squared = squared_norm(convert<D>(next - y));
}

using IterationSums = BlockReduction<Combine::sum, Combine::sum>;

/// Complete iteration of the environments that iterate in one pass.
/// @tparam contacts  contact case of all these environments
template <class Precision, ContactCase contacts>
struct Iterate : SummingKernel<Precision, IterationSums> {
  using Base = SummingKernel<Precision, IterationSums>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  bool last = false;  ///< a residual test follows

  static constexpr bool kCommon = contacts == ContactCase::common;
  static constexpr int kLeastResidentBlocks =
      kCommon && std::is_same_v<Real, float> ? kProductResidentBlocks<float> : 0;
  /// Blocks that sliced_row_product processes together, limited by registers and 24 kB of code.
  static constexpr int kTogether = kCommon
                                       ? (std::is_same_v<typename Precision::Matrix, float> ? 2 : 3)
                                       : (kHasIncrement<Precision> ? 1 : 2);

  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return !env.in_phases && memory.read(env.control).iterates(this->batch->options);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      using P = Lanes<Real, Isa>;
      const auto& env = this->environment(item, memory);
      const VfpiOptions& options = this->batch->options;
      const VfpiControl& control = memory.read_members(env.control);
      const int row = this->first_row(item, memory) + lane;
      // v** and lambda are needed at a possible end of the loop; v** also as the next v_prev.
      const bool tested = control.is_tested_next(options, last);
      const bool store = tested || options.stop == StopRule::paper;

      const std::int32_t first_slot = first_contact_slot(env, row);
      const P w = memory.template load<P>(env.w + row);
      const Vec3<P> y = load_state<P>(env, env.node[control.y], row, memory);
      const Vec3<P> v_star = y - w * gradient<Isa, kTogether>(env, control, row, memory);
      const Vec3<P> v =
          solve_world_contacts<contacts>(env, options, row, first_slot, w, v_star, store, memory);
      if (store || keeps_projected(control.extrapolation.kind))
        store_state<P>(env, env.node[control.projected], row, v, memory);
      if constexpr (VfpiEnvironment<Precision>::kIncrement)
        if (tested) store_tested<Isa>(env, row, v, memory);
      Lanes<double, Isa> step_squared, restart;
      // Reads the control late, because it would occupy registers that the product's loads need.
      extrapolate<Isa>(env, memory.read_members(env.control), options, row, y, v, w, &step_squared,
                       &restart, memory);
      memory.store(&shared.term[0][lane], step_squared);
      memory.store(&shared.term[1][lane], restart);
    }
  }
};

/// Decision after an iteration.
template <class Precision>
struct IterationDecision : DecidingKernel<Precision, IterationSums, IterationDecision<Precision>> {
  bool last = false;

  template <class Memory>
  NODIA_HD bool enabled(int group, Memory memory) const {
    return memory.read(this->batch->env[group].control).iterates(this->batch->options);
  }
  NODIA_HD void decide(const VfpiEnvironment<Precision>&, VfpiControl* c, const double* sum) const {
    decide_after_iteration(c, this->batch->options, sum[0], sum[1], last);
  }
};

}  // namespace nodia

/// V-FPI iteration in several kernels, because two-body contacts need v* of both rows and
/// Barzilai-Borwein needs sums over the gradient. Kernels end where rows need other chunks:
///
///   Gradient, and the blocks' own rows         needs y of all rows
///   gradient terms of the blocks               needs the gradient of the blocks' own rows
///     Barzilai-Borwein: alpha                  needs sums over the gradient
///   WorldContacts                              needs its own row only
///   CoupledContacts, and steps of the blocks   need v* + W Jc^T lambda and gradient of others
///   Accelerate                                 needs lambda of two-body contacts
///
/// Environments of the batch that iterate in one pass run in the launch of Accelerate.
///
/// Two-body contacts are solved simultaneously with gamma_m = c_i w_i + c_j w_j, c the number of
/// contacts of a row; for one contact per row this is gamma of (25). Invertible contact adds omega.
#pragma once

#include "kernels/vfpi/iterate.hpp"
#include "kernels/vfpi/w/parts.hpp"

namespace nodia {

/// Kernel over chunks of the environments that iterate in phases.
template <class Precision, class Base>
struct PhaseKernel : Base {
  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return InIteration::enabled(env, memory.read(env.control), this->batch->options);
  }
};

/// gradient := A y - b [N]. Contact nodes have no blocks in A; their gradient becomes zero.
template <class Precision>
struct Gradient : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Real = typename Precision::Real;
  static constexpr int kLeastResidentBlocks = kProductResidentBlocks<typename Precision::Matrix>;

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    const Vec3<P> g = gradient<Isa>(env, memory.read_members(env.control), row, memory);
    store_planes<P>(env.gradient, row, g, memory);
  }
};

using CurvatureSums = BlockReduction<Combine::sum, Combine::sum, Combine::sum>;

/// Sums of the Barzilai-Borwein rule: s = v^l - v^(l-1), z = A s,   s.z,  s.W^-1 s,  z.W z.
template <class Precision>
struct Curvature : PhaseKernel<Precision, SummingKernel<Precision, CurvatureSums>> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  using Base = SummingKernel<Precision, CurvatureSums>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      using P = Lanes<Real, Isa>;
      using D = Lanes<double, Isa>;
      const auto& env = this->environment(item, memory);
      const VfpiControl& control = memory.read_members(env.control);
      const int row = this->first_row(item, memory) + lane;
      const Vec3<P> g = load_planes<P>(env.gradient, row, memory);
      const auto z = convert<D>(g - load_planes<P>(env.gradient_before, row, memory));
      const Real* y_before = env.node[last_y(control.extrapolation.kind, control)];
      const auto s = convert<D>(load_state<P>(env, env.node[control.y], row, memory) -
                                load_state<P>(env, y_before, row, memory));
      const auto w = convert<D>(memory.template load<P>(env.w + row));
      store_planes<P>(env.gradient_before, row, g, memory);
      memory.store(&shared.term[0][lane], dot(s, z));
      memory.store(&shared.term[1][lane], squared_norm(s) / w);
      memory.store(&shared.term[2][lane], squared_norm(z) * w);
    }
  }
};

/// Chooses alpha of this iteration: alpha_1 = s W^-1 s / s z, alpha_2 = s z / z W z, in the metric
/// of the bounded W. Because lambda_max(WA) <= 1.9, alpha may not exceed one. A step without
/// curvature is skipped.
template <class Precision>
struct AlphaDecision : DecidingKernel<Precision, CurvatureSums, AlphaDecision<Precision>> {
  template <class Memory>
  NODIA_HD bool enabled(int group, Memory memory) const {
    const auto& env = this->batch->env[group];
    return is_barzilai_borwein(this->batch->options.w) && env.in_phases &&
           memory.read(env.control).iterates(this->batch->options);
  }
  NODIA_HD void decide(const VfpiEnvironment<Precision>&, VfpiControl* c, const double* sum) const {
    if (c->iterations == 0) return;
    const WKind w = this->batch->options.w;
    const int iteration = c->iterations + 1;
    const bool first_kind = w == WKind::bb1 || (w == WKind::bb_alternating && iteration % 2 == 0);
    const double ratio = first_kind ? sum[1] / sum[0] : sum[0] / sum[2];
    if (sum[0] > 0 && is_finite(ratio)) c->alpha = smaller(larger(ratio, 1e-3), 1.0);
  }
};

/// v* + W Jc^T lambda of a row with two-body contacts, with the present lambda [m/s].
/// @param w  alpha w_i [s/kg]
template <class Precision, class Memory>
NODIA_HD Vec3<typename Precision::Real> coupled_row_velocity(const VfpiEnvironment<Precision>& env,
                                                             const MultiContactRow& coupled,
                                                             typename Precision::Real w,
                                                             Vec3<typename Precision::Real> v_star,
                                                             Memory memory) {
  using Real = typename Precision::Real;
  Vec3<Real> force{};
  for (int e = coupled.begin; e < coupled.end; ++e) {
    const int slot = env.coupled_entry[e] >> 1;
    force += force_on_node(env.contact[slot], memory.template load_node<Real>(env.lambda, slot),
                           (env.coupled_entry[e] & 1) != 0);
  }
  return v_star + w * force;
}

/// Calls set(l, velocity) for the rows with two-body contacts among the lanes' rows, l the lane.
/// @param w       alpha w of the lanes' rows [s/kg]
/// @param v_star  v_star(l) [m/s]
template <class P, class Precision, class VStar, class Set, class Memory>
NODIA_HD void for_coupled_rows(const VfpiEnvironment<Precision>& env, int row, P w,
                               const VStar& v_star, const Set& set, Memory memory) {
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(typename Precision::Real));
  for_multi_contact_rows<kLanes>(env, row, [&](const MultiContactRow& multi_contact, int l) {
    if (multi_contact.coupled != 0)
      set(l, coupled_row_velocity(env, multi_contact, lane_of(w, l), v_star(l), memory));
  });
}

/// Writes v* (to v_next's vector), v** of rows without two-body contacts, else its start value.
template <class Precision>
struct WorldContacts : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Real = typename Precision::Real;
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const VfpiControl& control = memory.read_members(env.control);
    const int row = this->first_row(item, memory) + lane;
    const P w = static_cast<Real>(control.alpha) * memory.template load<P>(env.w + row);
    const Vec3<P> v_star = load_state<P>(env, env.node[control.y], row, memory) -
                           w * load_planes<P>(env.gradient, row, memory);
    store_state<P>(env, env.node[control.v_next], row, v_star, memory);
    Vec3<P> v = solve_world_contacts<ContactCase::general>(
        env, this->batch->options, row, first_contact_slot(env, row), w, v_star, true, memory);
    for_coupled_rows(
        env, row, w,
        [&](int l) {
          return Vec3<Real>{lane_of(v_star.x, l), lane_of(v_star.y, l), lane_of(v_star.z, l)};
        },
        [&](int l, Vec3<Real> of_lane) { set_row(&v, l, of_lane); }, memory);
    store_state<P>(env, env.node[memory.read(env.control).projected], row, v, memory);
  }
};

/// Computes lambda of two-body contacts from the velocities of WorldContacts, and the steps of the
/// preconditioner blocks, whose rows have no contacts.
template <class Precision>
struct CoupledContacts : RowKernel<Precision, CoupledContacts<Precision>> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int row,
                      Memory memory) const {
    for (int k = row; k < env.n_coupled_slot; k += lane_count(env))
      solve(env, control, env.first_coupled_slot + k, memory);
    PartsOfW::for_each([&](auto part) { part.step(env, control, row, memory); });
  }

 private:
  template <class Memory>
  NODIA_HD void solve(const Environment& env, const VfpiControl& control, int slot,
                      Memory memory) const {
    const Contact<Real>& c = env.contact[slot];
    const Real* v = env.node[control.projected];
    Vec3<Real> relative = load_state<Real>(env, v, c.side_i, memory);
    Real gamma = Real(env.coupled_count[c.side_i]) * memory.read(env.w + c.side_i);
    if (c.side_j != kWorld) {
      relative -= load_state<Real>(env, v, c.side_j, memory);
      gamma = gamma + Real(env.coupled_count[c.side_j]) * memory.read(env.w + c.side_j);
    }
    const VfpiOptions& options = this->batch->options;
    const Real omega = static_cast<Real>(options.omega);
    const Vec3<Real> before = memory.template load_node<Real>(env.lambda, slot);
    memory.template store_node<Real>(
        env.lambda, slot,
        contact_update(law_of(options.projection, c), before, c.R * relative + c.phi,
                       static_cast<Real>(control.alpha) * gamma, omega));
  }
};

/// Computes v** of rows with two-body contacts, the extrapolation and the iteration's sums.
template <class Precision>
struct Accelerate : PhaseKernel<Precision, SummingKernel<Precision, IterationSums>> {
  static constexpr int kLeastResidentBlocks = 3;  // more would spill registers
  using Base = SummingKernel<Precision, IterationSums>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  bool last = false;  ///< a residual test follows
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      using P = Lanes<Real, Isa>;
      const auto& env = this->environment(item, memory);
      const VfpiControl& control = memory.read_members(env.control);
      const int row = this->first_row(item, memory) + lane;
      const P w = memory.template load<P>(env.w + row);
      Vec3<P> v = load_state<P>(env, env.node[control.projected], row, memory);
      for_coupled_rows(
          env, row, static_cast<Real>(control.alpha) * w,
          [&](int l) { return load_state<Real>(env, env.node[control.v_next], row + l, memory); },
          [&](int l, Vec3<Real> of_lane) {
            store_state<Real>(env, env.node[control.projected], row + l, of_lane, memory);
            set_row(&v, l, of_lane);
          },
          memory);
      if constexpr (VfpiEnvironment<Precision>::kIncrement)
        if (control.is_tested_next(this->batch->options, last))
          store_tested<Isa>(env, row, v, memory);
      Lanes<double, Isa> step_squared, restart;
      extrapolate<Isa>(env, control, this->batch->options, row,
                       load_state<P>(env, env.node[control.y], row, memory), v, w, &step_squared,
                       &restart, memory);
      memory.store(&shared.term[0][lane], step_squared);
      memory.store(&shared.term[1][lane], restart);
    }
  }
};

/// Runs Accelerate for environments in phases, the whole iteration for those in one pass.
template <class Precision>
struct AccelerateOrIterate : SummingKernel<Precision, IterationSums> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  using Base = SummingKernel<Precision, IterationSums>;
  using typename Base::Shared;
  bool last = false;  ///< a residual test follows
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return memory.read(this->environment(item, memory).control).iterates(this->batch->options);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0)
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    else if (this->environment(item, memory).in_phases)
      make<Accelerate<Precision>>().template run<0, Isa>(item, lane, shared, memory);
    else
      make<Iterate<Precision, ContactCase::general>>().template run<0, Isa>(item, lane, shared,
                                                                            memory);
  }

 private:
  template <class Kernel>
  NODIA_HD Kernel make() const {
    Kernel kernel;
    kernel.batch = this->batch;
    kernel.last = last;
    return kernel;
  }
};

}  // namespace nodia

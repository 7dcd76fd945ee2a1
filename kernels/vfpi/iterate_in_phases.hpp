/// One V-FPI iteration in several kernels: coupled contacts need v* of both rows, Barzilai-Borwein
/// needs sums over the gradient first.
///
/// Coupled contacts are solved all at once with gamma_m = c_i w_i + c_j w_j, c the number of
/// contacts on a row; with one contact a row this is gamma of (25). Invertible contact adds omega.
#pragma once

#include "kernels/vfpi/iterate.hpp"
#include "kernels/vfpi/list_kernel.hpp"

namespace nodia {

/// A kernel over chunks of the environments that iterate in phases.
template <class Precision, class Base>
struct PhaseKernel : Base {
  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return InIteration::enabled(env, memory.read(env.control), this->batch->options);
  }
};

/// gradient := A y - b. Virtual nodes have no blocks in A: theirs becomes zero.
template <class Precision>
struct Gradient : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Real = typename Precision::Real;

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    const Vec3<P> g = gradient<Isa>(env, memory.read(env.control), row, memory);
    store_planes<P>(env.gradient, row, g, memory);
  }
};

using CurvatureSums = BlockReduction<Combine::sum, Combine::sum, Combine::sum>;

/// The sums of Barzilai-Borwein's rule: s = v^l - v^(l-1), z = A s,   s.z,  s.W^-1 s,  z.W z.
template <class Precision>
struct Curvature : PhaseKernel<Precision, SummingKernel<Precision, CurvatureSums>> {
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
      const VfpiControl control = memory.read(env.control);
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

/// alpha of this iteration: alpha_1 = s W^-1 s / s z, alpha_2 = s z / z W z, in the metric of the
/// guarded W. The guard: lambda_max(WA) <= 1.9 already, so alpha may not exceed one. A step that
/// shows no curvature is skipped.
template <class Precision>
struct AlphaDecision : DecidingKernel<Precision, CurvatureSums, AlphaDecision<Precision>> {
  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->batch->env[memory.read(&this->batch->active[item])];
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

/// v* into v_next's vector, v** of rows without coupled contacts.
template <class Precision>
struct WorldContacts : PhaseKernel<Precision, OnePhaseKernel<Precision>> {
  using Real = typename Precision::Real;

  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const VfpiControl control = memory.read(env.control);
    const int row = this->first_row(item, memory) + lane;
    const P w = static_cast<Real>(control.alpha) * memory.template load<P>(env.w + row);
    const Vec3<P> v_star = load_state<P>(env, env.node[control.y], row, memory) -
                           w * load_planes<P>(env.gradient, row, memory);
    store_state<P>(env, env.node[control.v_next], row, v_star, memory);
    store_state<P>(env, env.node[control.projected], row,
                   solve_world_contacts<ContactCase::general>(env, this->batch->options, row, w,
                                                              v_star, true, memory),
                   memory);
  }
};

/// v* + W Jc^T lambda of coupled rows, with the lambda of the moment.
template <class Precision>
struct CoupledRowVelocity : ListKernel<Precision, CoupledRowVelocity<Precision>> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_coupled_row; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int k,
                      Memory memory) const {
    const int row = env.coupled_row[k];
    Vec3<Real> force{};
    for (int e = env.coupled_begin[k]; e < env.coupled_begin[k + 1]; ++e) {
      const int slot = env.coupled_entry[e] >> 1;
      force += force_on_node(env.contact[slot], memory.template load_node<Real>(env.lambda, slot),
                             (env.coupled_entry[e] & 1) != 0);
    }
    const Real w = static_cast<Real>(control.alpha) * memory.read(env.w + row);
    store_state<Real>(env, env.node[control.projected], row,
                      load_state<Real>(env, env.node[control.v_next], row, memory) + w * force,
                      memory);
  }
};

/// lambda of coupled contacts from the velocities of CoupledRowVelocity.
template <class Precision>
struct CoupledContacts : ListKernel<Precision, CoupledContacts<Precision>> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_coupled_slot; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int k,
                      Memory memory) const {
    const int slot = env.first_coupled_slot + k;
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

/// Extrapolation and the iteration's sums.
template <class Precision>
struct Accelerate : PhaseKernel<Precision, SummingKernel<Precision, IterationSums>> {
  using Base = SummingKernel<Precision, IterationSums>;
  using typename Base::Shared;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      using P = Lanes<typename Precision::Real, Isa>;
      const auto& env = this->environment(item, memory);
      const VfpiControl control = memory.read(env.control);
      const int row = this->first_row(item, memory) + lane;
      const Vec3<P> v = load_state<P>(env, env.node[control.projected], row, memory);
      Lanes<double, Isa> step_squared, restart;
      extrapolate<Isa>(env, control, this->batch->options, row,
                       load_state<P>(env, env.node[control.y], row, memory), v,
                       memory.template load<P>(env.w + row), &step_squared, &restart, memory);
      memory.store(&shared.term[0][lane], step_squared);
      memory.store(&shared.term[1][lane], restart);
    }
  }
};

}  // namespace nodia

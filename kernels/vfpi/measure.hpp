/// Errors of the loop's solution (v**, lambda): the residual of the dynamics in the inverse-mass
/// norm, and the natural-map error of the contacts.
#pragma once

#include "kernels/contact/contact_error.hpp"
#include "kernels/contact/natural_map.hpp"
#include "kernels/vfpi/iterate.hpp"

namespace nodia {

/// Jc^T lambda of the lanes' rows [N].
template <class P, class Precision, class Memory>
NODIA_HD Vec3<P> contact_force(const VfpiEnvironment<Precision>& env, int row, Memory memory) {
  using Real = typename Precision::Real;
  const int lane = row % kSliceRows;
  const P zero(Real(0));
  Vec3<P> force{zero, zero, zero};
  const std::int32_t first_slot = first_contact_slot(env, row);
  if (first_slot >= 0) {
    const auto c = single_contacts<P>(env, first_slot, lane, memory);
    force = c.transposed(memory.template load_node<P>(env.lambda, first_slot + lane));
  }
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Real));
  for_multi_contact_rows<kLanes>(env, row, [&](const MultiContactRow& multi_contact, int l) {
    Vec3<Real> f{};
    for (int e = multi_contact.begin; e < multi_contact.end; ++e) {
      const int entry = multi_contact.coupled != 0 ? env.coupled_entry[e] : 2 * e;
      const int slot = entry >> 1;
      f += force_on_node(env.contact[slot], memory.template load_node<Real>(env.lambda, slot),
                         (entry & 1) != 0);
    }
    set_row(&force, l, f);
  });
  return force;
}

/// Mixed precision: copies the starting point to where a test's products gather it. Later
/// iterations store their solution there.
template <class Precision>
struct CopyStart : OnePhaseKernel<Precision> {
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return is_measured(memory.read(this->environment(item, memory).control));
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    const Real* start = env.node[memory.read(env.control).solution];
    memory.template store_node<P>(env.tested, row, load_state<P>(env, start, row, memory));
  }
};

/// Sums of a residual. Mixed precision: the float matrix comes first, the double one last.
template <class Precision>
using ResidualSums =
    std::conditional_t<kHasIncrement<Precision>,
                       BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum>,
                       BlockReduction<Combine::sum, Combine::sum, Combine::sum>>;

/// Measures |A v - b - Jc^T lambda|^2, |Jc^T lambda|^2 and |b|^2 in the inverse-mass norm. Mixed
/// precision measures with the float matrix over the reference, and the first sum again with the
/// double matrix; A v - b is then stored for the next reference.
template <class Precision>
struct MeasureResidual : SummingKernel<Precision, ResidualSums<Precision>> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  using Base = SummingKernel<Precision, ResidualSums<Precision>>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const VfpiControl control = memory.read(this->environment(item, memory).control);
    const VfpiOptions& options = this->batch->options;
    // The other stop rule needs only the double matrix, to update the reference.
    return is_measured(control) &&
           (options.stop == StopRule::residual || is_measured_exactly(control, options));
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
      const Vec3<P> b = load_planes<P>(env.b, row, memory);
      Vec3<P> force = contact_force<P>(env, row, memory);
      if (env.n_contact_node > 0)
        force = force + load_planes<P>(env.constrained_force, row, memory);
      const D weight = memory.template load<D>(env.inverse_mass + row);
      const auto residual = [&](Vec3<P> gradient) {
        return weight * squared_norm(convert<D>(gradient - force));
      };
      memory.store(&shared.term[1][lane], weight * squared_norm(convert<D>(force)));
      memory.store(&shared.term[2][lane], weight * squared_norm(convert<D>(b)));
      if constexpr (VfpiEnvironment<Precision>::kIncrement) {
        const VfpiOptions& options = this->batch->options;
        D in_float(0.0), exact(0.0);
        if (is_measured_in_float(control, options))
          in_float = residual(increment_gradient<Isa>(env, env.tested_increment, row, memory));
        if (is_measured_exactly(control, options)) {
          const Vec3<P> g = accurate_product<P>(env, env.tested, row, memory) - b;
          store_planes<P>(env.gradient, row, g, memory);
          exact = residual(g);
        }
        memory.store(&shared.term[0][lane], in_float);
        memory.store(&shared.term[3][lane], exact);
      } else {
        memory.store(
            &shared.term[0][lane],
            residual(accurate_product<P>(env, env.node[control.solution], row, memory) - b));
      }
    }
  }
};

using ContactSums =
    BlockReduction<Combine::max, Combine::max, Combine::sum, Combine::max, Combine::max>;

/// Measures contacts: the largest d_m |natural map|, the largest of d_m |lambda_m| and |u_m|, and
/// sum |lambda_m|. With contact nodes also the natural map with the present bias, and the largest
/// softness_m |lambda_m - lambda_m of the bias|.
///
/// A row with one contact satisfies its conditions exactly. After the start, only environments with
/// contact nodes or rows with several contacts are measured.
///
/// A contact on a contact node is evaluated at its point, u = R (Jv v_o) + phi, without the node's
/// discrepancy. As published: u + softness lambda. Invertible contact: u + omega lambda.
template <class Precision>
struct MeasureContacts : SummingKernel<Precision, ContactSums, ResidualSums<Precision>::kCount> {
  using Base = SummingKernel<Precision, ContactSums, ResidualSums<Precision>::kCount>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  bool start = false;  ///< the solution is the starting point

  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{kBlockLanes, false} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    const VfpiControl& control = memory.read_members(env.control);
    return (start || env.rows_share_contacts) && is_measured(control);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      const auto& env = this->environment(item, memory);
      const Real* v = env.node[memory.read(env.control).solution];
      ContactError error;
      double force = 0, inner = 0, change = 0;
      for (int slot = this->first_row(item, memory) + lane; slot < env.n_slot;
           slot += env.n_chunk * kBlockLanes) {
        const Contact<Real>& c = env.contact[slot];
        if (c.side_i == kWorld) continue;
        Vec3d relative = velocity(env, v, c.side_i, memory);
        if (c.side_j != kWorld) relative -= velocity(env, v, c.side_j, memory);
        const auto lambda = cast<double>(memory.template load_node<Real>(env.lambda, slot));
        const double d = env.compliance[slot];
        const auto map = [&](Vec3d u) {
          return natural_map(lambda, u, d, static_cast<double>(c.mu1), static_cast<double>(c.mu2),
                             this->batch->options.projection);
        };
        Vec3d u = cast<double>(c.R) * relative + this->batch->options.omega * lambda;
        if (env.n_contact_node == 0) {
          u += cast<double>(c.phi);
        } else {
          u += cast<double>(memory.template load_node<Real>(env.phi, slot));
          const double s = env.softness[slot];
          if (env.cancel_bias) {
            const Vec3d moved =
                s * (lambda - cast<double>(memory.template load_node<Real>(env.bias_lambda, slot)));
            inner = combine(Combine::max, d * norm(map(u + moved)), inner);
            change = combine(Combine::max, norm(moved), change);
          } else {
            u += s * lambda;
          }
        }
        error.add(map(u), lambda, u, d);
        force += norm(lambda);
      }
      memory.write(&shared.term[0][lane], error.worst);
      memory.write(&shared.term[1][lane], error.scale());
      memory.write(&shared.term[2][lane], force);
      memory.write(&shared.term[3][lane], inner);
      memory.write(&shared.term[4][lane], change);
    }
  }

 private:
  /// Velocity of a side of a contact; for a contact node the velocity of its point [m/s].
  template <class Memory>
  NODIA_HD static Vec3d velocity(const VfpiEnvironment<Precision>& env, const Real* v, int row,
                                 Memory memory) {
    if (env.n_contact_node > 0 && row >= env.first_contact_node_row)
      return cast<double>(load_planes<Real>(env.point, row - env.first_contact_node_row, memory));
    return cast<double>(load_state<Real>(env, v, row, memory));
  }
};

template <class First, class Second>
struct Joined;
template <Combine... first, Combine... second>
struct Joined<BlockReduction<first...>, BlockReduction<second...>> {
  using Reduction = BlockReduction<first..., second...>;
};
template <class Precision>
using MeasuredSums = typename Joined<ResidualSums<Precision>, ContactSums>::Reduction;

/// Decision after a measurement, or at the start.
template <class Precision>
struct TestDecision : DecidingKernel<Precision, MeasuredSums<Precision>, TestDecision<Precision>> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  bool start = false;

  template <class Memory>
  NODIA_HD bool enabled(int group, Memory memory) const {
    const VfpiControl control = memory.read(this->batch->env[group].control);
    return start ? control.stage != VfpiControl::Stage::done
                 : control.stage == VfpiControl::Stage::running;
  }
  NODIA_HD void decide(const VfpiEnvironment<Precision>& env, VfpiControl* c,
                       const double* result) const {
    constexpr bool kMixed = VfpiEnvironment<Precision>::kIncrement;
    const VfpiOptions& options = this->batch->options;
    VfpiMeasure m;
    m.residual_squared = result[0];
    m.force_squared = result[1];
    m.load_squared = result[2];
    // The other stop rule measures no contacts.
    if (options.stop == StopRule::residual && (start || env.rows_share_contacts)) {
      const double* of_contacts = result + ResidualSums<Precision>::kCount;
      const double worst = of_contacts[0], scale = of_contacts[1];
      const auto scaled = [&](double a) {
        return a == 0 ? 0.0 : scale > 0 || scale != scale ? a / scale : a;
      };
      m.contact_error = scaled(worst);
      m.force = of_contacts[2];
      if (env.n_contact_node > 0) {
        m.inner_error = scaled(of_contacts[3]);
        m.bias_change = scaled(of_contacts[4]);
      }
    }
    bool exact = !kMixed;
    if (kMixed && !c->suspended) {
      const bool in_float = is_measured_in_float(*c, options);
      const bool stops = in_float && would_stop(options, m, 1);
      exact = stops || !in_float;
      c->awaits_exact = stops && !c->near_tolerance;
      if (exact && !c->awaits_exact) m.residual_squared = result[3];
      c->near_tolerance = c->near_tolerance || would_stop(options, m, kNearTolerance);
      if (c->awaits_exact) return;
      c->tests_since_reference = exact ? 0 : c->tests_since_reference + 1;
    }
    if (start) {
      decide_at_start(c, options, m);
      return;
    }
    decide_after_test(c, options, m, env.load);
    c->move_reference = c->move_reference && exact;
  }
};

}  // namespace nodia

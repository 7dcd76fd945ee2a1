/// Point constraints of contact nodes in the V-FPI loop (virtual-node rows of Lee et al.,
/// (14)-(15)): massless rows, coupled to points of bodies by a viscous force. The operator is never
/// stored in A.
///
///   force        f_k = kv_k (v_k - sum_e J_e v[row_e])                                  [N]
///   A v  gets    f_k on row k,   -J_e^T f_k on row_e
///
/// Bounds for the step sizes: with weights c_e such that |x - sum J_e x_e|^2 <= 2 |x|^2 + sum c_e
/// |x_e|^2, the constraints are below the diagonal matrix of 2 kv on contact nodes and kv c_e on
/// rows; inside a body below 2 kv Jv^T Jv (body_blocks.hpp).
#pragma once

#include "kernels/vfpi/measure.hpp"
#include "kernels/vfpi/w/part.hpp"

namespace nodia {

struct PointConstraintCounts {
  std::int32_t n_contact_node = 0;     ///< contact nodes
  std::int32_t n_constrained_row = 0;  ///< constrained rows: rows of A in a point constraint
};

struct PointConstraintOffsets {
  std::int64_t first_contact_node = 0, first_constraint_begin = 0;
  std::int64_t first_part = 0;  ///< terms J_e of the constraints
  std::int64_t first_constrained_row = 0, first_constrained_begin = 0, first_constrained_chunk = 0;
};

/// Rows and terms count from the first of their environment; constrained rows ascend.
template <class Space>
struct PointConstraintLists {
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<std::int32_t> constraint_begin{};  ///< [n_contact_node + 1]
  Out<std::int32_t> constraint_row{};    ///< per term
  Out<double> constraint_weight{};       ///< per term, see ConstrainedStepSize [-]
  Out<std::int32_t> constrained_row{};   ///< [n_constrained_row]
  Out<std::int32_t>
      constrained_chunk{};  ///< [n_chunk + 1] into constrained_row, where n_contact_node > 0
  Out<std::int32_t> constrained_begin{};  ///< [n_constrained_row + 1] into constrained_part
  Out<std::int32_t> constrained_part{};   ///< 2 values each: the term, its contact node

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = PointConstraintOffsets;
    constexpr Written kContacts = Written::contacts;
    f(Field<O>{"constraint_begin", kContacts, &O::first_constraint_begin}, g.constraint_begin...);
    f(Field<O>{"constraint_row", kContacts, &O::first_part}, g.constraint_row...);
    f(Field<O>{"constraint_weight", kContacts, &O::first_part}, g.constraint_weight...);
    f(Field<O>{"constrained_row", kContacts, &O::first_constrained_row}, g.constrained_row...);
    f(Field<O>{"constrained_chunk", kContacts, &O::first_constrained_chunk},
      g.constrained_chunk...);
    f(Field<O>{"constrained_begin", kContacts, &O::first_constrained_begin},
      g.constrained_begin...);
    f(Field<O>{"constrained_part", kContacts, &O::first_part, 2}, g.constrained_part...);
  }
};

template <class Precision, class Space>
struct PointConstraintValues {
  using Real = typename Precision::Real;
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<Real> constraint_jacobian{};  ///< per term 9 values, row by row
  Out<Real> constraint_gain{};      ///< per contact node: coupling stiffness kv [N s/m]
  Out<Real> constrained_force{};    ///< columns of rows: Jv^T of the contact forces, else 0 [N]
  Out<Real> point{};                ///< columns of contact nodes: Jv v_o of the solution [m/s]
  Out<double> softness{};           ///< per contact: sum of 1/kv of its contact nodes [m/(N s)]
  Out<Real> phi{};                  ///< per contact, kNodeStride scalars: phi without bias [m/s]
  Out<Real> bias_lambda{};  ///< per contact, likewise: the lambda whose bias is cancelled [N]

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = PointConstraintOffsets;
    using C = ContactOffsets;
    using R = RowOffsets;
    constexpr Written kContacts = Written::contacts;
    constexpr auto kPointConstraints = &LoopNeeds::point_constraints;
    f(Field<O>{"constraint_jacobian", kContacts, &O::first_part, 9}, g.constraint_jacobian...);
    f(Field<O>{"constraint_gain", kContacts, &O::first_contact_node}, g.constraint_gain...);
    f(Field<R>{"constrained_force", kContacts, &R::first_row, kNodeStride, kPointConstraints},
      g.constrained_force...);
    f(Field<R>{"point", Written::by_loop, &R::first_row, kNodeStride, kPointConstraints},
      g.point...);
    f(Field<C>{"softness", kContacts, &C::first_slot, 1, kPointConstraints}, g.softness...);
    f(Field<C>{"phi", kContacts, &C::first_slot, kNodeStride, kPointConstraints}, g.phi...);
    f(Field<C>{"bias_lambda", kContacts, &C::first_slot, kNodeStride, kPointConstraints},
      g.bias_lambda...);
  }
};

template <class Precision, class Space>
struct PointConstraintArrays : PointConstraintLists<Space>,
                               PointConstraintValues<Precision, Space> {
  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    PointConstraintLists<Space>::each(f, g...);
    PointConstraintValues<Precision, Space>::each(f, g...);
  }
};

namespace detail {

template <class Precision>
NODIA_HD Mat3<typename Precision::Real> constraint_jacobian(const VfpiEnvironment<Precision>& env,
                                                            int part) {
  const auto* j = env.constraint_jacobian + 9 * static_cast<std::int64_t>(part);
  return {{{j[0], j[1], j[2]}, {j[3], j[4], j[5]}, {j[6], j[7], j[8]}}};
}

/// sum_e J_e x[row_e] of contact node k.
/// @param x  x(row)
template <class Precision, class X>
NODIA_HD Vec3<typename Precision::Real> point_velocity(const VfpiEnvironment<Precision>& env, int k,
                                                       const X& x) {
  Vec3<typename Precision::Real> sum{};
  for (int e = env.constraint_begin[k]; e < env.constraint_begin[k + 1]; ++e)
    sum += constraint_jacobian(env, e) * x(env.constraint_row[e]);
  return sum;
}

/// sum of J_e^T f_k over the contact nodes that constrain row `constrained_row[i]`.
/// @param f  f(k)
template <class Precision, class F>
NODIA_HD Vec3<typename Precision::Real> pull_on_row(const VfpiEnvironment<Precision>& env, int i,
                                                    const F& f) {
  Vec3<typename Precision::Real> sum{};
  for (int e = env.constrained_begin[i]; e < env.constrained_begin[i + 1]; ++e)
    sum += transpose_times(constraint_jacobian(env, env.constrained_part[2 * e]),
                           f(env.constrained_part[2 * e + 1]));
  return sum;
}

/// Subtracts Jv^T f on row `constrained_row[i]` of a vector; f is in its contact-node rows.
template <class Precision, class Memory>
NODIA_HD void subtract_pull(const VfpiEnvironment<Precision>& env, int i,
                            typename Precision::Real* vector, Memory memory) {
  using Real = typename Precision::Real;
  const int row = env.constrained_row[i];
  const Vec3<Real> pull = pull_on_row(env, i, [&](int k) {
    return load_planes<Real>(vector, env.first_contact_node_row + k, memory);
  });
  store_planes<Real>(vector, row, load_planes<Real>(vector, row, memory) - pull, memory);
}

/// Index in constrained_row of the constrained row of the lane of `row`, in the same chunk; -1:
/// none.
template <class Precision>
NODIA_HD int constrained_index(const VfpiEnvironment<Precision>& env, int row) {
  if (env.n_contact_node == 0) return -1;
  const int chunk = row / kBlockLanes, i = env.constrained_chunk[chunk] + row % kBlockLanes;
  return i < env.constrained_chunk[chunk + 1] ? i : -1;
}
/// Contact node of the row; -1: none.
template <class Precision>
NODIA_HD int contact_node(const VfpiEnvironment<Precision>& env, int row) {
  const int k = row - env.first_contact_node_row;
  return k >= 0 && k < env.n_contact_node ? k : -1;
}

/// Bounds W on contact nodes and constrained rows:
///   w_row := 1/(1/w_row + s sum kv c_e),  w_k := 1/(2 s kv),
/// s = 1 for the safe W: lambda_max(WA) <= 1; else 1/2, scaled by the spectral bound.
template <class Precision, class Memory>
NODIA_HD double constrained_row_w(const VfpiEnvironment<Precision>& env, int i, double w, double s,
                                  Memory memory) {
  double sum = 0;
  for (int e = env.constrained_begin[i]; e < env.constrained_begin[i + 1]; ++e)
    sum += static_cast<double>(memory.read(env.constraint_gain + env.constrained_part[2 * e + 1])) *
           env.constraint_weight[env.constrained_part[2 * e]];
  return 1 / (1 / w + s * sum);
}
template <class Precision, class Memory>
NODIA_HD double contact_node_w(const VfpiEnvironment<Precision>& env, int k, double s,
                               Memory memory) {
  return 1 / (2 * s * static_cast<double>(memory.read(env.constraint_gain + k)));
}

/// gradient of contact node k := f.
template <class Precision, class Memory>
NODIA_HD void set_constraint_force(const VfpiEnvironment<Precision>& env,
                                   const VfpiControl& control, int k, Memory memory) {
  using Real = typename Precision::Real;
  const Real* y = env.node[control.y];
  const auto velocity = [&](int row) { return load_state<Real>(env, y, row, memory); };
  const int row = env.first_contact_node_row + k;
  store_planes<Real>(
      env.gradient, row,
      memory.read(env.constraint_gain + k) * (velocity(row) - point_velocity(env, k, velocity)),
      memory);
}

/// point := Jv v_o of the solution.
template <class Precision, class Memory>
NODIA_HD void set_point(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int k,
                        Memory memory) {
  using Real = typename Precision::Real;
  const Real* v = env.node[control.solution];
  store_planes<Real>(
      env.point, k,
      point_velocity(env, k, [&](int row) { return load_state<Real>(env, v, row, memory); }),
      memory);
}

/// constrained_force of row constrained_row[i] := Jv^T of the contact forces on contact nodes.
template <class Precision, class Memory>
NODIA_HD void set_constrained_force(const VfpiEnvironment<Precision>& env, int i, Memory memory) {
  using Real = typename Precision::Real;
  store_planes<Real>(
      env.constrained_force, env.constrained_row[i],
      pull_on_row(
          env, i,
          [&](int k) { return contact_force<Real>(env, env.first_contact_node_row + k, memory); }),
      memory);
}

/// Bias cancellation: phi := phi_0 - softness lambda of the solution (math.md section 4b).
template <class Precision, class Memory>
NODIA_HD void move_bias(const VfpiEnvironment<Precision>& env, int slot, Memory memory) {
  using Real = typename Precision::Real;
  const Vec3<Real> lambda = memory.template load_node<Real>(env.lambda, slot);
  memory.template store_node<Real>(env.bias_lambda, slot, lambda);
  const Vec3<Real> phi = memory.template load_node<Real>(env.phi, slot) -
                         static_cast<Real>(env.softness[slot]) * lambda;
  memory.write(&env.contact[slot].phi, phi);
  Real* plane = env.contact_plane +
                static_cast<std::int64_t>(slot / kSliceRows) * (kContactPlanes * kSliceRows) +
                slot % kSliceRows;
  for (int axis = 0; axis < 3; ++axis)
    memory.write(plane + (kPlanePhi + axis) * kSliceRows, phi[axis]);
}

}  // namespace detail

/// power_product of constrained rows -= Jv^T f. Runs after PowerOfParts, which writes f.
template <class Precision>
struct ConstrainedPower : ListKernel<Precision, ConstrainedPower<Precision>, InPowerIteration> {
  using Environment = VfpiEnvironment<Precision>;

  NODIA_HD int size(const Environment& env) const { return env.n_constrained_row; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl&, int i, Memory memory) const {
    detail::subtract_pull(env, i, env.power_product, memory);
  }
};

/// W of contact nodes and constrained rows. Runs after StepSize.
template <class Precision>
struct ConstrainedStepSize : ListKernel<Precision, ConstrainedStepSize<Precision>, WithNewW> {
  using Environment = VfpiEnvironment<Precision>;

  NODIA_HD int size(const Environment& env) const {
    return env.n_constrained_row + env.n_contact_node;
  }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl&, int i, Memory memory) const {
    if (i >= env.n_constrained_row) {
      const int k = i - env.n_constrained_row;
      memory.write(env.w_unguarded + env.first_contact_node_row + k,
                   detail::contact_node_w(env, k, 0.5, memory));
      return;
    }
    double* const w = env.w_unguarded + env.constrained_row[i];
    memory.write(w, detail::constrained_row_w(env, i, memory.read(w), 0.5, memory));
  }
};

struct PointConstraintPart : PartOfW {
  using Counts = PointConstraintCounts;
  using Offsets = PointConstraintOffsets;
  template <class Precision, class Space>
  using Arrays = PointConstraintArrays<Precision, Space>;

  template <class Precision>
  NODIA_HD static bool present(const VfpiEnvironment<Precision>& env) {
    return env.n_contact_node > 0;
  }

  static constexpr bool kAddsToA = true;
  template <class Precision, class Memory>
  NODIA_HD static void own_gradient(const VfpiEnvironment<Precision>& env,
                                    const VfpiControl& control, int row, Memory memory) {
    const int k = detail::contact_node(env, row);
    if (k >= 0) detail::set_constraint_force(env, control, k, memory);
  }
  template <class Precision, class Memory>
  NODIA_HD static void add_gradient(const VfpiEnvironment<Precision>& env, int row, Memory memory) {
    const int i = detail::constrained_index(env, row);
    if (i >= 0) detail::subtract_pull(env, i, env.gradient, memory);
  }
  template <class Precision, class Memory>
  NODIA_HD static void measure(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                               int first, Memory memory) {
    for (int k = first; k < env.n_contact_node; k += lane_count(env))
      detail::set_point(env, control, k, memory);
    for (int i = first; i < env.n_constrained_row; i += lane_count(env))
      detail::set_constrained_force(env, i, memory);
  }
  /// Handles the same contact indices as CopyBest.
  template <class Precision, class Memory>
  NODIA_HD static void after_test(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                                  int row, Memory memory) {
    using Real = typename Precision::Real;
    if (control.move_bias)
      for (int slot = row; slot < env.n_slot; slot += lane_count(env))
        detail::move_bias(env, slot, memory);
    if (!control.fall_back) return;
    const int i = detail::constrained_index(env, row), k = detail::contact_node(env, row);
    if (i >= 0) {
      Real* const w = env.w + env.constrained_row[i];
      memory.write(w, static_cast<Real>(detail::constrained_row_w(
                          env, i, static_cast<double>(memory.read(w)), 1, memory)));
    }
    if (k >= 0)
      memory.write(env.w + row, static_cast<Real>(detail::contact_node_w(env, k, 1, memory)));
  }

  template <class Schedule>
  static void unguarded(Schedule& s) {
    s.template chunks<ConstrainedStepSize>("constrained_step_size");
  }
  /// Writes f to the contact-node rows of power_product.
  template <class Precision, class Memory>
  NODIA_HD static void add_power_sums(const VfpiEnvironment<Precision>& env, int first, int stride,
                                      double* sums, Memory memory) {
    using Real = typename Precision::Real;
    const auto x = [&](int row) { return memory.template load_node<Real>(env.power, row); };
    for (int k = first; k < env.n_contact_node; k += stride) {
      const int row = env.first_contact_node_row + k;
      const Vec3<Real> discrepancy = x(row) - detail::point_velocity(env, k, x);
      const Vec3<Real> f = memory.read(env.constraint_gain + k) * discrepancy;
      store_planes<Real>(env.power_product, row, f, memory);
      sums[0] += dot(cast<double>(f), cast<double>(discrepancy));
    }
  }
  template <class Schedule>
  static void power_product(Schedule& s) {
    s.template chunks<ConstrainedPower>("constrained_power");
  }
};

}  // namespace nodia

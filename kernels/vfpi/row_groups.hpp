/// Blocks of W on groups of rows that no contact acts on directly: a rigid body, a robot (Lee et
/// al., IV-C; math.md section 4).
///
/// B = A_group + kv Jv^T Jv of the virtual nodes tied to it, W = B^-1, scaled by the guard. The
/// safe iteration takes kSafeGroupScale of it: ties lie below twice B's part of them, and what
/// couples two bodies below twice the parts of both.
#pragma once

#include "kernels/vfpi/row_chains.hpp"

namespace nodia {

namespace detail {

/// Row i of a group's matrix times x(row of the group).
template <class Precision, class X>
NODIA_HD Vec3d group_product(const VfpiEnvironment<Precision>& env, int g, const double* matrix,
                             int i, const X& x) {
  const int begin = env.group_begin[g], n = env.group_begin[g + 1] - begin;
  const double* m = matrix + env.group_value_begin[g] + static_cast<std::int64_t>(9) * n * i;
  Vec3d sum{};
  for (int j = 0; j < n; ++j) {
    const Vec3d v = x(env.group_row[begin + j]);
    for (int r = 0; r < 3; ++r) {
      const double* a = m + static_cast<std::int64_t>(3) * n * r + 3 * j;
      sum[r] += a[0] * v.x + a[1] * v.y + a[2] * v.z;
    }
  }
  return sum;
}

}  // namespace detail

/// v* = v** = y - W gradient of the groups' rows. After WorldContacts.
template <class Precision>
struct GroupStep : ListKernel<Precision, GroupStep<Precision>> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_group; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int g,
                      Memory memory) const {
    const double scale = control.alpha * control.group_scale;
    const auto gradient = [&](int row) {
      return cast<double>(load_planes<Real>(env.gradient, row, memory));
    };
    for (int i = 0; env.group_begin[g] + i < env.group_begin[g + 1]; ++i) {
      const int row = env.group_row[env.group_begin[g] + i];
      const Vec3d step = scale * detail::group_product(env, g, env.group_inverse, i, gradient);
      const Vec3<Real> v =
          load_state<Real>(env, env.node[control.y], row, memory) - cast<Real>(step);
      store_state<Real>(env, env.node[control.v_next], row, v, memory);
      store_state<Real>(env, env.node[control.projected], row, v, memory);
    }
  }
};

/// Ties and groups in the power iteration, after PowerProduct: power_product of virtual nodes := f,
/// and two more sums of the Rayleigh quotient,
///   sum f_k.(x_k - Jv x),   sum over groups and chains x.B x - x.W^-1 x as their rows have counted
///   it.
template <class Precision>
struct PowerTies : SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>, 2> {
  using Base = SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>, 2>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{kBlockLanes, false} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return extends_matrix(env) && memory.read(env.control).power_products > 0;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      const auto& env = this->environment(item, memory);
      const int first = this->first_row(item, memory) + lane, stride = env.n_chunk * kBlockLanes;
      const auto x = [&](int row) { return memory.template load_node<Real>(env.power, row); };
      const auto x_double = [&](int row) { return cast<double>(x(row)); };
      double ties = 0, groups = 0;
      for (int k = first; k < env.n_virtual; k += stride) {
        const int row = env.first_virtual_row + k;
        const Vec3<Real> discrepancy = x(row) - detail::point_velocity(env, k, x);
        const Vec3<Real> f = memory.read(env.tie_gain + k) * discrepancy;
        store_planes<Real>(env.power_product, row, f, memory);
        ties += dot(cast<double>(f), cast<double>(discrepancy));
      }
      for (int g = first; g < env.n_group; g += stride) {
        for (int i = 0; env.group_begin[g] + i < env.group_begin[g + 1]; ++i) {
          const int row = env.group_row[env.group_begin[g] + i];
          groups +=
              dot(x_double(row), detail::group_product(env, g, env.group_block, i, x_double)) -
              squared_norm(x_double(row)) / memory.read(env.w_unguarded + row);
        }
      }
      for (int c = first; c < env.n_chain; c += stride)
        groups += detail::chain_metric(env, c, x_double, memory);
      memory.write(&shared.term[0][lane], ties);
      memory.write(&shared.term[1][lane], groups);
    }
  }
};

/// x := W A x of the groups' rows, scaled. After PowerUpdate.
template <class Precision>
struct GroupPower : ListKernel<Precision, GroupPower<Precision>, InPowerUpdate> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_group; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int g,
                      Memory memory) const {
    const auto y = [&](int row) {
      return cast<double>(load_planes<Real>(env.power_product, row, memory));
    };
    for (int i = 0; env.group_begin[g] + i < env.group_begin[g + 1]; ++i)
      memory.template store_node<Real>(
          env.power, env.group_row[env.group_begin[g] + i],
          cast<Real>(control.power_scale * detail::group_product(env, g, env.group_inverse, i, y)));
  }
};

}  // namespace nodia

/// Jacobi preconditioner blocks: W_ii = A_ii^-1, scaled by the spectral bound, on rows without
/// contact, contact node and other preconditioner block. Other rows keep one value, so that Jc W
/// Jc^T stays diagonal (Lee et al., Prop. 3). The safe iteration uses each row's own w, because
/// A_ii^-1 gives no bound.
#pragma once

#include "kernels/vfpi/w/part.hpp"

namespace nodia {

struct JacobiBlockCounts {
  std::int32_t n_jacobi = 0;
};

struct JacobiBlockOffsets {
  std::int64_t first_jacobi = 0;
};

template <class Space>
struct JacobiBlocks {
  template <class T>
  using In = typename Space::template In<T>;

  In<std::int32_t> jacobi_row{};
  In<double> jacobi_matrix{};   ///< A_ii, 9 values, row by row [kg/s]
  In<double> jacobi_inverse{};  ///< A_ii^-1 [s/kg]

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = JacobiBlockOffsets;
    constexpr Written kProblem = Written::every_problem;
    f(Field<O>{"jacobi_row", kProblem, &O::first_jacobi}, g.jacobi_row...);
    f(Field<O>{"jacobi_matrix", kProblem, &O::first_jacobi, 9}, g.jacobi_matrix...);
    f(Field<O>{"jacobi_inverse", kProblem, &O::first_jacobi, 9}, g.jacobi_inverse...);
  }
};

namespace detail {

/// Block k of row-wise matrices, times x.
NODIA_HD Vec3d block_times(const double* blocks, int k, Vec3d x) {
  const double* m = blocks + 9 * static_cast<std::int64_t>(k);
  return {m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
          m[6] * x.x + m[7] * x.y + m[8] * x.z};
}

/// v* = v** = y - W gradient on row jacobi_row[k].
template <class Precision, class Memory>
NODIA_HD void jacobi_step(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int k,
                          Memory memory) {
  using Real = typename Precision::Real;
  if (control.restarts > 0) return;
  const int row = env.jacobi_row[k];
  const auto gradient = cast<double>(load_planes<Real>(env.gradient, row, memory));
  const Vec3d step =
      control.alpha * control.body_scale * block_times(env.jacobi_inverse, k, gradient);
  const Vec3<Real> v = load_state<Real>(env, env.node[control.y], row, memory) - cast<Real>(step);
  store_state<Real>(env, env.node[control.v_next], row, v, memory);
  store_state<Real>(env, env.node[control.projected], row, v, memory);
}

}  // namespace detail

/// x := W A x on the rows, scaled. Runs after PowerUpdate.
template <class Precision>
struct JacobiPower : ListKernel<Precision, JacobiPower<Precision>, InPowerUpdate> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_jacobi; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int k,
                      Memory memory) const {
    const int row = env.jacobi_row[k];
    const auto y = cast<double>(load_planes<Real>(env.power_product, row, memory));
    memory.template store_node<Real>(
        env.power, row,
        cast<Real>(control.power_scale * detail::block_times(env.jacobi_inverse, k, y)));
  }
};

struct JacobiBlockPart : PartOfW {
  using Counts = JacobiBlockCounts;
  using Offsets = JacobiBlockOffsets;
  template <class, class Space>
  using Arrays = JacobiBlocks<Space>;

  static void prepare(PartSetUp& s, JacobiBlocks<HostMemory>* blocks);
  static void fill(const PartSetUp& s, int env, JacobiBlocks<HostMemory>* blocks);

  template <class Precision>
  NODIA_HD static bool present(const VfpiEnvironment<Precision>& env) {
    return env.n_jacobi > 0;
  }

  template <class Precision, class Memory>
  NODIA_HD static void step(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                            int first, Memory memory) {
    for (int k = first; k < env.n_jacobi; k += lane_count(env))
      detail::jacobi_step(env, control, k, memory);
  }
  template <class Precision, class Memory>
  NODIA_HD static void add_power_sums(const VfpiEnvironment<Precision>& env, int first, int stride,
                                      double* sums, Memory memory) {
    const auto power = power_vector(env, memory);
    for (int k = first; k < env.n_jacobi; k += stride) {
      const int row = env.jacobi_row[k];
      const Vec3d x = power(row);
      sums[1] += dot(x, detail::block_times(env.jacobi_matrix, k, x)) -
                 squared_norm(x) / memory.read(env.w_unguarded + row);
    }
  }
  template <class Schedule>
  static void power(Schedule& s) {
    s.template chunks<JacobiPower>("jacobi_power");
  }
};

}  // namespace nodia

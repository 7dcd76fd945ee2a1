/// Preconditioner blocks of rigid bodies and robots (Lee et al., IV-C; math.md section 4).
///
/// W = B^-1 with B = A_body + kv Jv^T Jv of the contact nodes on the body, scaled by the spectral
/// bound. The safe iteration uses kSafeBodyScale: the constraint terms are below twice their share
/// of B, and a coupling of two bodies is below twice the shares of both.
#pragma once

#include "kernels/vfpi/w/part.hpp"

namespace nodia {

struct BodyBlockCounts {
  std::int32_t n_body = 0;
};

struct BodyBlockOffsets {
  std::int64_t first_body = 0, first_body_begin = 0;
  std::int64_t first_body_row = 0;
  std::int64_t first_body_value = 0;
};

/// Body g has the rows body_row[body_begin[g]] .. body_row[body_begin[g + 1] - 1]. Its matrix of 3
/// n x 3 n values, row by row, begins at body_value_begin[g].
template <class Space>
struct BodyBlocks {
  template <class T>
  using In = typename Space::template In<T>;

  In<std::int32_t> body_begin{};  ///< [n_body + 1] into body_row
  In<std::int32_t> body_row{};
  In<std::int32_t> body_value_begin{};  ///< [n_body]
  In<double> body_matrix{};             ///< B [kg/s]
  In<double> body_inverse{};            ///< B^-1 [s/kg]

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = BodyBlockOffsets;
    constexpr Written kProblem = Written::every_problem;
    f(Field<O>{"body_begin", kProblem, &O::first_body_begin}, g.body_begin...);
    f(Field<O>{"body_row", kProblem, &O::first_body_row}, g.body_row...);
    f(Field<O>{"body_value_begin", kProblem, &O::first_body}, g.body_value_begin...);
    f(Field<O>{"body_matrix", kProblem, &O::first_body_value}, g.body_matrix...);
    f(Field<O>{"body_inverse", kProblem, &O::first_body_value}, g.body_inverse...);
  }
};

namespace detail {

/// Row i of a body's matrix times x(row of the body).
template <class Precision, class X>
NODIA_HD Vec3d body_product(const VfpiEnvironment<Precision>& env, int g, const double* matrix,
                            int i, const X& x) {
  const int begin = env.body_begin[g], n = env.body_begin[g + 1] - begin;
  const double* m = matrix + env.body_value_begin[g] + static_cast<std::int64_t>(9) * n * i;
  Vec3d sum{};
  for (int j = 0; j < n; ++j) {
    const Vec3d v = x(env.body_row[begin + j]);
    for (int r = 0; r < 3; ++r) {
      const double* a = m + static_cast<std::int64_t>(3) * n * r + 3 * j;
      sum[r] += a[0] * v.x + a[1] * v.y + a[2] * v.z;
    }
  }
  return sum;
}

/// v* = v** = y - W gradient on the rows of body g.
template <class Precision, class Memory>
NODIA_HD void body_step(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int g,
                        Memory memory) {
  using Real = typename Precision::Real;
  const double scale = control.alpha * control.body_scale;
  const auto gradient = [&](int row) {
    return cast<double>(load_planes<Real>(env.gradient, row, memory));
  };
  for (int i = 0; env.body_begin[g] + i < env.body_begin[g + 1]; ++i) {
    const int row = env.body_row[env.body_begin[g] + i];
    const Vec3d step = scale * body_product(env, g, env.body_inverse, i, gradient);
    const Vec3<Real> v = load_state<Real>(env, env.node[control.y], row, memory) - cast<Real>(step);
    store_state<Real>(env, env.node[control.v_next], row, v, memory);
    store_state<Real>(env, env.node[control.projected], row, v, memory);
  }
}

}  // namespace detail

/// x := W A x on the bodies' rows, scaled. Runs after PowerUpdate.
template <class Precision>
struct BodyPower : ListKernel<Precision, BodyPower<Precision>, InPowerUpdate> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_body; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int g,
                      Memory memory) const {
    const auto y = [&](int row) {
      return cast<double>(load_planes<Real>(env.power_product, row, memory));
    };
    for (int i = 0; env.body_begin[g] + i < env.body_begin[g + 1]; ++i)
      memory.template store_node<Real>(
          env.power, env.body_row[env.body_begin[g] + i],
          cast<Real>(control.power_scale * detail::body_product(env, g, env.body_inverse, i, y)));
  }
};

struct BodyBlockPart : PartOfW {
  using Counts = BodyBlockCounts;
  using Offsets = BodyBlockOffsets;
  template <class, class Space>
  using Arrays = BodyBlocks<Space>;

  static void prepare(PartSetUp& s, BodyBlocks<HostMemory>* blocks);
  static void fill(const PartSetUp& s, int env, BodyBlocks<HostMemory>* blocks);

  template <class Precision>
  NODIA_HD static bool present(const VfpiEnvironment<Precision>& env) {
    return env.n_body > 0;
  }

  template <class Precision, class Memory>
  NODIA_HD static void step(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                            int first, Memory memory) {
    for (int g = first; g < env.n_body; g += lane_count(env))
      detail::body_step(env, control, g, memory);
  }
  template <class Precision, class Memory>
  NODIA_HD static void add_power_sums(const VfpiEnvironment<Precision>& env, int first, int stride,
                                      double* sums, Memory memory) {
    const auto x = power_vector(env, memory);
    for (int g = first; g < env.n_body; g += stride) {
      for (int i = 0; env.body_begin[g] + i < env.body_begin[g + 1]; ++i) {
        const int row = env.body_row[env.body_begin[g] + i];
        sums[1] += dot(x(row), detail::body_product(env, g, env.body_matrix, i, x)) -
                   squared_norm(x(row)) / memory.read(env.w_unguarded + row);
      }
    }
  }
  template <class Schedule>
  static void power(Schedule& s) {
    s.template chunks<BodyPower>("body_power");
  }
};

}  // namespace nodia

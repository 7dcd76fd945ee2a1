/// W of chains: cables, whose links are coupled with their neighbours alone.
///
/// Rows that a contact acts on keep their own w, so that Jc W Jc^T stays diagonal (Lee et al.,
/// Prop. 3); on the free rows W = B^-1, B = A + kv Jv^T Jv between free rows, which is block
/// tridiagonal:
///
///   S_k = B_kk - B_k(k-1) S_(k-1)^-1 B_(k-1)k,   F_k = B_k(k-1) S_(k-1)^-1
///   y_k = g_k - F_k y_(k-1);    x_k = S_k^-1 y_k - F_(k+1)^T x_(k+1)
///
/// with 6x6 blocks, B_kk the identity and no coupling on rows that are not free. One lane a chain.
#pragma once

#include "kernels/vfpi/w/part.hpp"

namespace nodia {

/// Rows of a link: linear and angular velocity.
inline constexpr int kRowsOfLink = 2;
/// Matrices of a link, 6x6 each.
inline constexpr int kLinkMatrices = 4;
inline constexpr int kLinkMatrixSize = 36;

struct ChainCounts {
  std::int32_t n_chain = 0;
};

struct ChainOffsets {
  std::int64_t first_chain_begin = 0;
  std::int64_t first_link = 0;
};

template <class Space>
struct Chains {
  template <class T>
  using In = typename Space::template In<T>;
  template <class T>
  using Out = typename Space::template Out<T>;

  In<std::int32_t> chain_begin{};  ///< [n_chain + 1] in links
  In<std::int32_t> chain_row{};    ///< kRowsOfLink per link
  In<std::uint8_t> chain_free{};   ///< likewise: 1 where no contact acts on the row
  In<double> chain_matrix{};       ///< kLinkMatrices per link: B_kk, B_k(k-1), S_k^-1, F_k
  Out<double> chain_work{};        ///< 6 per link

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = ChainOffsets;
    constexpr Written kProblem = Written::every_problem;
    f(Field<O>{"chain_begin", kProblem, &O::first_chain_begin}, g.chain_begin...);
    f(Field<O>{"chain_row", kProblem, &O::first_link, kRowsOfLink}, g.chain_row...);
    f(Field<O>{"chain_free", kProblem, &O::first_link, kRowsOfLink}, g.chain_free...);
    f(Field<O>{"chain_matrix", kProblem, &O::first_link, kLinkMatrices * kLinkMatrixSize},
      g.chain_matrix...);
    f(Field<O>{"chain_work", Written::by_loop, &O::first_link, 3 * kRowsOfLink}, g.chain_work...);
  }
};

namespace detail {

enum class LinkMatrix : int { diagonal, lower, inverse, factor };

template <class Precision>
NODIA_HD const double* link_matrix(const VfpiEnvironment<Precision>& env, int link, LinkMatrix m) {
  return env.chain_matrix +
         (static_cast<std::int64_t>(link) * kLinkMatrices + static_cast<int>(m)) * kLinkMatrixSize;
}

struct Vec6 {
  double a[6];
};

/// s + sign m v
NODIA_HD Vec6 add_product(Vec6 s, double sign, const double* m, const Vec6& v) {
  for (int i = 0; i < 6; ++i) {
    double sum = 0;
    for (int j = 0; j < 6; ++j) sum += m[6 * i + j] * v.a[j];
    s.a[i] += sign * sum;
  }
  return s;
}
/// s + sign m^T v
NODIA_HD Vec6 add_transposed(Vec6 s, double sign, const double* m, const Vec6& v) {
  Vec6 sum{};
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) sum.a[i] += m[6 * j + i] * v.a[j];
  for (int i = 0; i < 6; ++i) s.a[i] += sign * sum.a[i];
  return s;
}

/// The link's rows of x(row), zero where they are not free.
template <class Precision, class X>
NODIA_HD Vec6 load_link(const VfpiEnvironment<Precision>& env, int link, const X& x) {
  Vec6 v{};
  for (int r = 0; r < 2; ++r) {
    if (env.chain_free[2 * link + r] == 0) continue;
    const Vec3d a = x(env.chain_row[2 * link + r]);
    v.a[3 * r] = a.x;
    v.a[3 * r + 1] = a.y;
    v.a[3 * r + 2] = a.z;
  }
  return v;
}

template <class Precision, class Memory>
NODIA_HD Vec6 load_work(const VfpiEnvironment<Precision>& env, int link, Memory memory) {
  Vec6 v;
  for (int i = 0; i < 6; ++i) v.a[i] = memory.read(env.chain_work + 6 * link + i);
  return v;
}
template <class Precision, class Memory>
NODIA_HD void store_work(const VfpiEnvironment<Precision>& env, int link, const Vec6& v,
                         Memory memory) {
  for (int i = 0; i < 6; ++i) memory.write(env.chain_work + 6 * link + i, v.a[i]);
}

/// Calls result(row, (B^-1 g)_row) for the free rows of chain c.
/// @param g  g(row)
template <class Precision, class G, class Result, class Memory>
NODIA_HD void solve_chain(const VfpiEnvironment<Precision>& env, int c, const G& g,
                          const Result& result, Memory memory) {
  const int begin = env.chain_begin[c], end = env.chain_begin[c + 1];
  Vec6 y{};
  for (int k = begin; k < end; ++k) {
    Vec6 next = load_link(env, k, g);
    if (k > begin) next = add_product(next, -1, link_matrix(env, k, LinkMatrix::factor), y);
    y = next;
    store_work(env, k, y, memory);
  }
  Vec6 x{};
  for (int k = end - 1; k >= begin; --k) {
    Vec6 own =
        add_product(Vec6{}, 1, link_matrix(env, k, LinkMatrix::inverse), load_work(env, k, memory));
    if (k + 1 < end) own = add_transposed(own, -1, link_matrix(env, k + 1, LinkMatrix::factor), x);
    x = own;
    for (int r = 0; r < 2; ++r)
      if (env.chain_free[2 * k + r] != 0)
        result(env.chain_row[2 * k + r], Vec3d{x.a[3 * r], x.a[3 * r + 1], x.a[3 * r + 2]});
  }
}

/// x.B x over the free rows of chain c, less x.W^-1 x as its rows count it.
template <class Precision, class X, class Memory>
NODIA_HD double chain_metric(const VfpiEnvironment<Precision>& env, int c, const X& x,
                             Memory memory) {
  double sum = 0;
  Vec6 before{};
  for (int k = env.chain_begin[c]; k < env.chain_begin[c + 1]; ++k) {
    const Vec6 v = load_link(env, k, x);
    const Vec6 own = add_product(Vec6{}, 1, link_matrix(env, k, LinkMatrix::diagonal), v);
    const Vec6 cross = add_product(Vec6{}, 2, link_matrix(env, k, LinkMatrix::lower), before);
    for (int i = 0; i < 6; ++i) sum += v.a[i] * (own.a[i] + cross.a[i]);
    for (int r = 0; r < 2; ++r) {
      const int row = env.chain_row[2 * k + r];
      if (env.chain_free[2 * k + r] != 0)
        sum -= squared_norm(x(row)) / memory.read(env.w_unguarded + row);
    }
    before = v;
  }
  return sum;
}

/// v* = v** = y - W gradient of the free rows of chain c.
template <class Precision, class Memory>
NODIA_HD void chain_step(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int c,
                         Memory memory) {
  using Real = typename Precision::Real;
  const double scale = control.alpha * control.body_scale;
  solve_chain(
      env, c, [&](int row) { return cast<double>(load_planes<Real>(env.gradient, row, memory)); },
      [&](int row, Vec3d step) {
        const Vec3<Real> v =
            load_state<Real>(env, env.node[control.y], row, memory) - cast<Real>(scale * step);
        store_state<Real>(env, env.node[control.v_next], row, v, memory);
        store_state<Real>(env, env.node[control.projected], row, v, memory);
      },
      memory);
}

}  // namespace detail

/// x := W A x of the chains' free rows, scaled. After PowerUpdate.
template <class Precision>
struct ChainPower : ListKernel<Precision, ChainPower<Precision>, InPowerUpdate> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  NODIA_HD int size(const Environment& env) const { return env.n_chain; }
  template <class Memory>
  NODIA_HD void visit(const Environment& env, const VfpiControl& control, int c,
                      Memory memory) const {
    detail::solve_chain(
        env, c,
        [&](int row) { return cast<double>(load_planes<Real>(env.power_product, row, memory)); },
        [&](int row, Vec3d x) {
          memory.template store_node<Real>(env.power, row, cast<Real>(control.power_scale * x));
        },
        memory);
  }
};

struct ChainPart : PartOfW {
  using Counts = ChainCounts;
  using Offsets = ChainOffsets;
  template <class, class Space>
  using Arrays = Chains<Space>;

  static void prepare(PartSetUp& s, Chains<HostMemory>* chains);
  static void fill(const PartSetUp& s, int env, Chains<HostMemory>* chains);

  template <class Precision>
  NODIA_HD static bool present(const VfpiEnvironment<Precision>& env) {
    return env.n_chain > 0;
  }

  template <class Precision, class Memory>
  NODIA_HD static void step(const VfpiEnvironment<Precision>& env, const VfpiControl& control,
                            int first, Memory memory) {
    for (int c = first; c < env.n_chain; c += lane_count(env))
      detail::chain_step(env, control, c, memory);
  }
  template <class Precision, class Memory>
  NODIA_HD static void add_power_sums(const VfpiEnvironment<Precision>& env, int first, int stride,
                                      double* sums, Memory memory) {
    const auto x = power_vector(env, memory);
    for (int c = first; c < env.n_chain; c += stride)
      sums[1] += detail::chain_metric(env, c, x, memory);
  }
  template <class Schedule>
  static void power(Schedule& s) {
    s.template chunks<ChainPower>("chain_power");
  }
};

}  // namespace nodia

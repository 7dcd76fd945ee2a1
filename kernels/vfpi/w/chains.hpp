/// Preconditioner blocks of chains: cables, whose links are coupled with their neighbours only.
///
/// Rows with contacts keep their own w, so that Jc W Jc^T stays diagonal (Lee et al., Prop. 3). On
/// the free rows W = B^-1, B = A + kv Jv^T Jv between free rows; B is block tridiagonal with 6x6
/// blocks. Rows that are not free have the identity and no coupling.
///
/// A chain has kSegments segments of m links, one lane each; the last link of a full segment is its
/// separator. Elimination repeatedly removes every second link of a segment. For the remaining
/// separators, T = B^-1 is a dense matrix. Link e is eliminated between its neighbours a and b:
///
///   G_ae = -B_ae B_ee^-1,    B_aa += G_ae B_ea,    B_ba += G_be B_ea;    likewise for b
///   y_a += G_ae y_e,         y_b += G_be y_e
///   x = T y                  on separators
///   x_e = B_ee^-1 y_e + G_ae^T x_a + G_be^T x_b
///
/// A chain of n links takes 2 log2(n / kSegments) + 1 sequential steps.
#pragma once

#include "kernels/vfpi/w/part.hpp"

namespace nodia {

/// Rows of a link: linear and angular velocity.
inline constexpr int kRowsOfLink = 2;
inline constexpr int kValuesOfLink = 3 * kRowsOfLink;
inline constexpr int kLinkMatrixSize = kValuesOfLink * kValuesOfLink;
/// Segments of a chain. If there are fewer links, every link is a separator.
inline constexpr int kSegments = 8;
/// Values of all segments' links at one position, and of matrices of them.
inline constexpr int kSegmentVector = kValuesOfLink * kSegments;
inline constexpr int kSegmentMatrix = kLinkMatrixSize * kSegments;

/// All segments in one register of doubles, for packs with more lanes.
struct SegmentLanes {
  static constexpr int kLanes = kSegments;
  template <class T>
  static constexpr int kRegisterBytes = kSegments * sizeof(T);
};

/// Matrices of an eliminated link: B_ee^-1, G_ae and G_be.
enum class LinkFactor : int { inverse, to_before, to_after };
inline constexpr int kLinkFactors = 3;

/// Positions in a segment: 0 is the separator before it (the lane's copy), 1 .. m - 1 are inside, m
/// is its own separator. A segment that is not full may lack inner positions and position m; these
/// have zeros and no coupling.
struct Chain {
  std::int32_t first_link = 0, n_link = 0;  ///< within the environment
  std::int32_t segment = 1;                 ///< m, links of a full segment
  std::int32_t n_step = 0;                  ///< elimination steps inside a segment: 2^n_step >= m
  std::int64_t first_factor = 0, first_work = 0;  ///< in units of Chains, within the environment

  NODIA_HD int n_separator() const { return n_link / segment; }
  /// Link of segment s at position 1 .. m; at least n_link if there is none.
  NODIA_HD int link_at(int s, int place) const { return s * segment + place - 1; }
  /// Step k eliminates the positions h, 3 h, 5 h, ... before m, h = 2^k. The neighbours of a
  /// position are h positions before it and this position after it.
  NODIA_HD int place_after(int place, int h) const {
    return place + h < segment ? place + h : segment;
  }
  /// Values of chain_factor and of chain_work, in units of Chains.
  NODIA_HD std::int64_t n_factor() const {
    return std::int64_t{kLinkFactors} * (segment - 1) + n_separator();
  }
  NODIA_HD std::int64_t n_work() const { return std::int64_t{2} * (segment + 1) + n_separator(); }
};

struct ChainCounts {
  std::int32_t n_chain = 0, n_link = 0;
};

struct ChainOffsets {
  std::int64_t first_chain = 0, first_link = 0;
  std::int64_t first_chain_factor = 0, first_chain_work = 0;
};

template <class Space>
struct Chains {
  template <class T>
  using In = typename Space::template In<T>;
  template <class T>
  using Out = typename Space::template Out<T>;

  In<Chain> chain{};             ///< [n_chain]
  In<std::int32_t> chain_row{};  ///< kRowsOfLink per link; -1: the row has a contact
  In<double> chain_matrix{};     ///< per link, row by row: B_kk, and B_k(k-1) (zero for the first)
  /// Per chain: kLinkFactors matrices of the links at positions 1 .. m - 1, then the columns of T
  /// for every separator; row by row, with kSegments values per entry.
  In<double> chain_factor{};
  Out<double> chain_work{};  ///< per chain: y, then x, of positions 0 .. m; T y by columns

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = ChainOffsets;
    constexpr Written kProblem = Written::every_problem;
    f(Field<O>{"chain", kProblem, &O::first_chain}, g.chain...);
    f(Field<O>{"chain_row", kProblem, &O::first_link, kRowsOfLink}, g.chain_row...);
    f(Field<O>{"chain_matrix", kProblem, &O::first_link, 2 * kLinkMatrixSize}, g.chain_matrix...);
    f(Field<O>{"chain_factor", kProblem, &O::first_chain_factor, kSegmentMatrix},
      g.chain_factor...);
    f(Field<O>{"chain_work", Written::by_loop, &O::first_chain_work, kSegmentVector},
      g.chain_work...);
  }
};

namespace detail {

/// Arrays of one chain.
struct ChainView : Chain {
  const std::int32_t* row;
  const double* factor;
  double* work;

  NODIA_HD double* y(int place) const { return work + std::int64_t{kSegmentVector} * place; }
  NODIA_HD double* x(int place) const { return y(segment + 1 + place); }
  NODIA_HD double* share(int separator) const { return x(segment + 1 + separator); }
  NODIA_HD const double* matrix(int place, LinkFactor which) const {
    return factor +
           (std::int64_t{place - 1} * kLinkFactors + static_cast<int>(which)) * kSegmentMatrix;
  }
  NODIA_HD const double* columns_of_T(int separator) const {
    return matrix(segment, LinkFactor::inverse) + std::int64_t{kSegmentMatrix} * separator;
  }
};

template <class Precision>
NODIA_HD ChainView view_chain(const VfpiEnvironment<Precision>& env, int c) {
  const Chain chain = env.chain[c];
  return {chain, env.chain_row + std::int64_t{kRowsOfLink} * chain.first_link,
          env.chain_factor + kSegmentMatrix * chain.first_factor,
          env.chain_work + kSegmentVector * chain.first_work};
}

/// Values of a link.
template <class P>
struct LinkValues {
  P value[kValuesOfLink];
};

template <class P, class Memory>
NODIA_HD LinkValues<P> load_link(const double* v, int s, Memory memory) {
  LinkValues<P> a;
  for (int i = 0; i < kValuesOfLink; ++i)
    a.value[i] = memory.template load<P>(v + s + i * kSegments);
  return a;
}
template <class P, class Memory>
NODIA_HD void store_link(double* v, int s, const LinkValues<P>& a, Memory memory) {
  for (int i = 0; i < kValuesOfLink; ++i)
    memory.template store<P>(v + s + i * kSegments, a.value[i]);
}
/// sum + M v for the segments from s on. @param v  value j of the link: v(j)
template <class P, class V, class Memory>
NODIA_HD LinkValues<P> add_product(LinkValues<P> sum, const double* M, int s, const V& v,
                                   Memory memory) {
  for (int j = 0; j < kValuesOfLink; ++j) {
    const P x = v(j);
    for (int i = 0; i < kValuesOfLink; ++i)
      sum.value[i] = fused(memory.template load<P>(M + s + (kValuesOfLink * i + j) * kSegments), x,
                           sum.value[i]);
  }
  return sum;
}
template <class P, class Memory>
NODIA_HD LinkValues<P> add_product(const LinkValues<P>& sum, const double* M, const double* v,
                                   int s, Memory memory) {
  return add_product(
      sum, M, s, [&](int j) { return memory.template load<P>(v + s + j * kSegments); }, memory);
}
/// sum + M^T v
template <class P, class Memory>
NODIA_HD LinkValues<P> add_transposed(LinkValues<P> sum, const double* M, const double* v, int s,
                                      Memory memory) {
  for (int j = 0; j < kValuesOfLink; ++j) {
    const P x = memory.template load<P>(v + s + j * kSegments);
    for (int i = 0; i < kValuesOfLink; ++i)
      sum.value[i] = fused(memory.template load<P>(M + s + (kValuesOfLink * j + i) * kSegments), x,
                           sum.value[i]);
  }
  return sum;
}

/// Calls f(row, at) for the free rows of the lanes' links at a position. @param s  first segment.
/// @param at  index of the row's x component; y and z follow kSegments values further each
template <int n_lane, class F>
NODIA_HD void for_link_rows(const ChainView& chain, int place, int s, const F& f) {
  for (int l = s; l < s + n_lane; ++l) {
    const int link = chain.link_at(l, place);
    if (link >= chain.n_link) return;
    for (int r = 0; r < kRowsOfLink; ++r)
      if (const int row = chain.row[kRowsOfLink * link + r]; row >= 0)
        f(row, 3 * kSegments * r + l);
  }
}

}  // namespace detail

/// Computes B^-1 g on the chains' free rows. Derived has g(env, row, memory) and result(env, row,
/// x, memory). One block handles a chain.
template <class Precision, class Derived, class When>
struct ChainInverse : ChunkKernel<Precision> {
  using Shared = NoShared;
  enum Phase : int { kLoad, kEliminate, kSeparators, kSubstitute, kResult, kPhases };
  static constexpr PhaseShape shape(int) { return {}; }
  static constexpr bool is_repeated(int) { return true; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return env.n_chain > 0 && When::enabled(env, memory.read(env.control), this->batch->options);
  }
  template <int phase, class Memory>
  NODIA_HD int n_lane(int item, int round, Memory memory) const {
    const auto& env = this->environment(item, memory);
    int n = 0;
    for (int c = first_chain(item, memory); c < env.n_chain; c += env.n_chunk) {
      const int own = kSegments * n_place<phase>(env.chain[c], round);
      n = own > n ? own : n;
    }
    n = (n + kSliceRows - 1) / kSliceRows * kSliceRows;
    return n < kBlockLanes ? n : kBlockLanes;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run_round(int item, int round, int lane, NoShared&, Memory memory) const {
    using Taken = std::conditional_t<(Isa::kLanes > kSegments), SegmentLanes, Isa>;
    const auto& env = this->environment(item, memory);
    for (int c = first_chain(item, memory); c < env.n_chain; c += env.n_chunk) {
      const detail::ChainView chain = detail::view_chain(env, c);
      const int n = kSegments * n_place<phase>(chain, round);
      for (int first = lane; first < n; first += kBlockLanes)
        for (int t = first; t < first + Isa::kLanes && t < n; t += Taken::kLanes)
          visit<phase, Taken>(env, chain, round, t / kSegments, t % kSegments, memory);
    }
  }

 private:
  template <class Isa>
  using P = Lanes<double, Isa>;

  /// Positions in a round of the phase; 0: there is no such round.
  template <int phase>
  NODIA_HD static int n_place(const Chain& chain, int round) {
    const int m = chain.segment;
    if constexpr (phase == kLoad) {
      return round == 0 ? m + 1 : 0;
    } else if constexpr (phase == kEliminate) {  // 0, 2 h, 4 h, ..., then m
      return round < chain.n_step ? ((m - 1) >> (round + 1)) + 2 : 0;
    } else if constexpr (phase == kSeparators) {
      return round == 0 ? chain.n_separator() : round == 1 ? 1 : 0;
    } else if constexpr (phase == kSubstitute) {  // h, 3 h, ..., before m
      const int step = chain.n_step - 1 - round;
      return step >= 0 ? (m - 1 + (1 << step)) >> (step + 1) : 0;
    } else {
      return round == 0 ? m : 0;
    }
  }

  template <class Memory>
  NODIA_HD int first_chain(int item, Memory memory) const {
    return this->item_of(item, memory).chunk;
  }

  /// Handles the k-th position of a round, for the segments from s on.
  template <int phase, class Isa, class Memory>
  NODIA_HD void visit(const VfpiEnvironment<Precision>& env, const detail::ChainView& chain,
                      int round, int k, int s, Memory memory) const {
    if constexpr (phase == kLoad)
      load<Isa>(env, chain, k, s, memory);
    else if constexpr (phase == kEliminate)
      eliminate<Isa>(chain, round, k, s, memory);
    else if constexpr (phase == kSubstitute)
      substitute<Isa>(chain, chain.n_step - 1 - round, k, s, memory);
    else if constexpr (phase == kResult)
      result<Isa>(env, chain, k + 1, s, memory);
    else if (round == 0)
      multiply_separator<Isa>(chain, k, s, memory);
    else
      add_separators<Isa>(chain, s, memory);
  }

  template <class Isa, class Memory>
  NODIA_HD void load(const VfpiEnvironment<Precision>& env, const detail::ChainView& chain,
                     int place, int s, Memory memory) const {
    double* y = chain.y(place);
    detail::store_link(y, s, detail::LinkValues<P<Isa>>{}, memory);
    if (place == 0) return;
    detail::for_link_rows<Isa::kLanes>(chain, place, s, [&](int row, int at) {
      const Vec3d g = static_cast<const Derived*>(this)->g(env, row, memory);
      for (int i = 0; i < 3; ++i) memory.write(y + at + i * kSegments, g[i]);
    });
  }

  /// Computes y of a link that remains after a step.
  template <class Isa, class Memory>
  NODIA_HD void eliminate(const detail::ChainView& chain, int step, int k, int s,
                          Memory memory) const {
    const int m = chain.segment, h = 1 << step, last = (m - 1) >> step;
    const bool separator = 2 * k > last;  // before m: 0, h, 2 h, ..., last h
    const int place = separator ? m : 2 * h * k;
    const int before = separator ? (last % 2 != 0 ? last * h : 0) : place - h;
    const int after = separator ? m : place + h;
    auto y = detail::load_link<P<Isa>>(chain.y(place), s, memory);
    if (before > 0)
      y = detail::add_product(y, chain.matrix(before, LinkFactor::to_after), chain.y(before), s,
                              memory);
    if (after < m)
      y = detail::add_product(y, chain.matrix(after, LinkFactor::to_before), chain.y(after), s,
                              memory);
    detail::store_link(chain.y(place), s, y, memory);
  }

  /// Adds the contribution of separator k to T y.
  template <class Isa, class Memory>
  NODIA_HD void multiply_separator(const detail::ChainView& chain, int k, int s,
                                   Memory memory) const {
    const auto y = [&](int j) {
      double own = memory.read(chain.y(chain.segment) + j * kSegments + k);
      if (k + 1 < kSegments) own += memory.read(chain.y(0) + j * kSegments + k + 1);
      return P<Isa>(own);
    };
    detail::store_link(
        chain.share(k), s,
        detail::add_product(detail::LinkValues<P<Isa>>{}, chain.columns_of_T(k), s, y, memory),
        memory);
  }
  /// Computes x of the separators, at position m and at position 0 of the next segments.
  template <class Isa, class Memory>
  NODIA_HD void add_separators(const detail::ChainView& chain, int s, Memory memory) const {
    auto x = detail::load_link<P<Isa>>(chain.share(0), s, memory);
    for (int k = 1; k < chain.n_separator(); ++k) {
      const auto share = detail::load_link<P<Isa>>(chain.share(k), s, memory);
      for (int i = 0; i < kValuesOfLink; ++i) x.value[i] += share.value[i];
    }
    detail::store_link(chain.x(chain.segment), s, x, memory);
    for (int i = 0; i < kValuesOfLink; ++i) {
      double* next = chain.x(0) + i * kSegments;
      if (s == 0) memory.write(next, 0.0);
      for (int l = 0; l < Isa::kLanes && s + l + 1 < kSegments; ++l)
        memory.write(next + s + l + 1, lane_of(x.value[i], l));
    }
  }

  /// Computes x of a link that was eliminated in a step.
  template <class Isa, class Memory>
  NODIA_HD void substitute(const detail::ChainView& chain, int step, int k, int s,
                           Memory memory) const {
    const int h = 1 << step, e = (2 * k + 1) * h;
    auto x = detail::add_product(detail::LinkValues<P<Isa>>{}, chain.matrix(e, LinkFactor::inverse),
                                 chain.y(e), s, memory);
    x = detail::add_transposed(x, chain.matrix(e, LinkFactor::to_before), chain.x(e - h), s,
                               memory);
    x = detail::add_transposed(x, chain.matrix(e, LinkFactor::to_after),
                               chain.x(chain.place_after(e, h)), s, memory);
    detail::store_link(chain.x(e), s, x, memory);
  }

  template <class Isa, class Memory>
  NODIA_HD void result(const VfpiEnvironment<Precision>& env, const detail::ChainView& chain,
                       int place, int s, Memory memory) const {
    const double* x = chain.x(place);
    detail::for_link_rows<Isa::kLanes>(chain, place, s, [&](int row, int at) {
      static_cast<const Derived*>(this)->result(
          env, row,
          Vec3d{memory.read(x + at), memory.read(x + at + kSegments),
                memory.read(x + at + 2 * kSegments)},
          memory);
    });
  }
};

/// v* = v** = y - W gradient on the chains' free rows.
template <class Precision>
struct ChainStep : ChainInverse<Precision, ChainStep<Precision>, InIteration> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD Vec3d g(const Environment& env, int row, Memory memory) const {
    return cast<double>(load_planes<Real>(env.gradient, row, memory));
  }
  template <class Memory>
  NODIA_HD void result(const Environment& env, int row, Vec3d x, Memory memory) const {
    const VfpiControl& control = memory.read_members(env.control);
    const double scale = control.alpha * control.body_scale;
    const Vec3<Real> v =
        load_state<Real>(env, env.node[control.y], row, memory) - cast<Real>(scale * x);
    store_state<Real>(env, env.node[control.v_next], row, v, memory);
    store_state<Real>(env, env.node[control.projected], row, v, memory);
  }
};

/// x := W A x on the chains' free rows, scaled. Runs after PowerUpdate.
template <class Precision>
struct ChainPower : ChainInverse<Precision, ChainPower<Precision>, InPowerUpdate> {
  using Environment = VfpiEnvironment<Precision>;
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD Vec3d g(const Environment& env, int row, Memory memory) const {
    return cast<double>(load_planes<Real>(env.power_product, row, memory));
  }
  template <class Memory>
  NODIA_HD void result(const Environment& env, int row, Vec3d x, Memory memory) const {
    const VfpiControl& control = memory.read_members(env.control);
    memory.template store_node<Real>(env.power, row, cast<Real>(control.power_scale * x));
  }
};

namespace detail {

/// sum += scale m v
NODIA_HD void add_link_product(const double* m, const double* v, double scale, double* sum) {
  for (int i = 0; i < kValuesOfLink; ++i) {
    double own = 0;
    for (int j = 0; j < kValuesOfLink; ++j) own += m[kValuesOfLink * i + j] * v[j];
    sum[i] += scale * own;
  }
}

/// Gathers the rows of link k from x(row), with zeros for rows that are not free.
template <class Precision, class X>
NODIA_HD void gather_link(const VfpiEnvironment<Precision>& env, int k, const X& x, double* v) {
  for (int r = 0; r < kRowsOfLink; ++r) {
    const int row = env.chain_row[kRowsOfLink * k + r];
    const Vec3d a = row >= 0 ? x(row) : Vec3d{};
    for (int i = 0; i < 3; ++i) v[3 * r + i] = a[i];
  }
}

/// Contribution of link k to x.B x over the free rows, minus x.W^-1 x of its rows.
template <class Precision, class X, class Memory>
NODIA_HD double link_metric(const VfpiEnvironment<Precision>& env, int k, const X& x,
                            Memory memory) {
  const double* matrix = env.chain_matrix + std::int64_t{2 * kLinkMatrixSize} * k;
  double v[kValuesOfLink], before[kValuesOfLink], Bv[kValuesOfLink] = {};
  gather_link(env, k, x, v);
  add_link_product(matrix, v, 1, Bv);
  if (k > 0) {
    gather_link(env, k - 1, x, before);
    add_link_product(matrix + kLinkMatrixSize, before, 2, Bv);
  }
  double sum = 0;
  for (int i = 0; i < kValuesOfLink; ++i) sum += v[i] * Bv[i];
  for (int r = 0; r < kRowsOfLink; ++r)
    if (const int row = env.chain_row[kRowsOfLink * k + r]; row >= 0)
      sum -= squared_norm(x(row)) / memory.read(env.w_unguarded + row);
  return sum;
}

}  // namespace detail

/// The step of the block is a kernel, ChainStep.
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
  NODIA_HD static void add_power_sums(const VfpiEnvironment<Precision>& env, int first, int stride,
                                      double* sums, Memory memory) {
    const auto x = power_vector(env, memory);
    for (int k = first; k < env.n_link; k += stride)
      sums[1] += detail::link_metric(env, k, x, memory);
  }
  template <class Schedule>
  static void power(Schedule& s) {
    s.template chunks<ChainPower>("chain_power");
  }
};

}  // namespace nodia

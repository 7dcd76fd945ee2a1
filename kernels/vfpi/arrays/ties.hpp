/// Virtual nodes (Lee et al., (14)): node k is tied to sum_e J_e v[tie_row[e]], e in [tie_begin[k],
/// tie_begin[k + 1]), with gain tie_gain[k].
#pragma once

#include "kernels/vfpi/arrays/contacts.hpp"

namespace nodia {

struct TieCounts {
  std::int32_t n_virtual = 0;   ///< virtual nodes
  std::int32_t n_tied_row = 0;  ///< rows of A that they are tied to
};

struct TieOffsets {
  std::int64_t first_virtual = 0, first_tie_begin = 0;
  std::int64_t first_part = 0;  ///< parts of points
  std::int64_t first_tied_row = 0, first_tied_begin = 0;
};

/// Rows and parts are counted from their environment's first; tied rows ascend.
template <class Space>
struct TieLists {
  template <class T>
  using In = typename Space::template In<T>;

  In<std::int32_t> tie_begin{};   ///< [n_virtual + 1]
  In<std::int32_t> tie_row{};     ///< per part
  In<double> tie_weight{};        ///< per part, see TieStepSize [-]
  In<std::int32_t> tied_row{};    ///< [n_tied_row]
  In<std::int32_t> tied_begin{};  ///< [n_tied_row + 1] into tied_part
  In<std::int32_t> tied_part{};   ///< 2 values each: the part, its virtual node

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = TieOffsets;
    constexpr Written kProblem = Written::every_problem;
    f(Field<O>{"tie_begin", kProblem, &O::first_tie_begin}, g.tie_begin...);
    f(Field<O>{"tie_row", kProblem, &O::first_part}, g.tie_row...);
    f(Field<O>{"tie_weight", kProblem, &O::first_part}, g.tie_weight...);
    f(Field<O>{"tied_row", kProblem, &O::first_tied_row}, g.tied_row...);
    f(Field<O>{"tied_begin", kProblem, &O::first_tied_begin}, g.tied_begin...);
    f(Field<O>{"tied_part", kProblem, &O::first_part, 2}, g.tied_part...);
  }
};

template <class Precision, class Space>
struct TieValues {
  using Real = typename Precision::Real;
  template <class T>
  using In = typename Space::template In<T>;
  template <class T>
  using Out = typename Space::template Out<T>;

  In<Real> tie_jacobian{};  ///< per part 9 values, by rows
  In<Real> tie_gain{};      ///< per virtual node: kv [N s/m]
  Out<Real> tied_force{};   ///< planes of rows: Jv^T of the contact forces, 0 elsewhere [N]
  Out<Real> point{};        ///< planes of virtual nodes: Jv v_o of the answer
  In<double> softness{};    ///< per slot: sum of 1/kv of its virtual sides
  In<Real> phi{};           ///< per slot, kNodeStride scalars: without any bias
  Out<Real> bias_lambda{};  ///< likewise: the lambda whose bias is cancelled [N]

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = TieOffsets;
    using C = ContactOffsets;
    using R = RowOffsets;
    constexpr Written kProblem = Written::every_problem;
    constexpr auto kTies = &LoopNeeds::ties;
    f(Field<O>{"tie_jacobian", kProblem, &O::first_part, 9}, g.tie_jacobian...);
    f(Field<O>{"tie_gain", kProblem, &O::first_virtual}, g.tie_gain...);
    f(Field<R>{"tied_force", kProblem, &R::first_row, kNodeStride, kTies}, g.tied_force...);
    f(Field<R>{"point", Written::by_loop, &R::first_row, kNodeStride, kTies}, g.point...);
    f(Field<C>{"softness", kProblem, &C::first_slot, 1, kTies}, g.softness...);
    f(Field<C>{"phi", kProblem, &C::first_slot, kNodeStride, kTies}, g.phi...);
    f(Field<C>{"bias_lambda", kProblem, &C::first_slot, kNodeStride, kTies}, g.bias_lambda...);
  }
};

}  // namespace nodia

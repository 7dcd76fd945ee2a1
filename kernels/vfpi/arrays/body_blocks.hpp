/// Bodies with a dense block of W: rigid bodies, robots (kernels/vfpi/w/body_blocks.hpp).
#pragma once

#include "kernels/vfpi/arrays/group.hpp"

namespace nodia {

struct BodyBlockCounts {
  std::int32_t n_body = 0;
};

struct BodyBlockOffsets {
  std::int64_t first_body = 0, first_body_begin = 0;
  std::int64_t first_body_row = 0;
  std::int64_t first_body_value = 0;
};

/// Body g has the rows body_row[body_begin[g]] .. body_row[body_begin[g + 1] - 1]; a matrix of its
/// 3 n x 3 n values by rows begins at body_value_begin[g].
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

}  // namespace nodia

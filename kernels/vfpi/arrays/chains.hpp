/// Chains with a block tridiagonal block of W^-1: cables (kernels/vfpi/w/chains.hpp).
#pragma once

#include "kernels/vfpi/arrays/group.hpp"

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

}  // namespace nodia

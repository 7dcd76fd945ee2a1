/// Where the loop keeps virtual nodes, groups of rows and chains: the lists of
/// kernels/vfpi/environment.hpp.
#pragma once

#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/row_layout.hpp"

namespace nodia {

/// An environment's part of the arrays.
struct TieRange {
  std::int32_t n_virtual = 0, n_tied_row = 0, n_group = 0;
  std::int64_t first_virtual = 0;   ///< in tie_gain; in tie_begin plus the environment
  std::int64_t first_part = 0;      ///< in tie_row, tie_weight, tied_part / 2
  std::int64_t first_tied_row = 0;  ///< in tied_row; in tied_begin plus the environment
  std::int64_t first_group = 0;     ///< in group_value_begin; in group_begin plus the environment
  std::int64_t first_group_row = 0;
  std::int64_t first_group_value = 0;
  std::int32_t n_chain = 0;
  std::int64_t first_chain = 0;  ///< in chain_begin, less the environment's number
  std::int64_t first_link = 0;
};

/// Indices count from the environment's first; tied rows ascend.
struct TieLayout {
  std::vector<TieRange> env;
  AlignedVector<std::int32_t> tie_begin, tie_row, tied_row, tied_begin, tied_part;
  AlignedVector<double> tie_jacobian, tie_weight, tie_gain;
  AlignedVector<std::int32_t> group_begin, group_row, group_value_begin;
  AlignedVector<double> group_block, group_inverse;
  AlignedVector<std::int32_t> chain_begin, chain_row;
  AlignedVector<std::uint8_t> chain_free;
  AlignedVector<double> chain_matrix;

  void build(const ContactProblem& problem, const RowLayout& rows, const Nodalization& nodes);

 private:
  void build_ties(const ContactProblem& problem, const RowLayout& rows, int e);
  void build_groups(const ContactProblem& problem, const RowLayout& rows, int e);
  void build_chains(const ContactProblem& problem, const RowLayout& rows, int e);
};

}  // namespace nodia

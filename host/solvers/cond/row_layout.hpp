/// Where the loop keeps the rows and blocks of every environment: made once per pattern.
#pragma once

#include <memory>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/cond/aligned_vector.hpp"

namespace nodia {

/// An environment's part of the arrays.
struct RowRange {
  std::int32_t n_row = 0;              ///< rows of A
  std::int32_t n_chunk = 0;            ///< chunks of rows, padded, and of virtual nodes
  std::int32_t first_virtual_row = 0;  ///< counted from first_row, a multiple of kBlockLanes
  std::int64_t first_row = 0;          ///< in arrays over rows, a multiple of kBlockLanes
  std::int64_t first_slice = 0;        ///< in slice_begin, which has one more entry than slices
  std::int64_t first_block = 0;        ///< in blocks of kSliceRows
};

/// Rows of all environments one after another, each environment padded to whole chunks and followed
/// by room for its virtual nodes, in whole chunks too; the sliced
/// pattern of kernels/linalg/sliced_matrix.hpp, columns counted from the environment's first row.
struct RowLayout {
  std::vector<RowRange> env;
  std::int64_t n_row = 0;                   ///< padding included
  std::int64_t n_block = 0;                 ///< of kSliceRows lanes, padding included
  AlignedVector<std::int32_t> row_of_node;  ///< [n_node], counted over all environments
  AlignedVector<std::int32_t> slice_begin, column, block;

  /// Builds the layout where the problem's pattern or environments are not those of the last call,
  /// or its points do not fit.
  /// @return whether it was built
  bool build(const ContactProblem& problem);
  /// Row of a side of a contact, counted from its environment's first.
  std::int32_t side_row(const ContactProblem& p, int e, std::int32_t side) const {
    if (!p.is_point(side)) return local_row(e, side);
    return env[e].first_virtual_row + side - p.n_node() - p.first_point(e);
  }
  /// Row of a node, counted from its environment's first.
  std::int32_t local_row(int e, std::int32_t node) const {
    return row_of_node[node] - static_cast<std::int32_t>(env[e].first_row);
  }

 private:
  bool fits(const ContactProblem& problem) const;

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::int32_t> env_node_begin_;
};

}  // namespace nodia

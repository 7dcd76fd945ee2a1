/// A matrix of a multigrid level as cycles read it: in single precision, in the slices of
/// kernels/linalg/sliced_matrix.hpp, rows in their order.
#pragma once

#include <memory>
#include <vector>

#include "fem/block_matrix.hpp"
#include "host/solvers/linear/aligned_vector.hpp"
#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {

/// Rows of whole slices, as nodes with their padding: vectors of a level.
using PaddedNodes = AlignedVector<float>;

class SlicedRows {
 public:
  /// Lists of a pattern, unless they are its already. Values are made by RoundMatrix.
  void set_pattern(const std::shared_ptr<const BlockPattern>& pattern);
  SlicedPatternView pattern() const { return {slice_begin_.data(), column_.data(), block_.data()}; }
  float* value() { return value_.data(); }
  /// 0 before there is a pattern.
  int n_row() const { return of_ != nullptr ? of_->n_row() : 0; }

  /// Zeros for so many rows.
  static PaddedNodes nodes(int n_row);

 private:
  std::shared_ptr<const BlockPattern> of_;
  std::vector<std::int32_t> slice_begin_, column_, block_;
  AlignedVector<float> value_;
};

}  // namespace nodia

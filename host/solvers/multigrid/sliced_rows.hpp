/// A matrix of a multigrid level for cycles: in single precision, in the slices of
/// kernels/linalg/sliced_matrix.hpp, rows in their order.
#pragma once

#include <memory>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/base/aligned_vector.hpp"
#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {

/// Vector of a level: nodes with padding to whole slices.
using PaddedNodes = AlignedVector<float>;

class SlicedRows {
 public:
  /// Sets the lists of a pattern unless it has them already. RoundMatrix computes the values.
  void set_pattern(const std::shared_ptr<const BlockPattern>& pattern);
  SlicedPatternView pattern() const { return {slice_begin_.data(), column_.data(), block_.data()}; }
  float* value() { return value_.data(); }
  // Access as lists.
  const std::vector<std::int32_t>& slice_begin() const { return slice_begin_; }
  const std::vector<std::int32_t>& columns() const { return column_; }
  const std::vector<std::int32_t>& blocks() const { return block_; }
  const std::vector<std::int64_t>& places() const { return place_; }
  const AlignedVector<float>& values() const { return value_; }
  /// Per block of the pattern, index of its first value; the others follow at distance kSliceRows.
  const std::int64_t* place() const { return place_.data(); }
  /// Number of rows; 0 without a pattern.
  int n_row() const { return of_ != nullptr ? of_->n_row() : 0; }

  /// Sets every value by entry(row, column, r, c) of blocks.
  template <class Entry>
  void fill(const Entry& entry);

  /// Zero vector for n_row rows.
  static PaddedNodes nodes(int n_row);

 private:
  std::shared_ptr<const BlockPattern> of_;
  std::vector<std::int32_t> slice_begin_, column_, block_;
  std::vector<std::int64_t> place_;
  AlignedVector<float> value_;
};

template <class Entry>
void SlicedRows::fill(const Entry& entry) {
  const int n_slice = static_cast<int>(slice_begin_.size()) - 1;
  for (int slice = 0; slice < n_slice; ++slice)
    for (std::int64_t k = slice_begin_[slice]; k < slice_begin_[slice + 1]; ++k)
      for (int lane = 0; lane < kSliceRows; ++lane) {
        const auto at = static_cast<std::size_t>(k * kSliceRows + lane);
        const std::int32_t row = slice * kSliceRows + lane, column = column_[at] / kNodeStride;
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r)
            value_[static_cast<std::size_t>(k * kSliceBlock + (3 * c + r) * kSliceRows + lane)] =
                block_[at] < 0 ? 0.0F : static_cast<float>(entry(row, column, r, c));
      }
}

}  // namespace nodia

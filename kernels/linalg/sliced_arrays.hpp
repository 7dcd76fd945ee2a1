/// Converts a block-sparse matrix to the arrays of a sliced one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {

/// A in the form of sliced_matrix.hpp, with its row order, padded to whole chunks; for floats in
/// difference form. Every diagonal block must exist.
template <class Real>
struct SlicedArrays {
  int n_row = 0;  ///< padded to whole chunks
  std::vector<std::int32_t> slice_begin{0}, column;
  std::vector<Real> value;

  explicit SlicedArrays(const BlockCsrView<double>& A) : n_row(item_count(A.n_row) * kBlockLanes) {
    const int n_slice = n_row / kSliceRows;
    for (int slice = 0; slice < n_slice; ++slice) {
      std::int32_t longest = 0;
      for (int row = slice * kSliceRows; row < std::min((slice + 1) * kSliceRows, A.n_row); ++row)
        longest = std::max(longest, A.row_begin[row + 1] - A.row_begin[row]);
      slice_begin.push_back(slice_begin.back() + longest);
    }
    const auto n_block = static_cast<std::size_t>(slice_begin.back());
    column.resize(n_block * kSliceRows);
    value.assign(n_block * kSliceBlock, 0);
    for (int row = 0; row < n_row; ++row) fill(A, row);
  }

 private:
  void fill(const BlockCsrView<double>& A, int row) {
    const int slice = row / kSliceRows, lane = row % kSliceRows;
    std::int64_t k = slice_begin[slice];
    double sum[9] = {};
    const auto place = [&](std::int32_t j, const double* block) {
      column[k * kSliceRows + lane] = kNodeStride * j;
      for (int e = 0; block != nullptr && e < 9; ++e) {
        value[k * kSliceBlock + e * kSliceRows + lane] = static_cast<Real>(block[e]);
        sum[e] += block[e];
      }
      ++k;
    };
    if (row < A.n_row) {
      const auto each = [&](bool diagonal) {
        for (std::int32_t b = A.row_begin[row]; b < A.row_begin[row + 1]; ++b)
          if ((A.column[b] == row) == diagonal)
            place(A.column[b], A.value + 9 * static_cast<std::int64_t>(b));
      };
      each(true);
      each(false);
      if constexpr (std::is_same_v<Real, float>) place_sum(slice, lane, sum);
    }
    while (k < slice_begin[slice + 1]) place(row, nullptr);
  }
  /// Difference form: replaces the first block by the sum of the row's blocks.
  void place_sum(int slice, int lane, const double* sum) {
    const std::int64_t at = std::int64_t{slice_begin[slice]} * kSliceBlock + lane;
    for (int e = 0; e < 9; ++e) value[at + e * kSliceRows] = static_cast<Real>(sum[e]);
  }
};

}  // namespace nodia

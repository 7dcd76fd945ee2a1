#include "host/solvers/multigrid/sliced_rows.hpp"

#include <algorithm>

namespace nodia {
namespace {

int slice_count(int n_row) {
  return (n_row + kSliceRows - 1) / kSliceRows;
}

}  // namespace

PaddedNodes SlicedRows::nodes(int n_row) {
  PaddedNodes nodes(static_cast<std::size_t>(slice_count(n_row)) * kSliceRows * kNodeStride);
  std::fill(nodes.begin(), nodes.end(), 0.0F);
  return nodes;
}

void SlicedRows::set_pattern(const std::shared_ptr<const BlockPattern>& pattern) {
  const bool same = of_ != nullptr && (of_ == pattern || *of_ == *pattern);
  of_ = pattern;
  if (same) return;
  const int n_row = pattern->n_row(), n_slice = slice_count(n_row);
  slice_begin_.assign(static_cast<std::size_t>(n_slice) + 1, 0);
  for (int slice = 0; slice < n_slice; ++slice) {
    std::int32_t longest = 0;
    for (int i = slice * kSliceRows; i < std::min((slice + 1) * kSliceRows, n_row); ++i)
      longest = std::max(longest, pattern->row_begin[i + 1] - pattern->row_begin[i]);
    slice_begin_[slice + 1] = slice_begin_[slice] + longest;
  }
  const auto n_entry = static_cast<std::size_t>(slice_begin_.back()) * kSliceRows;
  column_.resize(n_entry);
  block_.resize(n_entry);
  value_.assign(9 * n_entry, 0.0F);
  place_.resize(static_cast<std::size_t>(pattern->n_block()));
  for (int row = 0; row < n_slice * kSliceRows; ++row) {
    const int slice = row / kSliceRows;
    std::size_t at = static_cast<std::size_t>(slice_begin_[slice]) * kSliceRows + row % kSliceRows;
    const std::size_t end = static_cast<std::size_t>(slice_begin_[slice + 1]) * kSliceRows;
    const auto place = [&](std::int32_t column, std::int32_t block) {
      column_[at] = kNodeStride * column;
      block_[at] = block;
      if (block >= 0)
        place_[block] = static_cast<std::int64_t>(at / kSliceRows) * kSliceBlock + row % kSliceRows;
      at += kSliceRows;
    };
    if (row < n_row) {
      const std::int32_t diagonal = pattern->diagonal[row];
      place(row, diagonal);
      for (std::int32_t k = pattern->row_begin[row]; k < pattern->row_begin[row + 1]; ++k)
        if (k != diagonal) place(pattern->column[k], k);
    }
    while (at < end) place(row, -1);
  }
}

}  // namespace nodia

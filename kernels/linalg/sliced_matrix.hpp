/// Sliced block rows: the format in which the V-FPI loop reads A (SELL of 3x3 blocks).
///
/// A slice has kSliceRows consecutive rows, padded with zero blocks to the length of its longest
/// row. The k-th blocks of its rows are stored together, as nine columns of kSliceRows values
/// (columns of the block first), so that neighbouring lanes read neighbouring values on every
/// backend:
///
///   value[(k 9 + 3 c + r) kSliceRows + lane] = block_k(r, c) of row slice kSliceRows + lane,
///   slice_begin[slice] <= k < slice_begin[slice + 1]
///
/// A row's first block is its diagonal block; the others follow by ascending column.
///
/// In difference form the first block is S_i, the sum of the row's blocks, and
///
///   (A x)_i = S_i x_i + sum_(j != i) A_ij (x_j - x_i),
///
/// which is exact for rigid translations whatever the rounding of A_ij (performance.md section 2).
#pragma once

#include <type_traits>

#include "kernels/core/mat3.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

/// Rows of a slice: a register of floats on the CPU, half a warp on the device.
inline constexpr int kSliceRows = 16;
/// Values of one block for all rows of a slice.
inline constexpr int kSliceBlock = 9 * kSliceRows;

/// Blocks of threads that a multiprocessor should hold for a kernel around one product
/// (resident_blocks.hpp). With more, the compiler has fewer registers for the loads, and lanes wait
/// for each load separately.
template <class Real>
inline constexpr int kProductResidentBlocks = std::is_same_v<Real, float> ? 4 : 3;

struct SlicedPatternView {
  const std::int32_t* slice_begin = nullptr;  ///< [n_slice + 1]
  const std::int32_t* column = nullptr;  ///< per slice, k and lane: kNodeStride times the column
  const std::int32_t* block = nullptr;   ///< same: index in block_csr.hpp's order; -1: padding
};

/// Sum over the blocks of the lanes' rows, block after block.
template <class P, bool difference, class Memory>
class SlicedRowSum {
 public:
  NODIA_HD SlicedRowSum(const SlicedPatternView& pattern, const Scalar<P>* value,
                        const Scalar<P>* x, int row, Memory memory)
      : x_(x), memory_(memory) {
    const int slice = row / kSliceRows, lane = row % kSliceRows;
    const std::int64_t begin = pattern.slice_begin[slice];
    left_ = pattern.slice_begin[slice + 1] - pattern.slice_begin[slice];
    column_ = pattern.column + begin * kSliceRows + lane;
    value_ = value + begin * kSliceBlock + lane;
    detail::assume_global(column_);
    detail::assume_global(value_);
    if constexpr (difference) own_ = memory.template load_node<P>(x, row);
  }

  /// Number of blocks that are not added yet.
  NODIA_HD int left() const { return left_; }
  NODIA_HD Vec3<P> sum() const { return sum_; }

  /// Columns of the i-th block from here.
  NODIA_HD const std::int32_t* columns(int i) const { return column_ + i * kSliceRows; }
  /// x_j of the i-th block from here; in difference form x_j - x_i, except for the row's first
  /// block.
  NODIA_HD Vec3<P> gathered(int i, const std::int32_t* columns) const {
    Vec3<P> x = memory_.template gather_node<P>(x_, columns);
    if constexpr (difference)
      if (i > 0 || !is_first_) x -= own_;
    return x;
  }
  /// Adds the i-th block from here.
  NODIA_HD void add(int i, Vec3<P> x) {
    const Scalar<P>* plane = value_ + i * kSliceBlock;
    const P components[3] = {x.x, x.y, x.z};
    for (int c = 0; c < 3; ++c, plane += 3 * kSliceRows) {
      sum_.x = fused(memory_.template load<P>(plane), components[c], sum_.x);
      sum_.y = fused(memory_.template load<P>(plane + kSliceRows), components[c], sum_.y);
      sum_.z = fused(memory_.template load<P>(plane + 2 * kSliceRows), components[c], sum_.z);
    }
  }
  NODIA_HD void go_on(int n) {
    column_ += n * kSliceRows;
    value_ += n * kSliceBlock;
    left_ -= n;
    is_first_ = false;
  }

 private:
  const Scalar<P>* x_;
  Memory memory_;
  int left_ = 0;
  bool is_first_ = true;
  const std::int32_t* column_ = nullptr;
  const Scalar<P>* value_ = nullptr;
  Vec3<P> own_{};
  Vec3<P> sum_{P(Scalar<P>(0)), P(Scalar<P>(0)), P(Scalar<P>(0))};
};

/// Adds n blocks of one row whose columns are known. All gathers start before the first sum waits
/// for its own.
template <int n, class Sum>
NODIA_HD void add_together(Sum* sum, const std::int32_t (&column)[n]) {
  decltype(sum->sum()) x[n];
  for (int i = 0; i < n; ++i) x[i] = sum->gathered(i, column + i);
  for (int i = 0; i < n; ++i) sum->add(i, x[i]);
  sum->go_on(n);
}

/// Adds all blocks of one row, n at a time and the rest one by one, while the next columns are
/// loaded. A lane of a device waits for its loads, and a gather that has to wait for its column
/// waits twice.
template <int n, class Sum>
NODIA_HD void add_in_groups(Sum* sum) {
  std::int32_t next[n] = {};
  const auto load_next = [&](int from) {
    if (sum->left() < from + n) return;
    for (int i = 0; i < n; ++i) next[i] = *sum->columns(from + i);
  };
  load_next(0);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  while (sum->left() >= n) {
    std::int32_t column[n];
    for (int i = 0; i < n; ++i) column[i] = next[i];
    load_next(n);
    add_together(sum, column);
  }
  if constexpr (n > 2) {
    add_in_groups<1>(sum);
  } else if constexpr (n == 2) {
    if (sum->left() > 0) add_together<1>(sum, {*sum->columns(0)});
  }
}

/// (A x)_i for the rows of the lanes.
///
/// The order of the sums is fixed on every backend: blocks in their order; within a block the
/// columns in order, each addition fused with its product.
///
/// @tparam P           number type of the product; Scalar<P> is that of the matrix and of x
/// @tparam difference  true if the matrix is in difference form
/// @tparam together    number of blocks that a lane of a device loads at once; more need more
/// registers
/// @param x            vectors of nodes
template <class P, bool difference, int together = 4, class Memory>
NODIA_HD Vec3<P> sliced_row_product(const SlicedPatternView& pattern, const Scalar<P>* value,
                                    const Scalar<P>* x, int row, Memory memory) {
  SlicedRowSum<P, difference, Memory> sum(pattern, value, x, row, memory);
#if defined(__CUDA_ARCH__)
  add_in_groups<together>(&sum);
#else
  for (; sum.left() > 0; sum.go_on(1)) sum.add(0, sum.gathered(0, sum.columns(0)));
#endif
  return sum.sum();
}

}  // namespace nodia

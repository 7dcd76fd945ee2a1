/// Sliced block rows: the format in which the V-FPI loop reads A (SELL of 3x3 blocks).
///
/// A slice is kSliceRows consecutive rows, padded to the length of its longest with zero blocks.
/// The k-th blocks of its rows lie together, as nine planes of kSliceRows values (columns of the
/// block first), so that neighbouring lanes read neighbouring values on every backend:
///
///   value[(k 9 + 3 c + r) kSliceRows + lane] = block_k(r, c) of row slice kSliceRows + lane,
///   slice_begin[slice] <= k < slice_begin[slice + 1]
///
/// A row's first block is its diagonal block; the others follow by ascending column.
///
/// In difference form the first block holds S_i, the sum of the row's blocks, and
///
///   (A x)_i = S_i x_i + sum_(j != i) A_ij (x_j - x_i),
///
/// which is exact for rigid translations whatever the rounding of A_ij (performance.md section 2).
#pragma once

#include "kernels/core/mat3.hpp"
#include "kernels/launch/memory.hpp"

namespace nodia {

/// Rows of a slice: a register of floats on the CPU, half a warp of the device.
inline constexpr int kSliceRows = 16;
/// Values of one block of all rows of a slice.
inline constexpr int kSliceBlock = 9 * kSliceRows;

struct SlicedPatternView {
  const std::int32_t* slice_begin = nullptr;  ///< [n_slice + 1]
  const std::int32_t* column = nullptr;  ///< per slice, k and lane: kNodeStride times the column
  const std::int32_t* block = nullptr;   ///< likewise: index in block_csr.hpp's order; -1: padding
};

/// (A x)_i of the rows of the lanes.
///
/// One order of sums on every backend: blocks in their order; within a block the columns in order,
/// each addition fused with its product.
///
/// @tparam P           number type of the product; Scalar<P> is that of the matrix and of x
/// @tparam difference  the matrix is in difference form
/// @param x            vectors of nodes
template <class P, bool difference, class Memory>
NODIA_HD Vec3<P> sliced_row_product(const SlicedPatternView& pattern, const Scalar<P>* value,
                                    const Scalar<P>* x, int row, Memory memory) {
  const int slice = row / kSliceRows, lane = row % kSliceRows;
  const std::int32_t begin = pattern.slice_begin[slice], end = pattern.slice_begin[slice + 1];
  Vec3<P> own;
  if constexpr (difference) own = memory.template load_node<P>(x, row);
  Vec3<P> sum{P(Scalar<P>(0)), P(Scalar<P>(0)), P(Scalar<P>(0))};
  const auto add = [&](std::int32_t k) {
    Vec3<P> p = memory.template gather_node<P>(
        x, pattern.column + static_cast<std::int64_t>(k) * kSliceRows + lane);
    if constexpr (difference)
      if (k > begin) p -= own;
    const Scalar<P>* plane = value + static_cast<std::int64_t>(k) * kSliceBlock + lane;
    const P components[3] = {p.x, p.y, p.z};
    for (int c = 0; c < 3; ++c, plane += 3 * kSliceRows) {
      sum.x = fused(memory.template load<P>(plane), components[c], sum.x);
      sum.y = fused(memory.template load<P>(plane + kSliceRows), components[c], sum.y);
      sum.z = fused(memory.template load<P>(plane + 2 * kSliceRows), components[c], sum.z);
    }
  };
  std::int32_t k = begin;
#if defined(__CUDA_ARCH__)
  // Many loads at a time; the compiler would write the rest out once more for each of its lengths.
  for (; k + 4 <= end; k += 4) {
    add(k);
    add(k + 1);
    add(k + 2);
    add(k + 3);
  }
#pragma unroll 1
#endif
  for (; k < end; ++k) add(k);
  return sum;
}

}  // namespace nodia

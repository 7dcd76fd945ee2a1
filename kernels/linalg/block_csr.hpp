/// Block-sparse rows of 3x3 blocks, the format of A.
///
/// Block k of row i couples node i with node `column[k]`, row_begin[i] <= k < row_begin[i+1], columns ascending. The nine
/// values of a block lie by columns, value[9 k + 3 c + r] = A(3 i + r, 3 column[k] + c), so that a product adds whole
/// columns. Arrays of values carry kBlockPadding extra entries, because the host reads a column as four lanes.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Extra (finite) entries behind the last block: a column is read as four values.
inline constexpr int kBlockPadding = 8;

template <class Real>
struct BlockCsrView {
  int n_row = 0;
  const std::int32_t* row_begin = nullptr;  ///< [n_row + 1]
  const std::int32_t* column = nullptr;     ///< [n_block]
  const Real* value = nullptr;              ///< [9 n_block + kBlockPadding]
};

/// Block (3x3) as a matrix.
template <class Real>
NODIA_HD Mat3<Real> load_block(const Real* value) {
  return {{{value[0], value[3], value[6]}, {value[1], value[4], value[7]}, {value[2], value[5], value[8]}}};
}

template <class Real>
NODIA_HD void store_block(Real* value, const Mat3<Real>& m) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) value[3 * c + r] = m(r, c);
}

}  // namespace nodia

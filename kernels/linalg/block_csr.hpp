/// Block-sparse rows of 3x3 blocks, the format of A.
///
/// Block k of row i couples node i with node `column[k]`, row_begin[i] <= k < row_begin[i+1],
/// columns ascending. The nine values of a block lie by columns, value[9 k + 3 c + r] = A(3 i + r,
/// 3 column[k] + c), so that a product adds whole columns. Arrays of values carry kBlockPadding
/// extra entries, because the host reads a column as four lanes.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__FMA__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

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
  return {{{value[0], value[3], value[6]},
           {value[1], value[4], value[7]},
           {value[2], value[5], value[8]}}};
}

template <class Real>
NODIA_HD void store_block(Real* value, const Mat3<Real>& m) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) value[3 * c + r] = m(r, c);
}

namespace detail {

/// a b + c, rounded once: the same bits on every backend.
NODIA_HD double fused(double a, double b, double c) {
  return ::fma(a, b, c);
}
NODIA_HD float fused(float a, float b, float c) {
  return ::fmaf(a, b, c);
}

/// A column of a block as three scalars.
template <class Real>
struct ScalarColumn {
  Real lane[3] = {};

  NODIA_HD void add_scaled(Real s, const Real* column) {
    for (int r = 0; r < 3; ++r) lane[r] = fused(column[r], s, lane[r]);
  }
  NODIA_HD void add(const ScalarColumn& other) {
    for (int r = 0; r < 3; ++r) lane[r] += other.lane[r];
  }
};

// Two structs and an alias: one struct with two bodies would break the one-definition rule between
// .cpp and .cu files.
#if defined(__GNUC__) && !defined(__CUDACC__)
/// A column of a block in four lanes; the fourth is read and thrown away.
template <class Real>
struct VectorColumn {
  typedef Real Lanes __attribute__((vector_size(4 * sizeof(Real))));
  Lanes lane{};

  void add_scaled(Real s, const Real* column) {
    Lanes value;
    std::memcpy(&value, column, sizeof value);
#if defined(__FMA__)
    if constexpr (sizeof(Real) == sizeof(double))
      lane = Lanes(_mm256_fmadd_pd(__m256d(value), _mm256_set1_pd(s), __m256d(lane)));
    else
      lane = Lanes(_mm_fmadd_ps(__m128(value), _mm_set1_ps(s), __m128(lane)));
#else
    for (int r = 0; r < 3; ++r) lane[r] = fused(value[r], s, lane[r]);
#endif
  }
  void add(const VectorColumn& other) {
    lane += other.lane;
  }
};
template <class Real>
using BlockColumn = VectorColumn<Real>;
#else
template <class Real>
using BlockColumn = ScalarColumn<Real>;
#endif

}  // namespace detail

/// Block row `row` times x: sum over k of block_k x[column_k].
///
/// One order of sums, so that lanes and scalars, host and device give the same bits:
///
///   s_c = sum over k, ascending, of (column c of block k) x[column_k]_c, each addition fused with
///   its product, and result = (s_0 + s_1) + s_2
///
/// @param x        x(node), a vector
/// @tparam Column  how a column is held; changes the speed, not the result
template <class Real, class Column = detail::BlockColumn<Real>, class X>
NODIA_HD Vec3<Real> block_row_product_of(const BlockCsrView<Real>& A, int row, const X& x) {
  Column s0, s1, s2;
  const std::int32_t end = A.row_begin[row + 1];
  for (std::int32_t k = A.row_begin[row]; k < end; ++k) {
    const Real* block = A.value + 9 * static_cast<std::int64_t>(k);
    const Vec3<Real>& p = x(A.column[k]);
    s0.add_scaled(p.x, block);
    s1.add_scaled(p.y, block + 3);
    s2.add_scaled(p.z, block + 6);
  }
  s0.add(s1);
  s0.add(s2);
  return {s0.lane[0], s0.lane[1], s0.lane[2]};
}
/// The same. @param x  one vector per node
template <class Real, class Column = detail::BlockColumn<Real>>
NODIA_HD Vec3<Real> block_row_product(const BlockCsrView<Real>& A, int row, const Vec3<Real>* x) {
  const auto at = [&](std::int32_t node) -> const Vec3<Real>& { return x[node]; };
  return block_row_product_of<Real, Column>(A, row, at);
}

/// y_i := (A x)_i
template <class Real>
struct BlockProduct {
  BlockCsrView<Real> A;
  const Vec3<Real>* x;
  Vec3<Real>* y;

  NODIA_HD void operator()(int i) const { y[i] = block_row_product(A, i, x); }
};

}  // namespace nodia

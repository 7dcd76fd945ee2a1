/// Block-sparse rows of 3x3 blocks, the format of A.
///
/// Block k of row i couples node i with node `column[k]`, row_begin[i] <= k < row_begin[i+1],
/// columns ascending. The nine values of a block are stored by columns, value[9 k + 3 c + r] = A(3
/// i + r, 3 column[k] + c), so that a product adds whole columns. Arrays of values have
/// kBlockPadding additional entries, because the host may read a column as four lanes.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__FMA__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Additional (finite) entries after the last block, because a column is read as four values.
inline constexpr int kBlockPadding = 8;

template <class Real>
struct BlockCsrView {
  int n_row = 0;
  const std::int32_t* row_begin = nullptr;  ///< [n_row + 1]
  const std::int32_t* column = nullptr;     ///< [n_block]
  const Real* value = nullptr;              ///< [9 n_block + kBlockPadding]
};

/// A 3x3 block as a matrix.
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

/// a b + c, rounded once: same bits on every backend.
NODIA_HD double fused(double a, double b, double c) {
  return ::fma(a, b, c);
}
NODIA_HD float fused(float a, float b, float c) {
  return ::fmaf(a, b, c);
}

/// Sums of a row's blocks, column by column, in nine scalars.
template <class Real>
struct ScalarRowSum {
  Real lane[9] = {};

  NODIA_HD void add(const Real* block, const Vec3<Real>& x) {
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) lane[3 * c + r] = fused(block[3 * c + r], x[c], lane[3 * c + r]);
  }
  NODIA_HD Vec3<Real> total() const {
    return {lane[0] + lane[3] + lane[6], lane[1] + lane[4] + lane[7], lane[2] + lane[5] + lane[8]};
  }
};

// Several structs and an alias: one struct with several bodies would violate the one-definition
// rule between .cpp and .cu files, and between instruction sets.
#if defined(__GNUC__) && !defined(__CUDACC__)
#if defined(__AVX512F__) && defined(__AVX512VL__)
/// A block in the lanes of one register; for doubles, the ninth value is separate.
template <class Real>
struct WideRowSum;
template <>
struct WideRowSum<float> {
  __m512 lanes = _mm512_setzero_ps();

  NODIA_HD void add(const float* block, const Vec3<float>& x) {
    const __m512i component = _mm512_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3);
    const __m512 factor = _mm512_maskz_permutexvar_ps(
        0x1ff, component, _mm512_castps128_ps512(_mm_maskz_loadu_ps(0x7, &x.x)));
    lanes = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(0x1ff, block), factor, lanes);
  }
  NODIA_HD Vec3<float> total() const {
    alignas(64) float lane[16];
    _mm512_store_ps(lane, lanes);
    return {lane[0] + lane[3] + lane[6], lane[1] + lane[4] + lane[7], lane[2] + lane[5] + lane[8]};
  }
};
template <>
struct WideRowSum<double> {
  __m512d lanes = _mm512_setzero_pd();
  double last = 0;

  NODIA_HD void add(const double* block, const Vec3<double>& x) {
    const __m512i component = _mm512_setr_epi64(0, 0, 0, 1, 1, 1, 2, 2);
    const __m512d factor = _mm512_maskz_permutexvar_pd(
        0xff, component, _mm512_castpd256_pd512(_mm256_maskz_loadu_pd(0x7, &x.x)));
    lanes = _mm512_fmadd_pd(_mm512_loadu_pd(block), factor, lanes);
    last = fused(block[8], x.z, last);
  }
  NODIA_HD Vec3<double> total() const {
    alignas(64) double lane[8];
    _mm512_store_pd(lane, lanes);
    return {lane[0] + lane[3] + lane[6], lane[1] + lane[4] + lane[7], lane[2] + lane[5] + last};
  }
};
template <class Real>
using RowSum = WideRowSum<Real>;
#else
/// A column of a block in four lanes; the fourth value is read and ignored.
template <class Real>
struct ColumnRowSum {
  typedef Real Lanes __attribute__((vector_size(4 * sizeof(Real))));
  Lanes lane[3] = {};

  NODIA_HD void add(const Real* block, const Vec3<Real>& x) {
    for (int c = 0; c < 3; ++c) {
      Lanes value;
      std::memcpy(&value, block + 3 * c, sizeof value);
#if defined(__FMA__)
      if constexpr (sizeof(Real) == sizeof(double))
        lane[c] = Lanes(_mm256_fmadd_pd(__m256d(value), _mm256_set1_pd(x[c]), __m256d(lane[c])));
      else
        lane[c] = Lanes(_mm_fmadd_ps(__m128(value), _mm_set1_ps(x[c]), __m128(lane[c])));
#else
      for (int r = 0; r < 3; ++r) lane[c][r] = fused(value[r], x[c], lane[c][r]);
#endif
    }
  }
  NODIA_HD Vec3<Real> total() const {
    const Lanes sum = lane[0] + lane[1] + lane[2];
    return {sum[0], sum[1], sum[2]};
  }
};
template <class Real>
using RowSum = ColumnRowSum<Real>;
#endif
#else
template <class Real>
using RowSum = ScalarRowSum<Real>;
#endif

}  // namespace detail

/// Product of block row `row` with x: sum over k of block_k x[column_k].
///
/// The order of the sums is fixed, so that lanes and scalars, host and device give the same bits:
///
///   s_c = sum over k, ascending, of (column c of block k) x[column_k]_c, each addition fused with
///   its product, and result = (s_0 + s_1) + s_2
///
/// @param x     x(node) returns a vector, by reference if it is in memory
/// @tparam Sum  storage of the sums; changes the speed, not the result
template <class Real, class Sum = detail::RowSum<Real>, class X>
NODIA_HD Vec3<Real> block_row_product_of(const BlockCsrView<Real>& A, int row, const X& x) {
  Sum sum;
  const std::int32_t end = A.row_begin[row + 1];
  for (std::int32_t k = A.row_begin[row]; k < end; ++k)
    sum.add(A.value + 9 * static_cast<std::int64_t>(k), x(A.column[k]));
  return sum.total();
}
/// Same for rows `row` and `row` + 1 together, whose sums do not depend on each other.
template <class Real, class Sum = detail::RowSum<Real>, class X>
NODIA_HD void block_row_products_of(const BlockCsrView<Real>& A, int row, const X& x,
                                    Vec3<Real>* first, Vec3<Real>* second) {
  Sum sum[2];
  std::int32_t k = A.row_begin[row], l = A.row_begin[row + 1];
  const std::int32_t k_end = l, l_end = A.row_begin[row + 2];
  const auto add = [&](int which, std::int32_t block) {
    sum[which].add(A.value + 9 * static_cast<std::int64_t>(block), x(A.column[block]));
  };
  for (; k < k_end && l < l_end; ++k, ++l) {
    add(0, k);
    add(1, l);
  }
  for (; k < k_end; ++k) add(0, k);
  for (; l < l_end; ++l) add(1, l);
  *first = sum[0].total();
  *second = sum[1].total();
}
/// Same. @param x  one vector per node
template <class Real, class Sum = detail::RowSum<Real>>
NODIA_HD Vec3<Real> block_row_product(const BlockCsrView<Real>& A, int row, const Vec3<Real>* x) {
  const auto at = [&](std::int32_t node) -> const Vec3<Real>& { return x[node]; };
  return block_row_product_of<Real, Sum>(A, row, at);
}

/// y_i := (A x)_i.
template <class Real>
struct BlockProduct {
  BlockCsrView<Real> A;
  const Vec3<Real>* x;
  Vec3<Real>* y;

  NODIA_HD void operator()(int i) const { y[i] = block_row_product(A, i, x); }
};

}  // namespace nodia

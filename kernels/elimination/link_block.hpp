/// Vectors and 6x6 blocks of a cable's links: linear, then angular velocity.
#pragma once

#include <cmath>

#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// Number of components of a link's motion.
inline constexpr int kLinkSize = 6;
/// Same in memory, including padding.
inline constexpr int kLinkStride = 8;

// Two structs and an alias: one struct with two bodies would violate the one-definition rule
// between .cpp and .cu files.
#if defined(__GNUC__) && !defined(__CUDACC__)
/// Six numbers in two registers; the padding is always zero.
struct alignas(32) PaddedLinkVector {
  typedef double Lanes __attribute__((vector_size(4 * sizeof(double)), may_alias));
  Lanes low, high;

  NODIA_HD static PaddedLinkVector of(Vec3d a, Vec3d b) {
    return {Lanes{a.x, a.y, a.z, b.x}, Lanes{b.y, b.z}};
  }
  NODIA_HD double operator[](int i) const { return i < 4 ? low[i] : high[i - 4]; }
  /// Each addition is fused with its product: same bits on every backend.
  NODIA_HD void add_scaled(double s, const PaddedLinkVector& a) {
#if defined(__FMA__)
    const __m256d scale = _mm256_set1_pd(s);
    low = Lanes(_mm256_fmadd_pd(scale, __m256d(a.low), __m256d(low)));
    high = Lanes(_mm256_fmadd_pd(scale, __m256d(a.high), __m256d(high)));
#else
    for (int i = 0; i < 4; ++i) low[i] = detail::fused(s, a.low[i], low[i]);
    for (int i = 0; i < 4; ++i) high[i] = detail::fused(s, a.high[i], high[i]);
#endif
  }
  /// Component by component, also fused.
  NODIA_HD void add_product(const PaddedLinkVector& a, const PaddedLinkVector& b) {
#if defined(__FMA__)
    low = Lanes(_mm256_fmadd_pd(__m256d(a.low), __m256d(b.low), __m256d(low)));
    high = Lanes(_mm256_fmadd_pd(__m256d(a.high), __m256d(b.high), __m256d(high)));
#else
    for (int i = 0; i < 4; ++i) low[i] = detail::fused(a.low[i], b.low[i], low[i]);
    for (int i = 0; i < 4; ++i) high[i] = detail::fused(a.high[i], b.high[i], high[i]);
#endif
  }
  NODIA_HD double total() const {
    return ((low[0] + low[1]) + (low[2] + low[3])) + (high[0] + high[1]);
  }
  NODIA_HD void scale(double s) {
    low *= s;
    high *= s;
  }
  NODIA_HD void set(int i, double value) {
    if (i < 4)
      low[i] = value;
    else
      high[i - 4] = value;
  }
};
using LinkVector = PaddedLinkVector;
#else
struct alignas(32) PlainLinkVector {
  double lane[kLinkStride];

  NODIA_HD static PlainLinkVector of(Vec3d a, Vec3d b) { return {{a.x, a.y, a.z, b.x, b.y, b.z}}; }
  NODIA_HD double operator[](int i) const { return lane[i]; }
  NODIA_HD void add_scaled(double s, const PlainLinkVector& a) {
    for (int i = 0; i < kLinkSize; ++i) lane[i] = detail::fused(s, a.lane[i], lane[i]);
  }
  NODIA_HD void add_product(const PlainLinkVector& a, const PlainLinkVector& b) {
    for (int i = 0; i < kLinkSize; ++i) lane[i] = detail::fused(a.lane[i], b.lane[i], lane[i]);
  }
  NODIA_HD double total() const {
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + (lane[4] + lane[5]);
  }
  NODIA_HD void scale(double s) {
    for (int i = 0; i < kLinkSize; ++i) lane[i] *= s;
  }
  NODIA_HD void set(int i, double value) { lane[i] = value; }
};
using LinkVector = PlainLinkVector;
#endif

/// Six vectors: the rows or the columns of a matrix.
struct LinkBlock {
  LinkVector row[kLinkSize];
};

/// Columns of three border components.
struct LinkColumns {
  LinkVector column[3];
};

NODIA_HD double dot(const LinkVector& a, const LinkVector& b) {
  double sum = a[0] * b[0];
  for (int i = 1; i < kLinkSize; ++i) sum = detail::fused(a[i], b[i], sum);
  return sum;
}

/// x += sign (sum of m's rows times y), that is sign M^T y.
NODIA_HD void add_rows(double sign, const LinkBlock& m, const LinkVector& y, LinkVector* x) {
  for (int j = 0; j < kLinkSize; ++j) x->add_scaled(sign * y[j], m.row[j]);
}

/// m y, row by row.
NODIA_HD LinkVector times(const LinkBlock& m, const LinkVector& y) {
  LinkVector x{};
  for (int i = 0; i < kLinkSize; ++i) x.set(i, dot(m.row[i], y));
  return x;
}

/// l a with a lower triangular l.
NODIA_HD LinkBlock lower_times(const LinkBlock& l, const LinkBlock& a) {
  LinkBlock x{};
  for (int i = 0; i < kLinkSize; ++i)
    for (int k = 0; k <= i; ++k) x.row[i].add_scaled(l.row[i][k], a.row[k]);
  return x;
}

/// l^T a with a lower triangular l.
NODIA_HD LinkBlock transposed_lower_times(const LinkBlock& l, const LinkBlock& a) {
  LinkBlock x{};
  for (int k = 0; k < kLinkSize; ++k)
    for (int i = 0; i <= k; ++i) x.row[i].add_scaled(l.row[k][i], a.row[k]);
  return x;
}

/// s -= a^T a.
NODIA_HD void subtract_square(const LinkBlock& a, LinkBlock* s) {
  for (int k = 0; k < kLinkSize; ++k)
    for (int i = 0; i < kLinkSize; ++i) s->row[i].add_scaled(-a.row[k][i], a.row[k]);
}

/// L^-1 of s = L L^T. The square roots are taken at the end, because no other depends on them.
/// @param s  its upper half is read, and overwritten
/// @return   false if s is not positive definite
NODIA_HD bool invert_cholesky(LinkBlock* s, LinkBlock* inverse) {
  double pivot[kLinkSize];
  for (int i = 0; i < kLinkSize; ++i) {
    inverse->row[i] = LinkVector{};
    inverse->row[i].set(i, 1);
  }
  bool definite = true;
  for (int j = 0; j < kLinkSize; ++j) {
    pivot[j] = s->row[j][j];
    definite = definite && pivot[j] > 0;
    const double share = -1 / pivot[j];
    for (int i = j + 1; i < kLinkSize; ++i) {
      const double of_i = share * s->row[j][i];
      s->row[i].add_scaled(of_i, s->row[j]);
      inverse->row[i].add_scaled(of_i, inverse->row[j]);
    }
  }
  for (int i = 0; i < kLinkSize; ++i) inverse->row[i].scale(1 / std::sqrt(pivot[i]));
  return definite;
}

}  // namespace nodia

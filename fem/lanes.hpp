/// Four doubles that go through a formula together: a Real for the templates of kernels/elements,
/// one vector register wide. Every lane rounds as a plain double does, so a result does not depend
/// on its neighbours or on the lane it took.
#pragma once

#include <cmath>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "kernels/elements/polar.hpp"

// Values of this type are only passed between inlined functions; their calling convention does not
// matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace nodia {

inline constexpr int kTetLanes = 4;

/// Truth value of every lane.
struct Mask4 {
  using Vector = long long __attribute__((vector_size(32)));
  Vector m;

  bool operator[](int lane) const { return m[lane] != 0; }
};

struct Double4 {
  using Vector = double __attribute__((vector_size(32), may_alias));
  Vector v{};

  Double4() = default;
  explicit Double4(Vector lanes) : v(lanes) {}
  explicit Double4(double x) : v{x, x, x, x} {}
  Double4(double a, double b, double c, double d) : v{a, b, c, d} {}

  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }
};

/// Four consecutive doubles, 32-byte aligned.
inline Double4 load_lanes(const double* aligned) {
  return Double4(*reinterpret_cast<const Double4::Vector*>(aligned));
}

inline Double4 operator+(Double4 a, Double4 b) {
  return Double4(a.v + b.v);
}
inline Double4 operator-(Double4 a, Double4 b) {
  return Double4(a.v - b.v);
}
inline Double4 operator*(Double4 a, Double4 b) {
  return Double4(a.v * b.v);
}
inline Double4 operator/(Double4 a, Double4 b) {
  return Double4(a.v / b.v);
}
inline Double4 operator-(Double4 a) {
  return Double4(-a.v);
}
inline Double4& operator+=(Double4& a, Double4 b) {
  return a = a + b;
}

inline Mask4 operator<(Double4 a, Double4 b) {
  return {a.v < b.v};
}
inline Mask4 operator>(Double4 a, Double4 b) {
  return {a.v > b.v};
}
inline Mask4 operator<=(Double4 a, Double4 b) {
  return {a.v <= b.v};
}
inline Mask4 operator>=(Double4 a, Double4 b) {
  return {a.v >= b.v};
}
inline Mask4 operator&(Mask4 a, Mask4 b) {
  return {a.m & b.m};
}
inline Mask4 operator|(Mask4 a, Mask4 b) {
  return {a.m | b.m};
}
inline Mask4 operator!(Mask4 a) {
  return {~a.m};
}
inline bool all(Mask4 a) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(a.m)) == 0xf;
#else
  return (a.m[0] & a.m[1] & a.m[2] & a.m[3]) != 0;
#endif
}

inline Double4 select(Mask4 mask, Double4 yes, Double4 no) {
  return Double4(mask.m ? yes.v : no.v);
}
inline Double4 fabs(Double4 a) {
  return Double4(a.v < 0 ? -a.v : a.v);
}
inline Double4 sqrt(Double4 a) {
#if defined(__AVX__)
  return Double4(_mm256_sqrt_pd(a.v));
#else
  return {std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3])};
#endif
}

/// Writes lane l of (x, y, z, 0) to out + l * stride, l = 0..3.
inline void store_transposed(const Vec3<Double4>& a, double* out, int stride) {
  const Double4::Vector zero{};
  const Double4::Vector xy_02 = __builtin_shufflevector(a.x.v, a.y.v, 0, 4, 2, 6);
  const Double4::Vector xy_13 = __builtin_shufflevector(a.x.v, a.y.v, 1, 5, 3, 7);
  const Double4::Vector zw_02 = __builtin_shufflevector(a.z.v, zero, 0, 4, 2, 6);
  const Double4::Vector zw_13 = __builtin_shufflevector(a.z.v, zero, 1, 5, 3, 7);
  const auto store = [&](int l, Double4::Vector lane) {
    __builtin_memcpy(out + l * stride, &lane, sizeof lane);
  };
  store(0, __builtin_shufflevector(xy_02, zw_02, 0, 1, 4, 5));
  store(1, __builtin_shufflevector(xy_13, zw_13, 0, 1, 4, 5));
  store(2, __builtin_shufflevector(xy_02, zw_02, 2, 3, 6, 7));
  store(3, __builtin_shufflevector(xy_13, zw_13, 2, 3, 6, 7));
}

/// Puts Jacobi's rotation into the lanes that are not regular; apart, because it is rarely needed.
[[gnu::noinline]] inline void replace_irregular(const Mat3<Double4>& F, Mask4 regular,
                                                Mat3<Double4>& R) {
  for (int l = 0; l < kTetLanes; ++l) {
    if (regular[l]) continue;
    Mat3d lane;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) lane(i, j) = F(i, j)[l];
    lane = polar_rotation_jacobi(lane);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R(i, j).set(l, lane(i, j));
  }
}

/// Rotation of every lane, the same bits as polar_rotation of a plain matrix.
inline Mat3<Double4> polar_rotation(const Mat3<Double4>& F) {
  Mat3<Double4> R;
  const Mask4 regular = polar_rotation_regular(F, R);
  if (!all(regular)) replace_irregular(F, regular, R);
  return R;
}

}  // namespace nodia

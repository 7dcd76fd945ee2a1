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

inline constexpr int kLanes = 4;

/// Truth value of every lane.
struct LaneMask {
  using Vector = long long __attribute__((vector_size(32)));
  Vector m;

  bool operator[](int lane) const { return m[lane] != 0; }
};

struct Lanes {
  using Vector = double __attribute__((vector_size(32), may_alias));
  Vector v{};

  Lanes() = default;
  explicit Lanes(Vector lanes) : v(lanes) {}
  explicit Lanes(double x) : v{x, x, x, x} {}
  Lanes(double a, double b, double c, double d) : v{a, b, c, d} {}

  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }
};

/// Four consecutive doubles, 32-byte aligned.
inline Lanes load_lanes(const double* aligned) {
  return Lanes(*reinterpret_cast<const Lanes::Vector*>(aligned));
}

inline Lanes operator+(Lanes a, Lanes b) {
  return Lanes(a.v + b.v);
}
inline Lanes operator-(Lanes a, Lanes b) {
  return Lanes(a.v - b.v);
}
inline Lanes operator*(Lanes a, Lanes b) {
  return Lanes(a.v * b.v);
}
inline Lanes operator/(Lanes a, Lanes b) {
  return Lanes(a.v / b.v);
}
inline Lanes operator-(Lanes a) {
  return Lanes(-a.v);
}
inline Lanes& operator+=(Lanes& a, Lanes b) {
  return a = a + b;
}

inline LaneMask operator<(Lanes a, Lanes b) {
  return {a.v < b.v};
}
inline LaneMask operator>(Lanes a, Lanes b) {
  return {a.v > b.v};
}
inline LaneMask operator<=(Lanes a, Lanes b) {
  return {a.v <= b.v};
}
inline LaneMask operator>=(Lanes a, Lanes b) {
  return {a.v >= b.v};
}
inline LaneMask operator&(LaneMask a, LaneMask b) {
  return {a.m & b.m};
}
inline LaneMask operator|(LaneMask a, LaneMask b) {
  return {a.m | b.m};
}
inline LaneMask operator!(LaneMask a) {
  return {~a.m};
}
inline bool all(LaneMask a) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(a.m)) == 0xf;
#else
  return (a.m[0] & a.m[1] & a.m[2] & a.m[3]) != 0;
#endif
}

inline Lanes select(LaneMask mask, Lanes yes, Lanes no) {
  return Lanes(mask.m ? yes.v : no.v);
}
inline Lanes fabs(Lanes a) {
  return Lanes(a.v < 0 ? -a.v : a.v);
}
inline Lanes sqrt(Lanes a) {
#if defined(__AVX__)
  return Lanes(_mm256_sqrt_pd(a.v));
#else
  return {std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3])};
#endif
}

/// Writes lane l of (x, y, z, 0) to out + l * stride, l = 0..3.
inline void store_transposed(const Vec3<Lanes>& a, double* out, int stride) {
  const Lanes::Vector zero{};
  const Lanes::Vector xy_02 = __builtin_shufflevector(a.x.v, a.y.v, 0, 4, 2, 6);
  const Lanes::Vector xy_13 = __builtin_shufflevector(a.x.v, a.y.v, 1, 5, 3, 7);
  const Lanes::Vector zw_02 = __builtin_shufflevector(a.z.v, zero, 0, 4, 2, 6);
  const Lanes::Vector zw_13 = __builtin_shufflevector(a.z.v, zero, 1, 5, 3, 7);
  const auto store = [&](int l, Lanes::Vector lane) {
    __builtin_memcpy(out + l * stride, &lane, sizeof lane);
  };
  store(0, __builtin_shufflevector(xy_02, zw_02, 0, 1, 4, 5));
  store(1, __builtin_shufflevector(xy_13, zw_13, 0, 1, 4, 5));
  store(2, __builtin_shufflevector(xy_02, zw_02, 2, 3, 6, 7));
  store(3, __builtin_shufflevector(xy_13, zw_13, 2, 3, 6, 7));
}

/// Puts Jacobi's rotation into the lanes that are not regular; apart, because it is rarely needed.
[[gnu::noinline]] inline void replace_irregular(const Mat3<Lanes>& F, LaneMask regular,
                                                Mat3<Lanes>& R) {
  for (int l = 0; l < kLanes; ++l) {
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
inline Mat3<Lanes> polar_rotation(const Mat3<Lanes>& F) {
  Mat3<Lanes> R;
  const LaneMask regular = polar_rotation_regular(F, R);
  if (!all(regular)) replace_irregular(F, regular, R);
  return R;
}

}  // namespace nodia

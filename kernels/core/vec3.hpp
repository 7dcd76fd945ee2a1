/// Three-vectors as plain data, host and device.
#pragma once

#include <cmath>

#include "kernels/core/macros.hpp"

namespace nodia {

template <class Real>
struct Vec3 {
  Real x{}, y{}, z{};

  NODIA_HD Real& operator[](int i) { return (&x)[i]; }
  NODIA_HD Real operator[](int i) const { return (&x)[i]; }
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class R>
NODIA_HD Vec3<R> operator+(Vec3<R> a, Vec3<R> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
NODIA_HD Vec3<R> operator-(Vec3<R> a, Vec3<R> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
NODIA_HD Vec3<R> operator-(Vec3<R> a) {
  return {-a.x, -a.y, -a.z};
}
template <class R>
NODIA_HD Vec3<R> operator*(R s, Vec3<R> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class R>
NODIA_HD Vec3<R>& operator+=(Vec3<R>& a, Vec3<R> b) {
  a = a + b;
  return a;
}
template <class R>
NODIA_HD Vec3<R>& operator-=(Vec3<R>& a, Vec3<R> b) {
  a = a - b;
  return a;
}
template <class R>
NODIA_HD R dot(Vec3<R> a, Vec3<R> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
NODIA_HD Vec3<R> cross(Vec3<R> a, Vec3<R> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class R>
NODIA_HD R squared_norm(Vec3<R> a) {
  return dot(a, a);
}
template <class R>
NODIA_HD R norm(Vec3<R> a) {
  return std::sqrt(dot(a, a));
}
template <class To, class From>
NODIA_HD Vec3<To> cast(Vec3<From> a) {
  return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}
template <class R>
NODIA_HD bool is_finite(Vec3<R> a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace nodia

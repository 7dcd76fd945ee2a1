/// 3x3 matrices as plain data, host and device. Stored by rows: row i is `row[i]`.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

template <class Real>
struct Mat3 {
  Vec3<Real> row[3];

  NODIA_HD Real& operator()(int i, int j) { return row[i][j]; }
  NODIA_HD Real operator()(int i, int j) const { return row[i][j]; }

  NODIA_HD static Mat3 identity() {
    return {
        {{Real(1), Real(0), Real(0)}, {Real(0), Real(1), Real(0)}, {Real(0), Real(0), Real(1)}}};
  }
  NODIA_HD static Mat3 from_columns(Vec3<Real> a, Vec3<Real> b, Vec3<Real> c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }
};

using Mat3d = Mat3<double>;
using Mat3f = Mat3<float>;

template <class R>
NODIA_HD Vec3<R> operator*(const Mat3<R>& m, Vec3<R> v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
/// m^T v
template <class R>
NODIA_HD Vec3<R> transpose_times(const Mat3<R>& m, Vec3<R> v) {
  return v.x * m.row[0] + v.y * m.row[1] + v.z * m.row[2];
}
template <class R>
NODIA_HD Mat3<R> transpose(const Mat3<R>& m) {
  return Mat3<R>::from_columns(m.row[0], m.row[1], m.row[2]);
}
template <class R>
NODIA_HD Mat3<R> operator*(const Mat3<R>& a, const Mat3<R>& b) {
  Mat3<R> c;
  for (int i = 0; i < 3; ++i) c.row[i] = transpose_times(b, a.row[i]);
  return c;
}
template <class R>
NODIA_HD Mat3<R> operator+(const Mat3<R>& a, const Mat3<R>& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
template <class R>
NODIA_HD void operator+=(Mat3<R>& a, const Mat3<R>& b) {
  a = a + b;
}
template <class R>
NODIA_HD Mat3<R> operator-(const Mat3<R>& a, const Mat3<R>& b) {
  return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
}
template <class R>
NODIA_HD Mat3<R> operator*(R s, const Mat3<R>& a) {
  return {{s * a.row[0], s * a.row[1], s * a.row[2]}};
}
/// a b^T
template <class R>
NODIA_HD Mat3<R> outer(Vec3<R> a, Vec3<R> b) {
  return {{a.x * b, a.y * b, a.z * b}};
}
template <class R>
NODIA_HD R trace(const Mat3<R>& m) {
  return m.row[0].x + m.row[1].y + m.row[2].z;
}
template <class R>
NODIA_HD R determinant(const Mat3<R>& m) {
  return dot(m.row[0], cross(m.row[1], m.row[2]));
}
/// Inverse of a regular matrix, from cofactors.
template <class R>
NODIA_HD Mat3<R> inverse(const Mat3<R>& m) {
  const Vec3<R> a = cross(m.row[1], m.row[2]);
  return (R(1) / dot(m.row[0], a)) *
         Mat3<R>::from_columns(a, cross(m.row[2], m.row[0]), cross(m.row[0], m.row[1]));
}
template <class To, class From>
NODIA_HD Mat3<To> cast(const Mat3<From>& m) {
  return {{cast<To>(m.row[0]), cast<To>(m.row[1]), cast<To>(m.row[2])}};
}

/// Right-handed orthonormal frame with rows (n, t1, t2): the contact frame R of Lee et al., (13).
/// The tangents depend only on n, so equal contacts have equal frames in every run.
/// @param n  unit normal [-]
template <class R>
NODIA_HD Mat3<R> frame_from_normal(Vec3<R> n) {
  // The coordinate axis least aligned with n gives the best conditioned first tangent.
  const R ax = std::fabs(n.x), ay = std::fabs(n.y), az = std::fabs(n.z);
  Vec3<R> axis{R(1), R(0), R(0)};
  if (ay < ax && ay <= az) axis = {R(0), R(1), R(0)};
  if (az < ax && az < ay) axis = {R(0), R(0), R(1)};
  Vec3<R> t1 = axis - dot(axis, n) * n;
  t1 = (R(1) / norm(t1)) * t1;
  return {{n, t1, cross(n, t1)}};
}

}  // namespace nodia

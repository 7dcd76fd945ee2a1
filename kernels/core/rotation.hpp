/// Exponential and logarithm of SO(3), the derivative of the logarithm, and quaternion algebra.
/// Quaternions and poses themselves: pose.hpp.
#pragma once

#include "kernels/core/mat3.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

/// Matrix [a] with [a] b = a x b.
NODIA_HD Mat3d skew(Vec3d a) {
  return {{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

/// Rotation by q, then by p.
NODIA_HD Quaternion operator*(Quaternion p, Quaternion q) {
  return {
      p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

/// Inverse rotation of a unit quaternion.
NODIA_HD Quaternion conjugate(Quaternion q) {
  return {q.w, -q.x, -q.y, -q.z};
}

/// v rotated by the unit quaternion q.
NODIA_HD Vec3d rotate(Quaternion q, Vec3d v) {
  const Vec3d u{q.x, q.y, q.z};
  const Vec3d t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

/// v rotated by the inverse of the unit quaternion q.
NODIA_HD Vec3d inverse_rotate(Quaternion q, Vec3d v) {
  return rotate(conjugate(q), v);
}

/// exp([phi]) as a unit quaternion, for every finite phi.
/// @param phi  rotation vector: axis times angle [rad]
NODIA_HD Quaternion quaternion_exp(Vec3d phi) {
  const double half = 0.5 * norm(phi);
  const double s = half < 1e-8 ? 0.5 : 0.5 * std::sin(half) / half;
  return {std::cos(half), s * phi.x, s * phi.y, s * phi.z};
}

/// exp([phi])
NODIA_HD Mat3d rotation_exp(Vec3d phi) {
  return rotation_matrix(quaternion_exp(phi));
}

/// atan(x)/x for x^2 = squared < 4e-4, to rounding.
NODIA_HD double small_arctangent_ratio(double squared) {
  return 1 - squared * (1.0 / 3 - squared * (1.0 / 5 - squared * (1.0 / 7 - squared / 9)));
}

/// Rotation vector of a unit quaternion, of length at most pi. The absolute error is a few units of
/// rounding at every angle; so is the relative error at small ones. Both signs of q give the same
/// vector, except for half a turn, where its sign follows that of q.
NODIA_HD Vec3d rotation_log(Quaternion q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec3d u{sign * q.x, sign * q.y, sign * q.z};
  const double w = sign * q.w;
  const double squared = squared_norm(u);
  if (squared < 3e-4) return (2 / w * small_arctangent_ratio(squared / (w * w))) * u;
  const double n = std::sqrt(squared);
  return (2 * std::atan2(n, w) / n) * u;
}

/// Unit quaternion of a rotation matrix (Shepperd: divides by the largest component only), with w
/// >= 0 except for rounding.
/// @param R  orthonormal up to rounding, det R = +1
NODIA_HD Quaternion quaternion_from_rotation(const Mat3d& R) {
  const double t = trace(R);
  Quaternion q;
  if (t >= R(0, 0) && t >= R(1, 1) && t >= R(2, 2)) {
    q = {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    q = {R(2, 1) - R(1, 2), 1 + 2 * R(0, 0) - t, R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
  } else if (R(1, 1) >= R(2, 2)) {
    q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 + 2 * R(1, 1) - t, R(1, 2) + R(2, 1)};
  } else {
    q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 + 2 * R(2, 2) - t};
  }
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  return normalized(q);
}

/// phi with exp([phi]) = R, |phi| <= pi [rad].
NODIA_HD Vec3d rotation_log(const Mat3d& R) {
  return rotation_log(quaternion_from_rotation(R));
}

/// J_l^-1(phi): log(exp([d]) exp([phi])) = phi + J_l^-1(phi) d + O(d^2), for |phi| < 2 pi. The
/// right Jacobian's inverse is J_l^-1(-phi), its transpose.
///   J_l^-1 = I - [phi]/2 + (1 - (p/2) cot(p/2))/p^2 [phi]^2,   p = |phi|
NODIA_HD Mat3d inverse_left_jacobian(Vec3d phi) {
  const double squared = squared_norm(phi);
  double c = 1.0 / 12 + squared * (1.0 / 720 + squared * (1.0 / 30240 + squared / 1209600));
  if (squared > 2.5e-3) {
    const double half = 0.5 * std::sqrt(squared);
    c = (1 - half * std::cos(half) / std::sin(half)) / squared;
  }
  // [phi]^2 = phi phi^T - |phi|^2 I
  Mat3d J = c * outer(phi, phi);
  for (int i = 0; i < 3; ++i) J(i, i) += 1 - c * squared;
  return J - 0.5 * skew(phi);
}

/// Orientation after a rotation at constant angular velocity: exp(t [w]) q, normalised.
/// @param w  angular velocity, world axes [rad/s]
/// @param t  time [s]
NODIA_HD Quaternion turned(Quaternion q, Vec3d w, double t) {
  return normalized(quaternion_exp(t * w) * q);
}

}  // namespace nodia

/// Polar rotation of a 3x3 matrix: the proper rotation nearest to it, for any matrix.
#pragma once

#include "kernels/core/mat3.hpp"
#include "kernels/core/pack.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

/// a b^T
template <class Real>
NODIA_HD Mat3<Real> times_transpose(const Mat3<Real>& a, const Mat3<Real>& b) {
  return {{b * a.row[0], b * a.row[1], b * a.row[2]}};
}

/// Step of the root search after which the next is below rounding; about the root of the round-off.
template <class Real>
inline constexpr double kPolarStep = 1e-9;
template <>
inline constexpr double kPolarStep<float> = 2e-5;

/// R = argmax over SO(3) of tr(R^T F), without branches, for all but nearly ambiguous F.
///
/// With F scaled to |F| = 1, s = max tr(R^T F) is the largest root of (Horn 1987; Lin, Chen & Kim
/// 2022)
///   p(s) = s^4 - 2 s^2 - 8 det(F) s + 1 - 4 |cof F|^2,
/// and R = ds/dF = ((s^2 + 1) F + 2 s cof F - 2 F F^T F) / (s^3 - s - 2 det F). In singular values
/// s1 >= s2 >= |s3|, s3 with the sign of det F, the denominator is 2 (s1 + s2)(s1 + s3)(s2 + s3):
/// it is small only if R is ill-determined.
/// @param F         any matrix
/// @param rotation  output: R, orthonormal up to rounding if the function returns true
/// @return          true (per lane) if R is accurate to about 1e-14 (double)
template <class Real>
NODIA_HD auto polar_rotation_regular(const Mat3<Real>& F, Mat3<Real>& rotation) {
  const Real squared = squared_norm(F.row[0]) + squared_norm(F.row[1]) + squared_norm(F.row[2]);
  const auto in_range = (squared > Real(1e-30)) & (squared < Real(1e30));
  const Mat3<Real> A =
      select(in_range, Real(1) / root(select(in_range, squared, Real(1))), Real(0)) * F;
  const Mat3<Real> C{
      {cross(A.row[1], A.row[2]), cross(A.row[2], A.row[0]), cross(A.row[0], A.row[1])}};
  const Real det = dot(A.row[0], C.row[0]);
  const Real constant = Real(1) - Real(4) * (squared_norm(C.row[0]) + squared_norm(C.row[1]) +
                                             squared_norm(C.row[2]));

  // Newton descends monotonically from sqrt(3) to the largest root: p is convex above it.
  const Real least_denominator = Real(0.1);
  Real s = Real(1.7320508075688772);
  auto done = !in_range;
  auto reached = !in_range;
  for (int i = 0; i < 16; ++i) {
    const Real slope = Real(4) * ((s * s - Real(1)) * s - Real(2) * det);
    const Real step =
        (((s * s - Real(2)) * s - Real(8) * det) * s + constant) / select(done, Real(1), slope);
    s = select(done, s, s - step);
    reached = reached | (absolute(step) <= Real(kPolarStep<Scalar<Real>>));
    done = done | reached | (slope < Real(4) * least_denominator);
    if (all(done)) break;
  }
  const Real denominator = (s * s - Real(1)) * s - Real(2) * det;
  const auto regular = in_range & reached & (denominator >= least_denominator);
  const Real scale = Real(1) / select(regular, denominator, Real(1));
  const Mat3<Real> AAtA = times_transpose(A, A) * A;
  const Mat3<Real> R =
      (scale * (s * s + Real(1))) * A + (scale * Real(2) * s) * C - (scale * Real(2)) * AAtA;
  // One Newton-Schulz step squares the deviation from orthonormality.
  rotation = Real(1.5) * R - Real(0.5) * (times_transpose(R, R) * R);
  return regular;
}

/// R = argmax over SO(3) of tr(R^T F) for every F: the eigenvector of the largest eigenvalue of
/// Horn's 4x4 matrix, by Jacobi rotations. If R is not unique (F = 0, reflections), one of the
/// maximisers; identity if F is not finite.
template <class Real>
NODIA_HD Mat3<Real> polar_rotation_jacobi(const Mat3<Real>& F) {
  double largest = 0;
  bool finite = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double f = std::fabs(static_cast<double>(F(i, j)));
      finite = finite && f < HUGE_VAL;
      if (f > largest) largest = f;
    }
  }
  if (!finite || largest == 0) return Mat3<Real>::identity();
  double f[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f[i][j] = static_cast<double>(F(i, j)) / largest;

  double a[4][4] = {
      {f[0][0] + f[1][1] + f[2][2], f[2][1] - f[1][2], f[0][2] - f[2][0], f[1][0] - f[0][1]},
      {f[2][1] - f[1][2], f[0][0] - f[1][1] - f[2][2], f[0][1] + f[1][0], f[0][2] + f[2][0]},
      {f[0][2] - f[2][0], f[0][1] + f[1][0], f[1][1] - f[0][0] - f[2][2], f[1][2] + f[2][1]},
      {f[1][0] - f[0][1], f[0][2] + f[2][0], f[1][2] + f[2][1], f[2][2] - f[0][0] - f[1][1]}};
  double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int sweep = 0; sweep < 16; ++sweep) {
    double off = 0;
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 4; ++q) off += a[p][q] * a[p][q];
    if (off <= 1e-34) break;  // entries of a are of order 1
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) {
        if (std::fabs(a[p][q]) < 1e-150) continue;
        const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (tau >= 0 ? 1.0 : -1.0) / (std::fabs(tau) + std::sqrt(1 + tau * tau));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < 4; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 4; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          const double vp = v[k][p], vq = v[k][q];
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
      }
    }
  }
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (a[k][k] > a[best][best]) best = k;
  const double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
  const double scale = 1 / std::sqrt(w * w + x * x + y * y + z * z);
  return cast<Real>(rotation_matrix({scale * w, scale * x, scale * y, scale * z}));
}

/// Replaces the lanes that are not regular by polar_rotation_jacobi.
template <class Real, class Mask>
NODIA_COLD void replace_irregular(const Mat3<Real>& F, Mask regular, Mat3<Real>* R) {
  constexpr int kLanes = static_cast<int>(sizeof(Real) / sizeof(Scalar<Real>));
  for (int l = 0; l < kLanes; ++l) {
    if (lane_of(regular, l)) continue;
    Mat3<Scalar<Real>> lane;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) lane(i, j) = lane_of(F(i, j), l);
    lane = polar_rotation_jacobi(lane);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) set_lane(&(*R)(i, j), l, lane(i, j));
  }
}

/// Proper rotation nearest to F: det R = +1 and R^T R = I also for inverted, flat and zero F. The
/// same bits in every lane.
template <class Real>
NODIA_HD Mat3<Real> polar_rotation(const Mat3<Real>& F) {
  Mat3<Real> R;
  const auto regular = polar_rotation_regular(F, R);
  if (!all(regular)) replace_irregular(F, regular, &R);
  return R;
}

}  // namespace nodia

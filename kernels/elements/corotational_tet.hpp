/// Linear tetrahedron with co-rotational elasticity, host and device.
///
///   Energy      psi = V ( mu |F - R|^2 + lambda/2 tr(R^T F - I)^2 )   [J],  R: see polar.hpp
///   Force       f_a = -V P grad N_a  [N],
///   Stress      P = dpsi/dF / V = 2 mu (F - R) + lambda tr(R^T F - I) R  [Pa]
///   Stiffness   K_ab = V ( lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I )  [N/m],
///               g_a = R grad N_a
/// Real is double, float, or a pack of several numbers.
#pragma once

#include <cstdint>

#include "kernels/elements/polar.hpp"

namespace nodia {

/// Rest data of one element.
template <class Real>
struct TetRest {
  Mat3<Real> gradient;  ///< row a - 1 is grad N_a, a = 1, 2, 3; grad N_0 is minus their sum [1/m]
  Real volume{};        ///< [m^3]
  Real lambda{}, mu{};  ///< Lame parameters [Pa]
};

struct CorotationalTet {
  std::int32_t node[4];
  TetRest<double> rest;
};

/// Vectors of the four corners.
template <class Real>
struct TetVectors {
  Vec3<Real> corner[4];
};

/// @param x  rest positions, positive volume orientation [m]
template <class Real>
NODIA_HD TetRest<Real> make_tet_rest(const TetVectors<Real>& x, Real lambda, Real mu) {
  const Vec3<Real> e1 = x.corner[1] - x.corner[0];
  const Vec3<Real> e2 = x.corner[2] - x.corner[0];
  const Vec3<Real> e3 = x.corner[3] - x.corner[0];
  const Real det = dot(e1, cross(e2, e3));
  const Mat3<Real> cofactors{{cross(e2, e3), cross(e3, e1), cross(e1, e2)}};
  return {(Real(1) / det) * cofactors, det / Real(6), lambda, mu};
}

/// F = sum_a x_a grad N_a^T [-]
template <class Real>
NODIA_HD Mat3<Real> deformation_gradient(const TetRest<Real>& rest, const TetVectors<Real>& x) {
  const Vec3<Real> e1 = x.corner[1] - x.corner[0];
  const Vec3<Real> e2 = x.corner[2] - x.corner[0];
  const Vec3<Real> e3 = x.corner[3] - x.corner[0];
  return Mat3<Real>::from_columns(e1, e2, e3) * rest.gradient;
}

/// A : B = tr(A^T B)
template <class Real>
NODIA_HD Real double_dot(const Mat3<Real>& a, const Mat3<Real>& b) {
  return dot(a.row[0], b.row[0]) + dot(a.row[1], b.row[1]) + dot(a.row[2], b.row[2]);
}

/// First Piola-Kirchhoff stress P [Pa]. tr(R^T F - I) is R : (F - R), which avoids cancellation.
template <class Real>
NODIA_HD Mat3<Real> piola_stress(const TetRest<Real>& rest, const Mat3<Real>& F,
                                 const Mat3<Real>& R) {
  const Mat3<Real> strain = F - R;
  return (Real(2) * rest.mu) * strain + (rest.lambda * double_dot(R, strain)) * R;
}

/// Elastic energy psi [J]
template <class Real>
NODIA_HD Real tet_energy(const TetRest<Real>& rest, const Mat3<Real>& F, const Mat3<Real>& R) {
  const Mat3<Real> strain = F - R;
  const Real dilation = double_dot(R, strain);
  return rest.volume *
         (rest.mu * double_dot(strain, strain) + Real(0.5) * rest.lambda * dilation * dilation);
}

/// Elastic forces -dpsi/dx_a on the corners [N]
template <class Real>
NODIA_HD TetVectors<Real> tet_forces(const TetRest<Real>& rest, const Mat3<Real>& F,
                                     const Mat3<Real>& R) {
  const Mat3<Real> minus_VP = (-rest.volume) * piola_stress(rest, F, R);
  const Vec3<Real> f1 = minus_VP * rest.gradient.row[0];
  const Vec3<Real> f2 = minus_VP * rest.gradient.row[1];
  const Vec3<Real> f3 = minus_VP * rest.gradient.row[2];
  return {{-(f1 + f2 + f3), f1, f2, f3}};
}

/// sqrt(V) g_a = sqrt(V) R grad N_a of the corners [m^(1/2)]
template <class Real>
NODIA_HD TetVectors<Real> rotated_gradients(const TetRest<Real>& rest, const Mat3<Real>& R) {
  const Mat3<Real> scaled = root(rest.volume) * R;
  const Vec3<Real> g1 = scaled * rest.gradient.row[0];
  const Vec3<Real> g2 = scaled * rest.gradient.row[1];
  const Vec3<Real> g3 = scaled * rest.gradient.row[2];
  return {{-(g1 + g2 + g3), g1, g2, g3}};
}

/// K_ab [N/m] from the sum of V g_a g_b^T over elements that share a material.
/// @param s  sum of V g_a g_b^T [m]
template <class Real>
NODIA_HD Mat3<Real> stiffness_block(const Mat3<Real>& s, Real lambda, Real mu) {
  const Vec3<Real>&p = s.row[0], &q = s.row[1], &r = s.row[2];
  const Real both = lambda + mu;
  const Real isotropic = mu * (p.x + q.y + r.z);
  return {{{both * p.x + isotropic, lambda * p.y + mu * q.x, lambda * p.z + mu * r.x},
           {lambda * q.x + mu * p.y, both * q.y + isotropic, lambda * q.z + mu * r.y},
           {lambda * r.x + mu * p.z, lambda * r.y + mu * q.z, both * r.z + isotropic}}};
}

/// Von Mises measure of the co-rotated Cauchy stress 2 mu (S - I) + lambda tr(S - I) I, S = R^T F
/// [Pa].
template <class Real>
NODIA_HD Real tet_von_mises(const TetRest<Real>& rest, const Mat3<Real>& F, const Mat3<Real>& R) {
  const Mat3<Real> strain = transpose(R) * (F - R);
  const Real xx = strain(0, 0) - strain(1, 1);
  const Real yy = strain(1, 1) - strain(2, 2);
  const Real zz = strain(2, 2) - strain(0, 0);
  const Real xy = Real(0.5) * (strain(0, 1) + strain(1, 0));
  const Real yz = Real(0.5) * (strain(1, 2) + strain(2, 1));
  const Real zx = Real(0.5) * (strain(2, 0) + strain(0, 2));
  return (Real(2) * rest.mu) *
         root(Real(0.5) * (xx * xx + yy * yy + zz * zz) + Real(3) * (xy * xy + yz * yz + zx * zx));
}

}  // namespace nodia

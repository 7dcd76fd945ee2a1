/// First-order expansion of the contact law about a trial force; host and device.
///
/// The strict law has a fixed section: with the half axes a_i = mu_i s it is the projection on the
/// convex set [0, inf) x ellipse, so the derivative is symmetric and positive semi-definite. The
/// proximal law is itself a projection on a convex set.
///
/// For the projection p of x on { h <= 0 } across a smooth boundary, with x - p = k grad h and S =
/// I + k hess h,
///
///   dp/dx = S^-1 - S^-1 c c^T S^-1/(c^T S^-1 c),   c = grad h
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/projections.hpp"
#include "kernels/core/mat3.hpp"

namespace nodia {

struct ContactTangent {
  Vec3d force{};  ///< contact frame [N]
  Mat3d slope;    ///< derivative by the trial force; symmetric, eigenvalues in [0, 1] [-]
  ContactState state = ContactState::open;
};

namespace detail {

/// Projection of (y1, y2) on the ellipse of half axes a1, a2 >= 0, and its derivative.
/// @param slope  output: d11, d12, d22
/// @return true if the point was inside
NODIA_HD bool project_on_section(double a1, double a2, double* y1, double* y2, double slope[3]) {
  if (!(a1 > 0) || !(a2 > 0)) {
    double* y[2] = {y1, y2};
    const double a[2] = {a1, a2};
    bool inside = true;
    for (int i = 0; i < 2; ++i) {
      const bool within = a[i] > 0 && std::fabs(*y[i]) < a[i];
      slope[2 * i] = within ? 1 : 0;
      *y[i] = a[i] > 0 ? clamp_abs(*y[i], a[i]) : 0.0 * *y[i];
      inside = inside && within;
    }
    slope[1] = 0;
    return inside;
  }
  const double c1 = *y1 / a1, c2 = *y2 / a2;
  if (c1 * c1 + c2 * c2 < 1) {
    slope[0] = slope[2] = 1;
    slope[1] = 0;
    return true;
  }
  const double x1 = *y1, x2 = *y2;
  if (a1 == a2) {
    const double length = length2(x1, x2);
    const double e1 = x1 / length, e2 = x2 / length, across = a1 / length;
    slope[0] = across * (1 - e1 * e1);
    slope[1] = -across * e1 * e2;
    slope[2] = across * (1 - e2 * e2);
    *y1 = a1 * e1;
    *y2 = a1 * e2;
    return false;
  }
  nearest_on_ellipse(a1, a2, y1, y2);
  // 1 + k/a_i^2 = x_i/p_i, for the axis along which p is farther.
  const bool first = std::fabs(*y1 / a1) >= std::fabs(*y2 / a2);
  const double stretch = first ? x1 / *y1 - 1 : x2 / *y2 - 1;
  const double a = first ? a1 : a2;
  const double k = a * a * (stretch > 0 ? stretch : 0);
  const double s1 = a1 * a1 / (a1 * a1 + k), s2 = a2 * a2 / (a2 * a2 + k);
  const double g1 = *y1 / (a1 * a1), g2 = *y2 / (a2 * a2);
  const double total = s1 * g1 * g1 + s2 * g2 * g2;
  slope[0] = s1 - s1 * g1 * s1 * g1 / total;
  slope[1] = -s1 * g1 * s2 * g2 / total;
  slope[2] = s2 - s2 * g2 * s2 * g2 / total;
  return false;
}

}  // namespace detail

/// Tangent of the strict law with fixed section.
/// @param section  normal force s of the section, >= 0; with the trial's own normal force the
///                 result is that of project_strict [N]
NODIA_HD ContactTangent strict_tangent(Vec3d trial, double section, double mu1, double mu2) {
  ContactTangent t;
  if (!(trial.x > 0)) return t;
  double slope[3];
  t.force = trial;
  const bool stick =
      detail::project_on_section(mu1 * section, mu2 * section, &t.force.y, &t.force.z, slope);
  t.slope = {{{1, 0, 0}, {0, slope[0], slope[1]}, {0, slope[1], slope[2]}}};
  t.state = stick ? ContactState::stick : ContactState::slip;
  return t;
}

/// Tangent of the convex relaxation, project_proximal.
NODIA_HD ContactTangent proximal_tangent(Vec3d trial, double mu1, double mu2) {
  ContactTangent t;
  t.force = project_proximal(trial, mu1, mu2);
  if (!(t.force.x > 0)) return t;
  const Vec3d p = t.force;
  // h = |(p_1/mu_1, p_2/mu_2)| - p_n; an axis without friction has no force.
  const double k = p.x - trial.x;
  if (!(k > 0)) {
    t.slope = {{{1, 0, 0}, {0, mu1 > 0 ? 1.0 : 0.0, 0}, {0, 0, mu2 > 0 ? 1.0 : 0.0}}};
    t.state = mu1 > 0 && mu2 > 0 ? ContactState::stick : ContactState::slip;
    return t;
  }
  t.state = ContactState::slip;
  const double mu[2] = {mu1, mu2};
  double q[2] = {0, 0}, s11 = 1, s12 = 0, s22 = 1;
  for (int i = 0; i < 2; ++i)
    if (mu[i] > 0) q[i] = p[i + 1] / (mu[i] * mu[i] * p.x);
  const double h11 = mu1 > 0 ? (1 / (mu1 * mu1) - q[0] * q[0]) / p.x : 0;
  const double h22 = mu2 > 0 ? (1 / (mu2 * mu2) - q[1] * q[1]) / p.x : 0;
  const double h12 = mu1 > 0 && mu2 > 0 ? -q[0] * q[1] / p.x : 0;
  const double a11 = 1 + k * h11, a12 = k * h12, a22 = 1 + k * h22;
  const double determinant = a11 * a22 - a12 * a12;
  s11 = mu1 > 0 ? a22 / determinant : 0;
  s22 = mu2 > 0 ? a11 / determinant : 0;
  s12 = -a12 / determinant;
  const double c0 = -1, c1 = s11 * q[0] + s12 * q[1], c2 = s12 * q[0] + s22 * q[1];
  const double total = 1 + q[0] * c1 + q[1] * c2;
  t.slope = {{{1 - c0 * c0 / total, -c0 * c1 / total, -c0 * c2 / total},
              {-c0 * c1 / total, s11 - c1 * c1 / total, s12 - c1 * c2 / total},
              {-c0 * c2 / total, s12 - c1 * c2 / total, s22 - c2 * c2 / total}}};
  return t;
}

}  // namespace nodia

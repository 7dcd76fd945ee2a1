/// Projections of a trial contact force on the friction cone, host and device.
///
/// Contact frame (n, t1, t2), n towards body i. The section of the cone at lambda_n is the ellipse
///   (lambda_t1/mu1)^2 + (lambda_t2/mu2)^2 <= lambda_n^2,
/// the disc of radius mu lambda_n if mu1 = mu2 = mu. A trial in the cone is returned unchanged, NaN
/// gives NaN, and every loop is bounded.
#pragma once

#include "kernels/core/pack.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

namespace detail {

template <class Real>
struct Rounding;
template <>
struct Rounding<double> {
  static constexpr double eps = 2.220446049250313e-16;
  static constexpr double tiny_square = 1e-280, huge_square = 1e300;
};
template <>
struct Rounding<float> {
  static constexpr float eps = 1.1920929e-7F;
  static constexpr float tiny_square = 1e-30F, huge_square = 1e37F;
};

/// sqrt(a^2 + b^2) if the squares would overflow or underflow; NaN if either argument is NaN.
template <class Real>
NODIA_COLD Real scaled_length2(Real a, Real b) {
  const Real p = std::fabs(a), q = std::fabs(b);
  const Real m = p > q ? p : q;
  if (!(m > Real(0))) return p + q;
  const Real c = p / m, d = q / m;
  return m * std::sqrt(c * c + d * d);
}

/// sqrt(a^2 + b^2) without overflow or underflow of the squares, for any number type; NaN if either
/// argument is NaN.
template <class P>
NODIA_HD P length2(P a, P b) {
  using Real = Scalar<P>;
  const P squared = a * a + b * b;
  const auto regular =
      ((squared > Rounding<Real>::tiny_square) & (squared < Rounding<Real>::huge_square)) |
      ((a == Real(0)) & (b == Real(0)));
  return replace_lanes(regular, root(squared),
                       [&](int l) { return scaled_length2(lane_of(a, l), lane_of(b, l)); });
}

template <class Real>
NODIA_HD Real clamp_abs(Real x, Real bound) {
  if (x > bound) return bound;
  if (x < -bound) return -bound;
  return x;
}

/// Nearest point of the ellipse with semi-axes p1, p2 > 0 to a point y outside it, in place:
///   x_i = p_i^2 y_i/(p_i^2 + s),   s > 0 from  sum (p_i y_i/(p_i^2 + s))^2 = 1
/// Newton on 1/|a(s)| - 1, concave and increasing in s, rises monotonically from a lower bound.
template <class Real>
NODIA_HD void nearest_on_ellipse(Real p1, Real p2, Real* y1, Real* y2) {
  const Real eps = Rounding<Real>::eps;
  const Real p_max = p1 > p2 ? p1 : p2;
  const Real k1 = p1 / p_max, k2 = p2 / p_max;
  if (k1 < eps || k2 < eps) {
    *y1 = k1 < eps ? Real(0) * *y1 : clamp_abs(*y1, p1);
    *y2 = k2 < eps ? Real(0) * *y2 : clamp_abs(*y2, p2);
    return;
  }
  // Beyond 1/eps^2 semi-axes only the direction of the trial matters.
  const Real far = Real(1) / (eps * eps);
  const Real a1 = std::fabs(*y1), a2 = std::fabs(*y2);
  const Real y_max = a1 > a2 ? a1 : a2;
  const Real ratio = y_max / p_max < far ? y_max / p_max : far;
  const Real z1 = *y1 / y_max * ratio, z2 = *y2 / y_max * ratio;

  Real s = 0;
  const Real bound1 = k1 * (std::fabs(z1) - k1), bound2 = k2 * (std::fabs(z2) - k2);
  if (bound1 > s) s = bound1;
  if (bound2 > s) s = bound2;
  Real q1 = 0, q2 = 0, length = 1;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Real d1 = k1 * k1 + s, d2 = k2 * k2 + s;
    q1 = k1 * z1 / d1;
    q2 = k2 * z2 / d2;
    const Real squared = q1 * q1 + q2 * q2;
    length = std::sqrt(squared);
    if (!(length > Real(1) + 2 * eps)) break;
    const Real step = (length - Real(1)) * squared / (q1 * q1 / d1 + q2 * q2 / d2);
    if (!(s + step > s)) break;
    s += step;
  }
  *y1 = p1 * (q1 / length);
  *y2 = p2 * (q2 / length);
}

/// Euclidean projection on the circular cone |t| <= mu n.
template <class Real>
NODIA_HD Vec3<Real> project_circular_cone(Vec3<Real> trial, Real mu) {
  const Real r = length2(trial.y, trial.z);
  if (trial.x >= Real(0) && r <= mu * trial.x) return trial;
  if (mu * r <= -trial.x) return {Real(0), Real(0), Real(0)};
  const Real n = mu > Real(1) ? (trial.x / mu + r) / (Real(1) / mu + mu)
                              : (trial.x + mu * r) / (Real(1) + mu * mu);
  const Real radius = mu * n;
  return {n, trial.y / r * radius, trial.z / r * radius};
}

}  // namespace detail

/// Strict projection with isotropic friction, for any number type.
template <class P>
NODIA_HD Vec3<P> project_strict_isotropic(Vec3<P> trial, P mu) {
  using Real = Scalar<P>;
  const P n = select(trial.x <= Real(0), P(Real(0)), trial.x);
  const P r = detail::length2(trial.y, trial.z), radius = mu * n;
  // Without a branch, because stick and slip alternate from node to node and defeat prediction.
  const P scale = select(r <= radius, P(Real(1)), radius / r);
  return {n, trial.y * scale, trial.z * scale};
}

/// Strict projection: satisfies the Signorini-Coulomb condition (11) exactly for a diagonal
/// surrogate (Lee et al., Prop. 4), with maximal dissipation for anisotropic friction (Prop. 6).
///
///   lambda_n = max(lambda_n*, 0),   lambda_t = the point of the section at lambda_n nearest to
///   lambda_t*
///
/// @param trial     lambda* = -(J_c v* + phi)/gamma, contact frame [N]
/// @param mu1, mu2  Coulomb coefficients along t1 and t2, finite, >= 0 [-]
/// @return          lambda, same frame, lambda_n >= 0 [N]
template <class Real>
NODIA_COLD Vec3<Real> project_strict(Vec3<Real> trial, Real mu1, Real mu2) {
  const Real zero = 0;
  const Real n = trial.x <= zero ? zero : trial.x;
  Real y1 = trial.y, y2 = trial.z;
  if (mu1 == mu2) return project_strict_isotropic(trial, mu1);
  const Real p1 = mu1 * n, p2 = mu2 * n;
  if (p1 == zero || p2 == zero) {
    return {n, p1 == zero ? zero * y1 : detail::clamp_abs(y1, p1),
            p2 == zero ? zero * y2 : detail::clamp_abs(y2, p2)};
  }
  const Real c1 = y1 / p1, c2 = y2 / p2;
  if (!(c1 * c1 + c2 * c2 <= Real(1))) detail::nearest_on_ellipse(p1, p2, &y1, &y2);
  return {n, y1, y2};
}

/// Proximal projection: the Euclidean projection on the cone (Lee et al., (28), convex relaxation).
///
/// Outside the cone and its polar cone { n <= -|(mu1 t1, mu2 t2)| }, with the multiplier nu >= 0,
///   lambda_ti = mu_i q_i,   lambda_n = |q|,   q_i = mu_i lambda_ti*/(mu_i^2 + nu),
///   nu from (1 - nu) |q(nu)| = lambda_n*, whose left side falls strictly.
///
/// @param trial     lambda*, contact frame [N]
/// @param mu1, mu2  Coulomb coefficients along t1 and t2, finite, >= 0 [-]
/// @return          lambda, same frame, lambda_n >= 0 [N]
template <class Real>
NODIA_COLD Vec3<Real> project_proximal(Vec3<Real> trial, Real mu1, Real mu2) {
  const Real zero = 0, one = 1, eps = detail::Rounding<Real>::eps;
  if (mu1 == mu2) return detail::project_circular_cone(trial, mu1);
  // An axis without friction flattens the cone; friction of 1/eps is effectively infinite.
  if (mu1 < eps * eps)
    return detail::project_circular_cone({trial.x, zero * trial.y, trial.z}, mu2);
  if (mu2 < eps * eps)
    return detail::project_circular_cone({trial.x, trial.y, zero * trial.z}, mu1);
  if (mu1 * eps > one) mu1 = one / eps;
  if (mu2 * eps > one) mu2 = one / eps;

  const Real t_abs = detail::length2(trial.y, trial.z);
  const Real scale = t_abs > std::fabs(trial.x) ? t_abs : std::fabs(trial.x);
  if (scale == zero) return trial;
  const Real n = trial.x / scale, t1 = trial.y / scale, t2 = trial.z / scale;
  if (detail::length2(t1 / mu1, t2 / mu2) <= n) return trial;
  const Real m1 = mu1 * t1, m2 = mu2 * t2;
  if (detail::length2(m1, m2) <= -n) return {zero, zero, zero};

  const Real a1 = mu1 * mu1, a2 = mu2 * mu2;
  Real low = 0, high = -1, nu = 1;  // high < 0: no upper bound yet
  Real q1 = 0, q2 = 0, q = 0;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Real d1 = a1 + nu, d2 = a2 + nu;
    q1 = m1 / d1;
    q2 = m2 / d2;
    q = detail::length2(q1, q2);
    const Real excess = (one - nu) * q - n;
    if (excess > zero) {
      low = nu;
    } else if (excess < zero) {
      high = nu;
    } else {
      break;
    }
    // d/dnu |q| = -(q1^2/d1 + q2^2/d2)/|q|, in a form whose squares do not underflow
    const Real slope = -q - (one - nu) * ((q1 / q) * (q1 / d1) + (q2 / q) * (q2 / d2));
    Real next = nu - excess / slope;
    if (high < zero) {
      if (!(next > low)) next = low * 16;
      if (next > low * 16) next = low * 16;
      if (next * eps * eps > one) break;
    } else if (!(next > low && next < high)) {
      next =
          low > zero && high > 4 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
    }
    const Real change = std::fabs(next - nu);
    nu = next;
    if (!(change > 2 * eps * nu)) break;
  }
  return {scale * q, scale * (mu1 * q1), scale * (mu2 * q2)};
}

}  // namespace nodia

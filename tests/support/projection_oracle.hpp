/// Slow and plain solutions of one-contact problems, by bisection and ternary search.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/core/vec3.hpp"

namespace nodia::oracle {

/// Tangential force that meets (11) with maximal dissipation for u_t = gamma lambda_t + w_t:
/// lambda_ti = -w_i/(gamma + s/radius_i^2), the least s >= 0 that brings it into the ellipse.
/// @param radius1, radius2  semi-axes mu_i lambda_n > 0 [N]
inline Vec3d coulomb_tangent(double gamma, double w1, double w2, double radius1, double radius2) {
  const auto force = [&](double s) {
    return Vec3d{0, -w1 / (gamma + s / (radius1 * radius1)),
                 -w2 / (gamma + s / (radius2 * radius2))};
  };
  const auto outside = [&](double s) {
    const Vec3d f = force(s);
    return std::hypot(f.y / radius1, f.z / radius2) > 1;
  };
  if (!outside(0)) return force(0);
  double low = 0, high = 1;
  while (outside(high)) high *= 2;
  for (int i = 0; i < 400; ++i) {
    const double middle = low + (high - low) / 2;
    (outside(middle) ? low : high) = middle;
  }
  return force(high);
}

/// The force of one contact with u = gamma lambda + w that meets the Signorini-Coulomb condition
/// (11).
inline Vec3d coulomb_force(double gamma, Vec3d w, double mu1, double mu2) {
  const double n = std::max(0.0, -w.x / gamma);
  if (n == 0) return {0, 0, 0};
  const double tiny = 1e-150;
  const Vec3d t =
      coulomb_tangent(gamma, w.y, w.z, std::max(mu1 * n, tiny), std::max(mu2 * n, tiny));
  return {n, mu1 > 0 ? t.y : 0, mu2 > 0 ? t.z : 0};
}

/// The point of the cone nearest to `trial`, by ternary search over its normal component: 1e-7
/// accurate, as minimisation by values is.
inline Vec3d nearest_in_cone(Vec3d trial, double mu1, double mu2) {
  const auto candidate = [&](double n) {
    if (n <= 0) return Vec3d{0, 0, 0};
    const Vec3d t = coulomb_tangent(1, -trial.y, -trial.z, mu1 * n, mu2 * n);
    return Vec3d{n, t.y, t.z};
  };
  const auto distance = [&](double n) { return squared_norm(candidate(n) - trial); };
  double low = 0, high = 2 * norm(trial) + 1e-30;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (distance(a) <= distance(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return candidate(low + (high - low) / 2);
}

}  // namespace nodia::oracle

/// Compliant constraints of extended position-based dynamics [Macklin et al. 2016], scaled.
///
/// An energy psi = 1/2 C^T K C is a constraint C with compliance K^-1. With substep h and the
/// multiplier lambda = h^2 F, F = -K C at convergence, one projection solves
///   (J W J^T + (h^2 K)^-1) dlambda = -(C + (h^2 K)^-1 lambda),   dx = W J^T dlambda.
/// In scaled multipliers lambda = S mu, S = h K^(1/2), it is
///   (S J W J^T S + I) dmu = -(S C + mu),
/// which needs no limit for an axis without stiffness. Damping D = beta J^T K J adds
/// gamma = beta/h:  ((1 + gamma) S J W J^T S + I) dmu = -(S (C + gamma (C - C_start)) + mu).
#pragma once

#include <Eigen/Dense>

#include "kernels/core/vec3.hpp"

namespace nodia {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

inline void put(Vec3d a, int at, Vector6* to) {
  for (int k = 0; k < 3; ++k) (*to)[at + k] = a[k];
}
inline Vec3d take(const Vector6& from, int at) {
  return {from[at], from[at + 1], from[at + 2]};
}

}  // namespace nodia

/// Levenberg-Marquardt Newton method on the Fischer function (Sun, Algorithm 1).
#pragma once

#include <functional>

#include "host/solvers/complementarity/lcp.hpp"

namespace nodia {

struct FischerOptions {
  double tolerance = 1e-10;  ///< |Psi| over its value at x = 0 in the scaled problem [-], > 0
  int max_iterations = 500;  ///< >= 1
  double damping =
      1e-3;            ///< mu over |Psi|^2, > 0; the paper's 1 is slow if M has small eigenvalues
  double sigma = 0.5;  ///< reduction of the step length in Armijo's rule, (0, 1)
  double beta = 1e-4;  ///< decrease that Armijo's rule requires, (0, 1)
  double gamma = 0.9;  ///< decrease of |Psi| that accepts the full step, (0, 1)
};

/// Newton steps on f = 1/2 |Psi|^2 of the scaled problem, Psi_i = sqrt(x_i^2 + y_i^2) - x_i - y_i,
/// y = M x + p:
///
///   (V^T V + mu I) d = -V^T Psi,   V = D_a + D_b M,   mu = damping |Psi|^2
///
/// The iteration stops on |Psi|, not on |grad f|: if M is not a P0 matrix, a stationary point may
/// not be a solution, and is reported as stalled. Sun's printed algorithm counts k twice and omits
/// d in (9); at x_i = y_i = 0 the derivatives are 1/sqrt(2) - 1.
///
/// @param start    x_0 [n]; empty: zero
/// @param observe  called with (x, |Psi|) of the scaled problem before every step; may be empty
/// @throws InputError for inconsistent sizes
LcpSolution fischer_newton(const Lcp& lcp, const FischerOptions& options = {},
                           const Eigen::VectorXd& start = {},
                           const std::function<void(const Eigen::VectorXd&, double)>& observe = {});

}  // namespace nodia

/// Fixed points of the proximal map (Lu & Trinkle, (23); Schindler et al., (9)):
///
///   x <- prox_C( x - r (A x + zeta x + b) )
#pragma once

#include <array>
#include <functional>

#include "host/solvers/complementarity/mlcp.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Source of the factor r.
enum class ProxFactor {
  adaptive,     ///< from the curvature r |A dx|/|dx| of the iterates
  eigenvalues,  ///< r* = 2/(eta_max + eta_min) of A + zeta, eta_min the smallest nonzero one
  given
};
constexpr auto words_of(ProxFactor) {
  return std::array{Word{ProxFactor::adaptive, "adaptive"},
                    Word{ProxFactor::eigenvalues, "eigenvalues"}, Word{ProxFactor::given, "given"}};
}

struct ProxOptions {
  ProxFactor factor = ProxFactor::adaptive;
  double r = 1;              ///< the given factor, > 0 [kg] (impulses) or [N s/m] (forces)
  double zeta = 0;           ///< relaxation on the diagonal, constraint force mixing, >= 0
  int max_iterations = 300;  ///< >= 1
};

struct ProxSolution {
  Eigen::VectorXd x;
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;
  int iterations = 0;
  double r = 0;  ///< last factor
};

/// Called after every iteration with x and w = A x + b, without zeta. @return true to stop
using ProxStop = std::function<bool(const Eigen::VectorXd& x, const Eigen::VectorXd& w)>;

/// Status: converged if `stop` ended it; diverged if iterates grow without bound or still move
/// further apart at the limit; stalled if they no longer change and `stop` requires more (limited
/// by zeta or rounding); iteration_limit; not_a_number.
/// @param start  x_0, may be infeasible; size of the problem
/// @throws InputError for a bad problem or option
ProxSolution prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                              const ProxStop& stop);

/// Same until cck_error <= tolerance, which is also tested at the start.
ProxSolution prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                              double tolerance);

/// r* = 2/(eta_max + eta_min) [Foerg et al. 2006], from the nonzero eigenvalues. If A is not
/// symmetric it uses their real parts, without a guarantee of convergence.
double factor_from_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace nodia

/// Fixed points of the proximal map (Lu & Trinkle, (23); Schindler et al., (9)):
///
///   x <- prox_C( x - r (A x + zeta x + b) )
#pragma once

#include <array>
#include <functional>

#include "host/solvers/complementarity/mlcp.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Where the factor r comes from.
enum class ProxFactor {
  adaptive,     ///< from the curvature r |A dx|/|dx| that the iterates meet
  eigenvalues,  ///< r* = 2/(eta_max + eta_min) of A + zeta, eta_min the least that is not zero
  given
};
constexpr auto words_of(ProxFactor) {
  return std::array{Word{ProxFactor::adaptive, "adaptive"},
                    Word{ProxFactor::eigenvalues, "eigenvalues"}, Word{ProxFactor::given, "given"}};
}

struct ProxOptions {
  ProxFactor factor = ProxFactor::adaptive;
  double r = 1;              ///< of the given factor, > 0 [kg] (impulses) or [N s/m] (forces)
  double zeta = 0;           ///< relaxation on the diagonal, constraint force mixing, >= 0
  int max_iterations = 300;  ///< >= 1
};

struct ProxAnswer {
  Eigen::VectorXd x;
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;
  int iterations = 0;
  double r = 0;  ///< the last factor
};

/// Called after every iteration with x and w = A x + b, without the relaxation. @return true to end
using ProxStop = std::function<bool(const Eigen::VectorXd& x, const Eigen::VectorXd& w)>;

/// Status: converged where `stop` ended it; diverged where iterates grow beyond all bounds or still
/// move further apart at the limit; stalled where they no longer change although `stop` asks for
/// more (the floor of zeta or of rounding); iteration_limit; not_a_number.
/// @param start  x_0, need not be feasible; as many entries as the problem
/// @throws InputError for a bad problem or option
ProxAnswer prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                            const ProxStop& stop);

/// The same until cck_error <= tolerance, at the start too.
ProxAnswer prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                            double tolerance);

/// r* = 2/(eta_max + eta_min) [Foerg et al. 2006], of the real parts where A is not symmetric
/// (where nothing promises that it converges); zero eigenvalues are left out, for nothing moves
/// along them.
double factor_from_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace nodia

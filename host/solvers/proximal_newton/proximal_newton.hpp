/// Proximal point method with semismooth Newton steps for local problems (Acary, Bremond & Huber
/// 2018: PROX with NSN_AC).
#pragma once

#include <functional>
#include <string>

#include "host/solvers/interface.hpp"
#include "host/solvers/proximal_newton/local_problem.hpp"

namespace nodia {

struct LocalAnswer {
  SolveStatus status = SolveStatus::stalled;  ///< converged: observe said so
  std::string reason;                         ///< in words, where it did not converge
  int sweeps = 0, newton_steps = 0, proximal_steps = 0;
};

/// Looks at the forces and velocities of every iteration. @return true to end
using LocalObserver = std::function<bool(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u)>;

/// Sweeps of block Gauss-Seidel find the states of most contacts. Then, in the scaled problem,
///
///   x_{k+1} = the solution of  u = W x + q + alpha (x - x_k)  with the same law
///
/// by Newton steps with a line search that need not descend at every one. The regularised matrix
/// has no null space where forces are not unique. alpha falls while Newton's method gets along, and
/// grows where it does not, from the last x_k: the nearer the point, the fewer states change. The
/// equations' parameter rho is kShare/sqrt(alpha), between the compliance of a contact, 1, and that
/// of the forces that W does not feel, alpha.
///
/// A set-up of one pass over W. No random numbers; the same bits in every run.
///
/// @param start    [3 n_contact]
/// @param observe  decides convergence; called after every sweep and every Newton step
/// @param max_iterations  sweeps and Newton steps together
LocalAnswer proximal_newton(const LocalProblem& problem, const Eigen::VectorXd& start,
                            int max_iterations, const LocalObserver& observe);

}  // namespace nodia

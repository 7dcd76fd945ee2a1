/// Proximal points by semismooth Newton steps (Acary, Bremond & Huber 2018: PROX with NSN_AC).
#pragma once

#include <functional>
#include <string>

#include "host/solvers/interface.hpp"
#include "host/solvers/proximal_newton/local_problem.hpp"

namespace nodia {

struct LocalSolution {
  SolveStatus status = SolveStatus::stalled;  ///< converged: `observe` has stopped the method
  std::string reason;                         ///< text if it did not converge
  int sweeps = 0, newton_steps = 0, proximal_steps = 0;
};

/// Receives the forces and velocities of every iteration. @return true to stop
using LocalObserver = std::function<bool(const Eigen::VectorXd& lambda, const Eigen::VectorXd& u)>;

/// Block Gauss-Seidel sweeps find the states of most contacts. Then, in the scaled problem,
///
///   x_{k+1} = the solution of  u = W x + q + alpha (x - x_k)  with the same law
///
/// by Newton steps with a nonmonotone line search. The regularised matrix has no null space if
/// forces are not unique. alpha decreases while Newton's method converges and increases otherwise,
/// from the last x_k: fewer states change on the way to a near point. The equations' parameter rho
/// is kShare/sqrt(alpha), between the compliance 1 of a contact and the compliance alpha of the
/// forces in the null space of W.
///
/// The set-up needs one pass over W. The bits are equal in every run.
///
/// @param start    [3 n_contact]
/// @param observe  decides convergence after every sweep and every Newton step
/// @param max_iterations  sweeps and Newton steps together
LocalSolution proximal_newton(const LocalProblem& problem, const Eigen::VectorXd& start,
                              int max_iterations, const LocalObserver& observe);

}  // namespace nodia

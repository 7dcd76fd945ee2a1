/// Accelerated projected gradient descent on the Delassus operator [Mazhar et al. 2015].
#pragma once

#include <memory>

#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

/// Nesterov's scheme with a step length from backtracking on the curvature along the step, adaptive
/// restart, and the iterate of smallest contact error as fallback. The strict projection uses the
/// same iteration for Coulomb's law, without a proof of convergence.
class ApgdSolver final : public DelassusSolver {
 public:
  using DelassusSolver::DelassusSolver;

 protected:
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;
};

std::unique_ptr<ContactSolver> make_apgd_solver(const SolverOptions& options);

}  // namespace nodia

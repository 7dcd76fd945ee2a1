/// The proximal Newton method on the Delassus operator of a contact problem.
#pragma once

#include <memory>

#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

/// Iterations are sweeps and Newton steps.
class ProximalNewtonSolver final : public DelassusSolver {
 public:
  explicit ProximalNewtonSolver(const CommonOptions& options);

 protected:
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;
};

std::unique_ptr<ContactSolver> make_proximal_newton_solver(const SolverOptions& options);

}  // namespace nodia

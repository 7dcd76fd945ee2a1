#include "host/solvers/proximal_newton/proximal_newton_solver.hpp"

#include "host/solvers/complementarity/polygon_lcp.hpp"
#include "host/solvers/proximal_newton/proximal_newton.hpp"

namespace nodia {

ProximalNewtonSolver::ProximalNewtonSolver(const CommonOptions& options) : DelassusSolver(options) {
  require_strict(options.projection, "proximal_newton");
}

void ProximalNewtonSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                                   Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  LocalProblem local{BlockColumns::of(op.matrix()), op.bias(), {}, {}};
  for (const Contact<double>& c : problem.contacts) {
    local.mu1.push_back(c.mu1);
    local.mu2.push_back(c.mu2);
  }
  const LocalSolution solution =
      proximal_newton(local, lambda, options().max_iterations,
                      [monitor](const Eigen::VectorXd& force, const Eigen::VectorXd& u) {
                        return monitor->stop(force, u);
                      });
  if (solution.status != SolveStatus::converged)
    monitor->conclude(solution.status, solution.reason);
}

std::unique_ptr<ContactSolver> make_proximal_newton_solver(const SolverOptions& options) {
  return std::make_unique<ProximalNewtonSolver>(options);
}

}  // namespace nodia

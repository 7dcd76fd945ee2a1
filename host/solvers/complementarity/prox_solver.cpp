#include "host/solvers/complementarity/prox_solver.hpp"

#include "host/solvers/complementarity/scaled_contacts.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

FrictionLaw law_of(const CommonOptions& options, const ProxSolverOptions& own) {
  if (own.friction != Section::disc && options.projection != Projection::strict)
    throw_bad_value("solver.prox.friction", name_of(own.friction),
                    "conic with solver.projection: proximal",
                    "the convex relaxation is that of the cone");
  return {.projection = options.projection, .section = own.friction};
}

}  // namespace

void visit_keys(KeyVisitor& v, ProxSolverOptions& o) {
  v.choice(
      {"rule",
       "where the factor r comes from: adaptive, eigenvalues of the Delassus matrix, or given"},
      o.rule);
  v.real({"r", "the given factor, times the contact's compliance [-]"}, o.r, Range::positive());
  v.real({"zeta", "relaxation, over the contact's compliance [-]"}, o.zeta, Range::between(0, 1e6));
  v.choice({"friction",
            "section of the friction cone: conic, or four-sided: the pyramid inside or the box "
            "around"},
           o.friction);
}

ProxSolver::ProxSolver(const CommonOptions& options, const ProxSolverOptions& own)
    : DelassusSolver(options),
      law_(law_of(options, own)),
      prox_{.factor = own.rule,
            .r = own.r,
            .zeta = own.zeta,
            .max_iterations = options.max_iterations} {}

void ProxSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                         Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const auto [scaled, s] = scaled_contacts(op.matrix(), op.bias(), problem.contacts, law_);
  const ProxSolution solution =
      prox_fixed_point(scaled, prox_, lambda.cwiseQuotient(s),
                       [monitor, &s = s](const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
                         return monitor->stop(s.cwiseProduct(x), w.cwiseQuotient(s));
                       });
  // `converged` means here that the monitor ended the iteration and has set the status.
  if (solution.status != SolveStatus::converged)
    monitor->conclude(solution.status, solution.reason);
}

std::unique_ptr<ContactSolver> make_prox_solver(const SolverOptions& options) {
  return std::make_unique<ProxSolver>(options, options.of<ProxSolverOptions>());
}

}  // namespace nodia

#include "host/solvers/complementarity/prox_solver.hpp"

#include "host/solvers/complementarity/scaled_contacts.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

ContactLaw law_of(const SolverOptions& options) {
  ContactLaw law{.projection = options.projection};
  const std::string friction = word_of(options, "prox", "friction");
  if (friction == "pyramid") law.section = Section::polygon;
  if (friction == "box") law.section = Section::box;
  if (law.section != Section::disc && law.projection != Projection::strict)
    throw_bad_value("solver.prox.friction", friction, "conic with solver.projection: proximal",
                    "the convex relaxation is that of the cone");
  return law;
}

ProxOptions prox_options(const SolverOptions& options) {
  ProxOptions prox;
  const std::string rule = word_of(options, "prox", "rule");
  if (rule == "eigenvalues") prox.factor = ProxFactor::eigenvalues;
  if (rule == "given") prox.factor = ProxFactor::given;
  prox.r = number_of(options, "prox", "r");
  prox.zeta = number_of(options, "prox", "zeta");
  prox.max_iterations = options.max_iterations;
  return prox;
}

}  // namespace

std::vector<SolverParameter> prox_parameters() {
  return {
      SolverParameter::one_of("rule",
                              "where the factor r comes from: adaptive, eigenvalues of the "
                              "Delassus matrix, or given",
                              {"adaptive", "eigenvalues", "given"}),
      SolverParameter::above("r", "the given factor, times the contact's compliance [-]", 1, 0),
      SolverParameter::in("zeta", "relaxation, over the contact's compliance [-]", 0, 0, 1e6),
      SolverParameter::one_of("friction",
                              "section of the friction cone: conic, or four-sided: the pyramid "
                              "inside or the box around",
                              {"conic", "pyramid", "box"}),
  };
}

ProxSolver::ProxSolver(const SolverOptions& options)
    : DelassusSolver(options), law_(law_of(options)), prox_(prox_options(options)) {}

void ProxSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                         Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const auto [scaled, s] = scaled_contacts(op.matrix(), op.bias(), problem.contacts, law_);
  const ProxAnswer answer =
      prox_fixed_point(scaled, prox_, lambda.cwiseQuotient(s),
                       [monitor, &s = s](const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
                         return monitor->stop(s.cwiseProduct(x), w.cwiseQuotient(s));
                       });
  // `converged` means here that the monitor ended it, and has said how.
  if (answer.status != SolveStatus::converged) monitor->conclude(answer.status, answer.reason);
}

std::unique_ptr<ContactSolver> make_prox_solver(const SolverOptions& options) {
  return std::make_unique<ProxSolver>(options);
}

}  // namespace nodia

#include "host/solvers/complementarity/lemke_solver.hpp"

#include "host/solvers/complementarity/lemke.hpp"
#include "host/solvers/complementarity/polygon_lcp.hpp"

namespace nodia {
namespace {

/// Pivots per entry of the LCP beyond max_iterations; a path takes one or two.
constexpr int kPivotsPerEntry = 10;

}  // namespace

void visit_keys(KeyVisitor& v, LemkeSolverOptions& o) {
  visit_facets(v, o.facets);
}

LemkeSolver::LemkeSolver(const CommonOptions& options, const LemkeSolverOptions& own)
    : DelassusSolver(options), facets_(own.facets) {
  require_strict(options.projection, "lemke");
}

void LemkeSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                          Eigen::VectorXd, ForceMonitor* monitor) const {
  const PolygonLcp polygon(op.matrix(), op.bias(), problem.contacts, facets_);
  LemkeOptions pivoting;
  pivoting.max_pivots = options().max_iterations + kPivotsPerEntry * polygon.lcp().size();
  const LcpSolution solution = lemke(polygon.lcp(), pivoting);
  const Eigen::VectorXd lambda = polygon.force(solution.z);
  monitor->conclude(lambda, op.matrix() * lambda + op.bias(), solution.iterations, solution.status,
                    solution.reason);
}

std::unique_ptr<ContactSolver> make_lemke_solver(const SolverOptions& options) {
  return std::make_unique<LemkeSolver>(options, options.of<LemkeSolverOptions>());
}

}  // namespace nodia

#include "host/solvers/complementarity/fischer_solver.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "host/solvers/complementarity/fischer_newton.hpp"
#include "host/solvers/complementarity/polygon_lcp.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "host/solvers/complementarity/scaled_contacts.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Limit of Newton steps per start; a start that converges takes a few dozen.
constexpr int kStepsOfOneStart = 100;

/// Iterations that produce the second start.
constexpr int kProxIterations = 100;

ProxSolution some_prox_iterations(const DelassusOperator& op, const ContactProblem& problem,
                                  const FrictionLaw& law, int most) {
  const auto [contacts, s] = scaled_contacts(op.matrix(), op.bias(), problem.contacts, law);
  ProxOptions options;
  options.max_iterations = std::min(kProxIterations, most);
  ProxSolution solution =
      prox_fixed_point(contacts, options, Eigen::VectorXd::Zero(s.size()),
                       [](const Eigen::VectorXd&, const Eigen::VectorXd&) { return false; });
  solution.x = s.cwiseProduct(solution.x);
  return solution;
}

/// Random start with typical magnitudes of lambda and u in a solution.
Eigen::VectorXd random_start(const PolygonLcp& polygon, const ScaledLcp& scaled, int seed) {
  std::mt19937_64 engine(static_cast<unsigned>(seed));
  Eigen::VectorXd x(polygon.lcp().size());
  for (double& value : x) value = static_cast<double>(engine() >> 11) * 0x1p-53;
  return scaled.column.cwiseProduct(x);
}

}  // namespace

void visit_keys(KeyVisitor& v, FischerSolverOptions& o) {
  visit_facets(v, o.facets);
  v.integer({"starts", "starting points that are tried"}, o.starts, 1, 1000);
}

FischerSolver::FischerSolver(const CommonOptions& options, const FischerSolverOptions& own)
    : DelassusSolver(options), facets_(own.facets), starts_(own.starts) {
  require_strict(options.projection, "fischer");
}

void FischerSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                            Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const PolygonLcp polygon(op.matrix(), op.bias(), problem.contacts, facets_);
  const ScaledLcp scaled = equilibrate(polygon.lcp());
  const int limit = options().max_iterations;
  const auto u = [&op](const Eigen::VectorXd& force) -> Eigen::VectorXd {
    return op.matrix() * force + op.bias();
  };
  FischerOptions fischer;
  fischer.tolerance = std::max(1e-13, 1e-2 * options().tolerance);
  LcpSolution best;
  double least = std::numeric_limits<double>::infinity();
  int iterations = 0;
  for (int k = 0; k < starts_ && iterations < limit; ++k) {
    if (k == 1) {
      const ProxSolution prox = some_prox_iterations(op, problem, law(), limit - iterations);
      iterations += prox.iterations;
      lambda = prox.x;
    }
    const Eigen::VectorXd start =
        k < 2 ? polygon.start(lambda, u(lambda)) : random_start(polygon, scaled, k);
    fischer.max_iterations = std::max(1, std::min(kStepsOfOneStart, limit - iterations));
    const LcpSolution solution = fischer_newton(polygon.lcp(), fischer, start);
    iterations += solution.iterations;
    const double error = lcp_error(polygon.lcp(), solution.z);
    if (k == 0 || error < least) {
      least = error;
      best = solution;
    }
    if (solution.status == SolveStatus::converged || solution.status == SolveStatus::not_a_number)
      break;
  }
  const Eigen::VectorXd force = polygon.force(best.z);
  if (best.status == SolveStatus::iteration_limit && iterations < limit)
    monitor->conclude(force, u(force), iterations, SolveStatus::stalled,
                      "no start led to a solution in a hundred Newton steps");
  else
    monitor->conclude(force, u(force), iterations, best.status, best.reason);
}

std::unique_ptr<ContactSolver> make_fischer_solver(const SolverOptions& options) {
  return std::make_unique<FischerSolver>(options, options.of<FischerSolverOptions>());
}

}  // namespace nodia

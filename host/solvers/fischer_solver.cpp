#include "host/solvers/fischer_solver.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "host/solvers/complementarity/fischer_newton.hpp"
#include "host/solvers/complementarity/polygon_lcp.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Newton steps of one start: where it goes to a solution it takes a few dozen.
constexpr int kStepsOfOneStart = 100;

/// Sizes of lambda and u that a solution may have.
Eigen::VectorXd random_start(const PolygonLcp& polygon, const ScaledLcp& scaled, int seed) {
  std::mt19937_64 engine(static_cast<unsigned>(seed));
  Eigen::VectorXd x(polygon.lcp().size());
  for (double& value : x) value = static_cast<double>(engine() >> 11) * 0x1p-53;
  return scaled.column.cwiseProduct(x);
}

}  // namespace

std::vector<SolverParameter> fischer_parameters() {
  return {
      facets_parameter(),
      SolverParameter::in("starts", "starting points that are tried, a whole number", 10, 1, 1000)};
}

FischerSolver::FischerSolver(const SolverOptions& options)
    : DelassusSolver(options),
      facets_(facets_of(options, "fischer")),
      starts_(whole_number_of(options, "fischer", "starts")) {}

void FischerSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                            Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const PolygonLcp polygon(op.matrix(), op.bias(), problem.contacts, facets_);
  const ScaledLcp scaled = equilibrate(polygon.lcp());
  FischerOptions fischer;
  fischer.tolerance = std::max(1e-13, 1e-2 * options().tolerance);
  int iterations = 0;
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;
  Eigen::VectorXd best = Eigen::VectorXd::Zero(lambda.size());
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < starts_ && iterations < options().max_iterations; ++k) {
    fischer.max_iterations = std::min(kStepsOfOneStart, options().max_iterations - iterations);
    const Eigen::VectorXd start = k == 0 ? polygon.start(lambda, op.matrix() * lambda + op.bias())
                                         : random_start(polygon, scaled, k);
    const LcpAnswer answer = fischer_newton(polygon.lcp(), fischer, start);
    iterations += answer.iterations;
    status = answer.status;
    reason = answer.reason;
    const double error = lcp_error(polygon.lcp(), answer.z);
    if (error < least) {
      least = error;
      best = polygon.force(answer.z);
    }
    if (status == SolveStatus::converged || status == SolveStatus::not_a_number) break;
  }
  monitor->conclude(best, op.matrix() * best + op.bias(), iterations, status, reason);
}

std::unique_ptr<ContactSolver> make_fischer_solver(const SolverOptions& options) {
  return std::make_unique<FischerSolver>(options);
}

}  // namespace nodia

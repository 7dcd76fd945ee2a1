#include "host/solvers/newton/solution_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/solvers/newton/newton.hpp"

namespace nodia {
namespace {

/// Newton solver's tolerance, and its largest share of the error.
constexpr double kTolerance = 1e-6, kShareOfTolerance = 1e-2, kLargestShare = 1.0 / 3;

double energy_norm(const ContactProblem& p, const std::vector<Vec3d>& v) {
  const std::vector<Vec3d> Av = p.A.multiply(v);
  double squared = 0;
  for (std::size_t i = 0; i < v.size(); ++i) squared += dot(v[i], Av[i]);
  return std::sqrt(squared);
}

}  // namespace

double estimate_solution_error(const ContactProblem& problem, const CommonOptions& options,
                               const std::vector<Vec3d>& v, const std::vector<Vec3d>& lambda) {
  SolverOptions exact;
  static_cast<CommonOptions&>(exact) = options;
  exact.solver = "newton";
  exact.stop = StopRule::energy;
  exact.tolerance = std::min(kTolerance, kShareOfTolerance * options.tolerance);
  exact.execution = {};  // on the CPU, independent of the solver's processor
  exact.execution.threads = 1;
  exact.full_errors = false;
  Solution solution;
  make_newton_solver(exact)->solve(problem, {v, lambda}, &solution);
  // The error is relative to the velocity, so that a step at rest has to be solved, too.
  if (!(energy_norm(problem, solution.v) > 0))
    make_newton_solver(exact)->solve(problem, {{}, lambda}, &solution);
  const std::vector<Vec3d>& w = solution.v;
  const double scale = energy_norm(problem, w);
  if (!(scale > 0)) return energy_norm(problem, v) > 0 ? 1 : 0;
  std::vector<Vec3d> difference(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) difference[i] = v[i] - w[i];
  const double error =
      std::max(energy_norm(problem, difference) / scale, TrueError(problem, w)(lambda));
  const SolveReport& report = solution.env[0];
  const bool known =
      report.status == SolveStatus::converged || report.error_estimate <= kLargestShare * error;
  return known ? error : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace nodia

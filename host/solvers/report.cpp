#include "host/solvers/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"

namespace nodia {

void judge(const ContactProblem& problem, const SolverOptions& options, Solution* solution) {
  const std::vector<Vec3d> diagonal =
      options.full_errors ? delassus_diagonal_exact(problem) : delassus_diagonal_estimate(problem);
  for (int e = 0; e < problem.n_env(); ++e) {
    SolveReport& report = solution->env[e];
    const auto finite = [](Vec3d a) { return is_finite(a); };
    const auto v = solution->v.begin();
    const auto lambda = solution->lambda.begin();
    if (!std::all_of(v + problem.env_node_begin[e], v + problem.env_node_begin[e + 1], finite) ||
        !std::all_of(lambda + problem.env_contact_begin[e],
                     lambda + problem.env_contact_begin[e + 1], finite)) {
      report.status = SolveStatus::not_a_number;
      if (report.reason.empty()) report.reason = "the answer is not finite";
    }
    const ErrorReport errors =
        measure_errors(problem, e, solution->v, solution->lambda, diagonal, options.projection);
    report.relative_residual = errors.relative_residual;
    report.natural_map_error = errors.natural_map_error;
    report.certificate_J = errors.certificate_J;
    report.energy_error_J =
        options.full_errors ? errors.energy_error_J : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace nodia

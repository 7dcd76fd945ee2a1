#include "host/solvers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/base/threads.hpp"
#include "host/errors/errors.hpp"
#include "host/solvers/newton/solution_error.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

namespace {

bool is_finite_solution(const ContactProblem& problem, int env, const Solution& solution) {
  const auto finite = [](Vec3d a) { return is_finite(a); };
  const auto v = solution.v.begin();
  const auto lambda = solution.lambda.begin();
  return std::all_of(v + problem.env_node_begin[env], v + problem.env_node_begin[env + 1],
                     finite) &&
         std::all_of(lambda + problem.env_contact_begin[env],
                     lambda + problem.env_contact_begin[env + 1], finite);
}

/// Full errors of a solution: the bound, and an estimate if the solver made none.
void evaluate_fully(const ContactProblem& problem, int env, const CommonOptions& options,
                    const Solution& solution, const std::vector<Vec3d>& diagonal,
                    SolveReport* report) {
  const auto nodes = [&](const std::vector<Vec3d>& all) {
    return std::vector<Vec3d>(all.begin() + problem.env_node_begin[env],
                              all.begin() + problem.env_node_begin[env + 1]);
  };
  const auto contacts = [&](const std::vector<Vec3d>& all) {
    return std::vector<Vec3d>(all.begin() + problem.env_contact_begin[env],
                              all.begin() + problem.env_contact_begin[env + 1]);
  };
  const ContactProblem own = problem.environment(env);
  const std::vector<Vec3d> v = nodes(solution.v), lambda = contacts(solution.lambda);
  report->error_bound = velocity_error_bound(own, v, lambda, contacts(diagonal), options.projection,
                                             options.invertible_omega_m_Ns);
  try {
    if (std::isnan(report->error_estimate))
      report->error_estimate = estimate_solution_error(own, options, v, lambda);
  } catch (const RuntimeError&) {
    // A is not positive definite; factorising solvers have no estimate.
  }
}

void set_errors(const SolutionErrors& errors, bool is_finite, SolveReport* report) {
  if (!is_finite) {
    report->status = SolveStatus::not_a_number;
    if (report->reason.empty()) report->reason = "the answer is not finite";
  }
  report->relative_residual = errors.relative_residual;
  report->natural_map_error = errors.natural_map_error;
  report->certificate_J = errors.certificate_J;
  report->energy_error_J = std::numeric_limits<double>::quiet_NaN();
  if (report->status != SolveStatus::not_a_number && !are_finite(errors)) {
    report->status = SolveStatus::not_a_number;
    report->reason = fmt::format(
        "the {} is not finite: numbers of the problem or the answer are "
        "too large to be squared",
        std::isfinite(errors.relative_residual) ? "contact error" : "relative residual");
  }
}

}  // namespace

void evaluate(const ContactProblem& problem, const CommonOptions& options, Solution* solution) {
  std::vector<Vec3d> diagonal(problem.contacts.size());
  for_each_environment(problem.n_env(), options.execution.threads, [&](int e) {
    SolveReport& report = solution->env[e];
    const bool is_finite = is_finite_solution(problem, e, *solution);
    const int n_row = problem.env_node_begin[e + 1] - problem.env_node_begin[e];
    const auto errors_by = [&](auto measure) {
      return measure(problem, e, solution->v, solution->lambda, diagonal, options.projection,
                     options.invertible_omega_m_Ns,
                     thread_count(options.execution.threads, n_row, problem.n_env()));
    };
    if (!options.full_errors) {
      delassus_diagonal_estimate(problem, e, &diagonal);
      set_errors(errors_by(solution_errors), is_finite, &report);
      return;
    }
    delassus_diagonal_exact(problem, e, &diagonal);
    const ErrorReport errors = errors_by(measure_errors);
    set_errors(errors, is_finite, &report);
    report.energy_error_J = errors.energy_error_J;
    if (report.status != SolveStatus::not_a_number)
      evaluate_fully(problem, e, options, *solution, diagonal, &report);
  });
}

void evaluate_from(const SoftEvaluation& evaluation, const TimeStep& step, SolveReport* report) {
  set_errors(errors_of(evaluation.sums, step), evaluation.is_finite, report);
}

}  // namespace nodia

#include "host/exchange/solve_imported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/exchange/gain_balance.hpp"
#include "host/exchange/solve_local.hpp"
#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

/// Rounds without a tenth of progress in the error after which the solver has stalled.
constexpr int kIdleRounds = 3;
/// Smallest inner tolerance that double precision can reach.
constexpr double kLeastTolerance = 1e-15;
/// With a defect: tolerance of the first round, and of later rounds as a share of the last error.
constexpr double kFirstTolerance = 1e-2, kShareOfError = 0.05;
/// Bounds on the ratio of the inner tolerances of two rounds.
constexpr double kLeastShare = 1e-3, kLargestShare = 0.3;

/// The problem of the rounds.
struct Task {
  const ContactProblem& problem;
  /// Error of a solution of the current problem; empty unless correct() changes the problem by more
  /// than rounding.
  std::function<double(const Solution&)> inner_error;
  std::function<double(const Solution&)> error;
  std::function<void(const Solution&)> correct;
};

double worst(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}

SolveReport worst_report(const Solution& solution) {
  SolveReport report;
  report.status = SolveStatus::converged;
  for (const SolveReport& env : solution.env) {
    if (env.status != SolveStatus::converged && report.status == SolveStatus::converged) {
      report.status = env.status;
      report.reason = env.reason;
    }
    report.iterations = std::max(report.iterations, env.iterations);
    report.natural_map_error = worst(env.natural_map_error, report.natural_map_error);
    report.relative_residual = worst(env.relative_residual, report.relative_residual);
    report.energy_error_J = report.energy_error_J + env.energy_error_J;
    report.restarts += env.restarts;
  }
  return report;
}

bool is_final(SolveStatus status) {
  return status == SolveStatus::infeasible || status == SolveStatus::diverged ||
         status == SolveStatus::not_a_number;
}

/// True if a < b. NaN is the largest error.
bool less(double a, double b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}

/// Rounds of one solver.
class Rounds {
 public:
  Rounds(const Task& task, const ImportedSolveOptions& options, const std::string& solver)
      : task_(task), options_(options) {
    result_.solver = solver;
    result_.error_siconos = std::numeric_limits<double>::infinity();
  }

  ImportedSolve run(WarmStart warm) {
    const Stopwatch watch;
    SolverOptions solver = options_.solver;
    solver.solver = result_.solver;
    if (task_.inner_error) solver.tolerance = std::max(solver.tolerance, kFirstTolerance);
    GainBalance gain(solver, task_.problem.points.size() > 0);
    for (;;) {
      gain.prepare(&solver, options_.solver.max_iterations - result_.iterations);
      Solution solution;
      make_solver(solver)->solve(task_.problem, warm, &solution);
      const SolveReport report = worst_report(solution);
      const double error = task_.error(solution);
      result_.iterations += report.iterations;
      ++result_.rounds;
      const bool better = error < 0.9 * result_.error_siconos;
      if (error < result_.error_siconos || result_.rounds == 1) {
        result_.error_siconos = error;
        result_.inner = report;
        result_.solution = solution;
      }
      const bool cut_short = gain.cut_short(report);
      if (!cut_short) idle_ = better ? 0 : idle_ + 1;
      if (decided(report, error)) break;
      if (report.status == SolveStatus::converged) {
        solver.tolerance = next_tolerance(solver.tolerance, error, solution);
        task_.correct(solution);
      }
      warm = {std::move(solution.v), std::move(solution.lambda)};
    }
    result_.time_s = watch.seconds();
    return std::move(result_);
  }

 private:
  /// Tolerance of the solver's own rule after a round that reached the current one.
  double next_tolerance(double tolerance, double error, const Solution& solution) const {
    const double target = options_.solver.tolerance;
    const double inner = task_.inner_error ? task_.inner_error(solution) : 0;
    const double share =
        inner > 0 ? std::clamp(kShareOfError * std::max(error, target) / inner, kLeastShare, 1.0)
                  : std::clamp(kLargestShare * target / error, kLeastShare, kLargestShare);
    return std::max(kLeastTolerance, tolerance * share);
  }

  bool decided(const SolveReport& report, double error) {
    const auto end = [&](SolveStatus status, const std::string& reason) {
      result_.status = status;
      result_.reason = reason;
      return true;
    };
    if (error <= options_.solver.tolerance) return end(SolveStatus::converged, "");
    if (!std::isfinite(error))
      return end(SolveStatus::not_a_number,
                 report.status == SolveStatus::not_a_number && !report.reason.empty()
                     ? report.reason
                     : "a norm that the error is measured by is not finite");
    if (options_.cancel && options_.cancel())
      return end(SolveStatus::iteration_limit, "interrupted");
    const std::string of_solver = report.reason.empty() ? name_of(report.status) : report.reason;
    if (is_final(report.status)) return end(report.status, of_solver);
    if (result_.iterations >= options_.solver.max_iterations)
      return end(SolveStatus::iteration_limit,
                 fmt::format("{} iterations were not enough", result_.iterations));
    if (idle_ >= kIdleRounds)
      return end(SolveStatus::stalled, fmt::format("the error no longer falls ({})", of_solver));
    return false;
  }

  const Task& task_;
  const ImportedSolveOptions& options_;
  ImportedSolve result_;
  int idle_ = 0;
};

/// Names of the solvers to try on a global problem, in order: those of `auto` in a run, then slower
/// ones.
std::vector<std::string> solvers_of(const ContactProblem& problem) {
  std::vector<std::string> names{suitable_solver(problem, 0)};
  for (const char* next : {"cond", "pgs", "apgd"})
    if (names.front() != next) names.emplace_back(next);
  return names;
}

using SolveBy = std::function<ImportedSolve(const std::string& solver)>;

/// Tries one solver after the other until one converges; a requested solver is tried alone.
/// @param suitable  names for the automatic choice
std::vector<ImportedSolve> try_solvers(const std::vector<std::string>& suitable,
                                       const ImportedSolveOptions& options,
                                       const SolveBy& solve_by) {
  std::vector<ImportedSolve> tried;
  for (const std::string& name :
       options.automatic ? suitable : std::vector{options.solver.solver}) {
    tried.push_back(solve_by(name));
    if (tried.back().status == SolveStatus::converged) return tried;
    if (options.cancel && options.cancel()) break;
  }
  const auto best = std::min_element(tried.begin(), tried.end(),
                                     [](const ImportedSolve& a, const ImportedSolve& b) {
                                       return less(a.error_siconos, b.error_siconos);
                                     });
  std::rotate(best, best + 1, tried.end());
  return tried;
}

}  // namespace

std::vector<ImportedSolve> solve_imported(ImportedProblem* problem,
                                          const ImportedSolveOptions& options) {
  const FrictionProblem& source = problem->source();
  const auto by_rounds = [&](const std::string& name) {
    const Task task{
        problem->contact_problem(),
        problem->has_notable_defect()
            ? [problem](const Solution& s) { return problem->inner_error(problem->answer(s)); }
            : std::function<double(const Solution&)>(),
        [&](const Solution& solution) {
          const FrictionSolution answer = problem->answer(solution);
          return error_siconos(source, answer.v, answer.r);
        },
        [&](const Solution& solution) { problem->correct(problem->answer(solution)); }};
    return Rounds(task, options, name).run({});
  };
  const std::vector<std::string> suitable =
      source.kind == FrictionKind::global
          ? solvers_of(problem->contact_problem())
          : std::vector<std::string>{"proximal_newton", "pgs", "apgd"};
  return try_solvers(suitable, options, [&](const std::string& name) {
    return source.kind == FrictionKind::local && solves_from_delassus_matrix(name)
               ? solve_local(source, options)
               : by_rounds(name);
  });
}

std::vector<ImportedSolve> solve_to_error(const ContactProblem& problem,
                                          const ImportedSolveOptions& options,
                                          const WarmStart& warm) {
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(problem);
  const Task task{
      problem,
      {},
      [&](const Solution& solution) {
        double error = 0;
        for (int e = 0; e < problem.n_env(); ++e)
          error =
              worst(measure_errors(problem, e, solution.v, solution.lambda, diagonal).error_siconos,
                    error);
        return error;
      },
      [](const Solution&) {}};
  return try_solvers(solvers_of(problem), options, [&](const std::string& name) {
    return Rounds(task, options, name).run(warm);
  });
}

}  // namespace nodia

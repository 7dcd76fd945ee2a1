#include "tools/compare/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/delassus/apgd.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"
#include "host/solvers/delassus/pgs.hpp"

namespace nodia::studies {
namespace {

constexpr int kTightestHalfDecade = 16;  // 1e-8
constexpr double kNeverReached = 1e-15;  // tolerance of rows with a fixed number of iterations

SolverOptions with(SolverOptions options, StopRule stop, double tolerance) {
  options.stop = stop;
  options.tolerance = tolerance;
  return options;
}

}  // namespace

ComparisonRow Comparison::measure(const std::string& purpose, const SolverOptions& options,
                                  const Solve& solve) {
  ComparisonRow row;
  row.purpose = purpose;
  row.options = options;
  row.options.tolerance = tolerance_of(options);
  Solution solution;
  // One solve before the measurement: a simulation sets up its solver only in the first step.
  if (!samples_.all().empty()) solve(samples_.all().front(), options, &solution);
  for (const Sample& sample : samples_.all()) {
    solve(sample, options, &solution);
    const SampleErrors errors = samples_.measure(sample, solution);
    const SolveReport& report = solution.env.front();
    row.max_penetration_m += errors.max_penetration_m;
    row.internal_force_error_N += errors.internal_force_error_N;
    row.sensor_force_error_N += errors.sensor_force_error_N;
    row.displacement_error_m += errors.displacement_error_m;
    row.true_error += errors.true_error;
    row.dynamics_ms += sample.dynamics_ms;
    row.solver_ms += 1e3 * report.time_s;
    row.delassus_ms += 1e3 * report.delassus_s;
    row.iterations += report.iterations;
    row.failed_steps += report.status != SolveStatus::converged;
    row.samples.push_back({sample.step, errors, sample.dynamics_ms, 1e3 * report.time_s,
                           1e3 * report.delassus_s, report.iterations, report.status});
  }
  const auto n = static_cast<double>(samples_.all().size());
  for (double* mean : {&row.max_penetration_m, &row.internal_force_error_N,
                       &row.sensor_force_error_N, &row.displacement_error_m, &row.true_error,
                       &row.dynamics_ms, &row.solver_ms, &row.delassus_ms, &row.iterations})
    *mean /= n;
  return row;
}

void Comparison::measure_rows_by_rule(const SolverOptions& solver, const Solve& solve,
                                      const Take& take) {
  const StopRule rule = own_rule_of(solver.solver);
  if (options_.by_paper && rule == StopRule::residual)
    take(measure("paper", with(solver, StopRule::paper, options_.paper_tolerance), solve));
  if (options_.by_residual)
    take(measure(name_of(rule), with(solver, rule, options_.residual_tolerance), solve));
  const std::string purpose = fmt::format("true error <= {:g}", options_.true_error);
  for (int half_decade = 1; options_.by_true_error && half_decade <= kTightestHalfDecade;
       ++half_decade) {
    const double tolerance = std::pow(10.0, -0.5 * half_decade);
    ComparisonRow row = measure(purpose, with(solver, rule, tolerance), solve);
    row.reached = row.true_error <= options_.true_error;
    if (!row.reached && half_decade < kTightestHalfDecade) continue;
    take(std::move(row));
    break;
  }
  for (const int n : options_.iterations) {
    SolverOptions limited = with(solver, rule, kNeverReached);
    limited.max_iterations = n;
    take(measure(fmt::format("{} iterations", n), limited, solve));
  }
}

Comparison::Operators Comparison::operators_of(const SolverOptions& options) const {
  Operators operators;
  for (const Sample& sample : samples_.all())
    operators[sample.step] = std::make_unique<DelassusOperator>(sample.problem, options.factor,
                                                                options.invertible_omega_m_Ns);
  return operators;
}

void Comparison::measure_rows(const SolverOptions& solver, const Take& take) {
  if (solver.solver != "pgs" && solver.solver != "apgd") {
    // One solver object for all samples of a row, like in a simulation.
    std::unique_ptr<ContactSolver> current;
    SolverOptions made;
    measure_rows_by_rule(
        solver,
        [&](const Sample& sample, const SolverOptions& options, Solution* solution) {
          if (!current || made.stop != options.stop || made.tolerance != options.tolerance ||
              made.max_iterations != options.max_iterations) {
            current = make_solver(options);
            made = options;
          }
          current->solve(sample.problem, sample.warm, solution);
        },
        take);
    return;
  }
  for (const bool fairer : {false, true}) {
    if (fairer && !(options_.fairer_baselines && is_available(Factoriser::cholmod))) continue;
    SolverOptions options = solver;
    options.factor.factoriser = fairer ? Factoriser::cholmod : Factoriser::simplicial;
    options.factor.sparse_rhs = fairer;
    Operators own;
    if (fairer)
      own = operators_of(options);
    else if (baseline_.empty())
      baseline_ = operators_of(options);
    const Operators& operators = fairer ? own : baseline_;
    const Solve solve = [&](const Sample& sample, const SolverOptions& o, Solution* solution) {
      const std::unique_ptr<ContactSolver> made = make_solver(o);
      dynamic_cast<DelassusSolver&>(*made).solve_with(*operators.at(sample.step), sample.problem,
                                                      sample.warm, solution);
    };
    measure_rows_by_rule(options, solve, take);
  }
}

void Comparison::measure_ablation(const SolverOptions& solver, const Take& take) {
  for (const WKind w : options_.ablation_w)
    for (const StopRule stop : {StopRule::paper, StopRule::residual}) {
      if (!(stop == StopRule::paper ? options_.by_paper : options_.by_residual)) continue;
      for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
        SolverOptions options =
            with(solver, stop,
                 stop == StopRule::paper ? options_.paper_tolerance : options_.residual_tolerance);
        options.solver = "cond";
        CondOptions& own = options.of<CondOptions>();
        own.w = w;
        own.acceleration = acceleration;
        const std::unique_ptr<ContactSolver> made = make_solver(options);
        take(measure(name_of(stop), options,
                     [&](const Sample& sample, const SolverOptions&, Solution* solution) {
                       made->solve(sample.problem, sample.warm, solution);
                     }));
      }
    }
}

}  // namespace nodia::studies

#include "tools/benchmarks/scaling.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "host/base/threads.hpp"
#include "host/io/machine.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "tools/benchmarks/iteration_cost.hpp"
#include "tools/benchmarks/memory_speed.hpp"
#include "tools/benchmarks/process_memory.hpp"
#include "tools/benchmarks/solution_error.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::studies {
namespace {

constexpr const char* kTrajectorySolver = "auto";
constexpr const char* kSkippedSolver = "cond";
constexpr double kTightTolerance = 1e-9;  // of the solver that makes reference solutions
constexpr double kReferenceShare = 0.01;  // of the target: largest error of a reference solution
constexpr double kReferenceNaturalMap = 1e-5;
constexpr int kTightestHalfDecade = 16;  // 1e-8
constexpr int kTrialIterations = 50;     // from which the time of an iteration is known
constexpr int kMostIterations = 1000000, kMostPlainIterations = 20000;
constexpr int kPasses = 5;  // over the steps, of which the least time of each is taken
constexpr double kPassesWithin_s = 2;
constexpr double kNoTarget = std::numeric_limits<double>::infinity();

/// A solve is beyond the limit; what it says is the reason.
struct TooSlow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool estimates_its_error(const std::string& solver) {
  const StopRule rule = own_rule_of(solver);
  return rule == StopRule::energy || rule == StopRule::automatic;
}

double s_per_iteration(const SolveReport& report) {
  const double loop_s = report.loop_s > 0 ? report.loop_s : report.time_s - report.delassus_s;
  return loop_s / std::max(1, report.iterations);
}

double seconds_of_long_runs(const SolverOptions& options, const ContactProblem& problem,
                            const WarmStart& warm) {
  SolverOptions paper = options;
  paper.stop = StopRule::paper;
  IterationTimer timer(paper, problem.n_node());
  IterationTimer::Sample least = timer.sample(problem, warm);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const IterationTimer::Sample sample = timer.sample(problem, warm);
    least.few_s = std::min(least.few_s, sample.few_s);
    least.more_s = std::min(least.more_s, sample.more_s);
  }
  return least.s_per_iteration();
}

double squared(double x) {
  return x * x;
}

}  // namespace

struct Scaling::Steps {
  struct Step {
    ContactProblem problem;
    WarmStart warm;
    double dynamics_ms = 0;
    Solution solution;  ///< the trajectory's, then the reference
  };
  ContactProblem before;  ///< of the step before the first, or the first
  WarmStart warm_before;
  std::vector<Step> all;
  int n_tet = 0;
  double simulation_MB = 0;
  std::unique_ptr<SolutionError> error;  ///< null without reference solutions
  std::string no_reference;              ///< why there are none
  double reference_error = std::numeric_limits<double>::quiet_NaN();

  int n_node() const { return before.n_node(); }
  double n_contact() const { return all.back().problem.n_contact(); }
};

/// Operators of all steps, shared by the solvers on them.
struct Scaling::Delassus {
  std::vector<std::unique_ptr<DelassusOperator>> of_step;
  double first_MB = 0;

  const DelassusOperator& get(std::size_t k, const ContactProblem& problem,
                              const SolverOptions& options) {
    if (of_step.size() <= k) of_step.resize(k + 1);
    if (!of_step[k]) {
      const MemoryRise rise;
      of_step[k] = std::make_unique<DelassusOperator>(problem, options.factor,
                                                      options.invertible_omega_m_Ns);
      if (first_MB == 0) first_MB = rise.MB();
    }
    return *of_step[k];
  }
};

void ScalingOptions::validate() const {
  require(true_error >= 0 && true_error < 1, "--true-error", true_error, "in [0, 1)",
          "0 leaves those rows out");
  if (!by_own_rule && !(reference && true_error > 0))
    throw_bad_value("--rows", "true_error", "with own where there are no reference answers", "");
  require(steps >= 1, "--average", steps, ">= 1", "");
  require(skipped_steps >= 0, "--skip", skipped_steps, ">= 0", "");
  require(limit_s > 0, "--limit-s", limit_s, "> 0", "");
  require(from_s >= 0, "--from", from_s, ">= 0", "");
}

double own_tolerance(const std::string& solver) {
  SolverOptions own;
  own.solver = solver == kTrajectorySolver ? "newton" : solver;
  return tolerance_of(own);
}

Scaling::Scaling(const Scenario& scenario, const ScalingOptions& options,
                 std::function<void()> between_solves)
    : scenario_(scenario), options_(options), between_solves_(std::move(between_solves)) {
  options_.validate();
  for (const std::string& name : options_.solvers) make_solver(options_of(name));
}

SolverOptions Scaling::options_of(const std::string& solver) const {
  SolverOptions o = scenario_.solver;
  o.solver = solver;
  o.stop = StopRule::automatic;
  o.tolerance = options_.tolerance.value_or(own_tolerance(solver));
  if (solver != "cond") {
    o.of<CondOptions>() = {};
    o.execution.precision = Precision::double_;
  }
  if (options_.max_iterations) o.max_iterations = *options_.max_iterations;
  o.factor.factoriser = fastest_factoriser();
  o.factor.sparse_rhs = true;
  return o;
}

Scaling::Steps Scaling::take_steps(int n_node) const {
  const auto options_for = [this](const char* name) {
    SolverOptions options = options_of(name);
    options.tolerance = own_tolerance(name);
    options.max_iterations = own_rule_of(name) == StopRule::residual
                                 ? kMostPlainIterations
                                 : SolverOptions().max_iterations;
    return options;
  };
  const SolverOptions options = options_for(kTrajectorySolver);
  Simulation simulation({refined(scenario_.scene, n_node)}, options);
  begin_at(options_.from_s, &simulation);
  const auto solver = make_solver(options), skipped = make_solver(options_for(kSkippedSolver));
  Steps steps;
  steps.n_tet = simulation.model().n_tet();
  const int last_before = options_.skipped_steps > 0 ? -1 : 0;
  for (int k = -options_.skipped_steps; k < options_.steps; ++k) {
    between_solves_();
    Steps::Step step;
    const Stopwatch watch;
    step.problem = simulation.build_problem(&step.warm);
    step.dynamics_ms = watch.milliseconds();
    if (steps.simulation_MB == 0) {
      malloc_trim(0);
      steps.simulation_MB = resident_MB();
    }
    if (k == last_before) {
      steps.before = step.problem;
      steps.warm_before = step.warm;
    }
    (k < 0 ? skipped : solver)->solve(step.problem, step.warm, &step.solution);
    simulation.advance(step.problem, step.solution);
    if (k >= 0) steps.all.push_back(std::move(step));
  }
  return steps;
}

void Scaling::add_references(Steps* steps) const {
  SolverOptions options = options_of(kTrajectorySolver);
  options.tolerance = kTightTolerance;
  options.max_iterations = SolverOptions().max_iterations;
  const auto solver = make_solver(options);
  auto error = std::make_unique<SolutionError>(steps->all.front().problem);
  double worst = 0;
  const double target = options_.true_error > 0 ? options_.true_error : 1e-3;
  for (std::size_t k = 0; k < steps->all.size(); ++k) {
    between_solves_();
    Steps::Step& step = steps->all[k];
    const Solution start = step.solution;
    solver->solve(step.problem, {start.v, start.lambda}, &step.solution);
    const SolveReport& report = step.solution.env[0];
    const double forces = error->of_forces(step.problem, step.solution.v, step.solution.lambda);
    worst = std::max(worst, forces);
    if (report.status != SolveStatus::converged || !(forces <= kReferenceShare * target) ||
        !(report.natural_map_error <= kReferenceNaturalMap)) {
      steps->no_reference = fmt::format(
          "the reference answer of step {} ended {}, velocity and forces apart by {:.1e}, contact "
          "error {:.1e}",
          k + 1, name_of(report.status), forces, report.natural_map_error);
      return;
    }
  }
  steps->reference_error = worst;
  steps->error = std::move(error);
}

std::string Scaling::refusal(const std::string& solver, const std::string& rule,
                             const Steps& steps) const {
  if (rule != "own" && !steps.error) return steps.no_reference;
  const auto slow = too_slow_.find({solver, rule});
  if (slow != too_slow_.end()) return slow->second;
  const auto times = worst_solve_.find({solver, rule});
  if (times != worst_solve_.end()) {
    const double expected = expected_time(times->second, steps.n_node());
    if (expected > options_.limit_s)
      return fmt::format(
          "a solve is expected to take {:.1f} s after {:.2g} s with {:.0f} nodes, "
          "more than {:g} s",
          expected, times->second.back().time, times->second.back().n, options_.limit_s);
  }
  if (dynamic_cast<DelassusSolver*>(make_solver(options_of(solver)).get()) == nullptr) return "";
  const double operator_bytes = 8 * squared(3 * steps.n_contact());
  const double n_step = static_cast<double>(steps.all.size());
  const double needed = (n_step + 2) * operator_bytes;
  const auto available = static_cast<double>(available_memory_bytes());
  return needed <= available
             ? ""
             : fmt::format(
                   "Delassus operators of {} steps and their making need {:.1f} GB of "
                   "memory, {:.1f} GB are free",
                   n_step, needed / 1e9, available / 1e9);
}

ScalingRow Scaling::row_of(const std::string& solver, const std::string& rule,
                           const Steps& steps) const {
  ScalingRow row;
  row.solver = solver;
  row.rule = rule;
  row.n_node = steps.n_node();
  row.n_tet = steps.n_tet;
  row.n_dof = 3 * row.n_node;
  row.n_contact = static_cast<int>(steps.n_contact());
  row.threads = thread_count(scenario_.solver.execution.threads, row.n_node);
  row.steps = static_cast<int>(steps.all.size());
  row.reference_error = steps.reference_error;
  for (const Steps::Step& step : steps.all) row.dynamics_ms += step.dynamics_ms / row.steps;
  return row;
}

void Scaling::measure(int n_node, const OnRow& on_row) {
  Steps steps = take_steps(n_node);
  if (options_.reference)
    add_references(&steps);
  else
    steps.no_reference = "no reference answers are made";
  std::vector<std::string> rules;
  if (options_.by_own_rule) rules.emplace_back("own");
  if (options_.reference && options_.true_error > 0)
    rules.push_back(fmt::format("true error <= {:g}", options_.true_error));
  Delassus delassus;
  for (const std::string& solver : options_.solvers)
    for (const std::string& rule : rules) {
      ScalingRow row = row_of(solver, rule, steps);
      row.left_out = refusal(solver, rule, steps);
      if (row.left_out.empty()) {
        const ScalingRow empty = row;
        try {
          measure_rule(options_of(solver), rule == "own", steps, &delassus, &row);
        } catch (const TooSlow& slow) {
          row = empty;
          row.left_out = slow.what();
          too_slow_[{solver, rule}] = fmt::format("with {} nodes {}", row.n_node, row.left_out);
        } catch (const RuntimeError& failed) {
          row = empty;
          row.left_out = failed.what();
        } catch (const std::bad_alloc&) {
          row = empty;
          row.left_out = "out of memory";
        }
      }
      on_row(row);
    }
}

void Scaling::measure_rule(const SolverOptions& solver, bool own_rule, const Steps& steps,
                           Delassus* delassus, ScalingRow* row) {
  if (own_rule) {
    measure_at(solver, kNoTarget, steps, delassus, row);
    if (solver.solver == "cond") row->iteration = iteration_of(solver, steps);
    return;
  }
  const ScalingRow empty = *row;
  SolverOptions tightened = solver;
  for (int half_decade = 1; half_decade <= kTightestHalfDecade; ++half_decade) {
    const bool last = half_decade == kTightestHalfDecade;
    *row = empty;
    tightened.tolerance = std::pow(10.0, -0.5 * half_decade);
    if (measure_at(tightened, last ? kNoTarget : options_.true_error, steps, delassus, row)) break;
  }
  row->reached = row->true_error <= options_.true_error;
}

bool Scaling::measure_at(const SolverOptions& solver, double target, const Steps& steps,
                         Delassus* delassus, ScalingRow* row) {
  SolverOptions options = solver;
  const bool iterative = !estimates_its_error(options.solver);
  const MemoryRise rise;
  std::unique_ptr<ContactSolver> made = make_solver(options);
  const bool on_operator = dynamic_cast<DelassusSolver*>(made.get()) != nullptr;
  const auto solve = [&](std::size_t k, Solution* solution) {
    between_solves_();
    const Steps::Step& step = steps.all[k];
    if (!on_operator) {
      made->solve(step.problem, step.warm, solution);
    } else {
      const DelassusOperator& op = delassus->get(k, step.problem, options);
      dynamic_cast<DelassusSolver&>(*made).solve_with(op, step.problem, step.warm, solution);
    }
  };
  Solution solution;
  int iterations_in_limit = kMostIterations;
  if (iterative) {
    options.max_iterations =
        std::min(kTrialIterations, options_.max_iterations.value_or(kMostIterations));
    made = make_solver(options);
    solve(0, &solution);
    const SolveReport& trial = solution.env[0];
    const double left_s = options_.limit_s - trial.delassus_s;
    iterations_in_limit =
        static_cast<int>(std::clamp(left_s / std::max(1e-9, s_per_iteration(trial)),
                                    1.0 * kTrialIterations, 1.0 * kMostIterations));
    options.max_iterations =
        std::min(options_.max_iterations.value_or(kMostIterations), iterations_in_limit);
    made = make_solver(options);
  }
  if (!on_operator) made->solve(steps.before, steps.warm_before, &solution);
  double errors = 0;
  const auto n_step = static_cast<double>(steps.all.size());
  const double enough = target * n_step;
  row->tolerance = options.tolerance;
  row->work_units = 0;
  row->true_error = steps.error ? 0 : row->true_error;
  std::vector<double> seconds;
  for (std::size_t k = 0; k < steps.all.size(); ++k) {
    solve(k, &solution);
    const SolveReport& report = solution.env[0];
    if (report.time_s > options_.limit_s)
      throw TooSlow(fmt::format("a solve at tolerance {:.1e} took {:.2g} s, more than {:g} s",
                                options.tolerance, report.time_s, options_.limit_s));
    if (iterative && report.status != SolveStatus::converged &&
        report.iterations >= iterations_in_limit)
      throw TooSlow(fmt::format("a solve at tolerance {:.1e} did not end in {} iterations, {:g} s",
                                options.tolerance, report.iterations, options_.limit_s));
    seconds.push_back(report.time_s);
    row->iterations += report.iterations / n_step;
    row->work_units += report.work_units / n_step;
    row->failed_steps += report.status != SolveStatus::converged;
    if (k == 0)
      row->memory_MB =
          steps.simulation_MB + std::max(rise.MB(), on_operator ? delassus->first_MB : 0);
    if (!steps.error) continue;
    const Steps::Step& step = steps.all[k];
    const std::vector<Vec3d>& exact = step.solution.v;
    const double of_velocity = SolutionError::of_velocity(step.problem, exact, solution.v);
    if (errors + of_velocity > enough) return false;
    errors += std::max(of_velocity, steps.error->of_forces(step.problem, exact, solution.lambda));
    if (errors > enough) return false;
    row->true_error = errors / n_step;
  }
  const Stopwatch watch;
  for (int pass = 1; pass < kPasses && !on_operator && watch.seconds() < kPassesWithin_s; ++pass) {
    made = make_solver(options);
    made->solve(steps.before, steps.warm_before, &solution);
    for (std::size_t k = 0; k < steps.all.size(); ++k) {
      solve(k, &solution);
      seconds[k] = std::min(seconds[k], solution.env[0].time_s);
    }
  }
  for (const double s : seconds) row->solver_ms += 1e3 * s / n_step;
  worst_solve_[{row->solver, row->rule}].push_back(
      {1.0 * row->n_node, *std::max_element(seconds.begin(), seconds.end())});
  return true;
}

IterationRow Scaling::iteration_of(const SolverOptions& cond, const Steps& steps) const {
  IterationRow row;
  SolverOptions paper = cond;
  paper.stop = StopRule::paper;
  paper.max_iterations = options_.max_iterations.value_or(kMostPlainIterations);
  const auto solver = make_solver(paper);
  Solution solution;
  for (const Steps::Step& step : steps.all) {
    between_solves_();
    solver->solve(step.problem, step.warm, &solution);
    row.iterations_paper += solution.env[0].iterations / static_cast<double>(steps.all.size());
    row.failed_paper += solution.env[0].status != SolveStatus::converged;
  }
  const Steps::Step& last = steps.all.back();
  row.bytes_per_iteration = iteration_cost(last.problem, cond.execution.precision).bytes;
  row.us_per_iteration = 1e6 * seconds_of_long_runs(cond, last.problem, last.warm);
  row.read_us = 1e6 * read_time_s(static_cast<std::size_t>(row.bytes_per_iteration),
                                  thread_count(cond.execution.threads, steps.n_node()));
  return row;
}

PowerFit fit_total(const std::vector<ScalingRow>& rows, const std::string& solver,
                   const std::string& rule) {
  std::vector<SizeTime> points;
  for (const ScalingRow& row : rows)
    if (row.solver == solver && row.rule == rule && row.left_out.empty() && row.reached)
      points.push_back({1.0 * row.n_node, row.total_ms()});
  return fit_power(points);
}

PowerFit fit_cond(const std::vector<ScalingRow>& rows, double cache_bytes, bool inside) {
  std::vector<SizeTime> points;
  for (const ScalingRow& row : rows)
    if (row.iteration && (row.iteration->bytes_per_iteration <= cache_bytes) == inside)
      points.push_back({1.0 * row.n_node, row.total_ms()});
  return fit_power(points);
}

}  // namespace nodia::studies

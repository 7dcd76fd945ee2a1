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
constexpr double kTightTolerance = 1e-9;  // of the solver of the reference solutions
constexpr double kReferenceShare = 0.01;  // of the target: largest error of a reference solution
constexpr double kReferenceNaturalMap = 1e-5;
constexpr int kTightestHalfDecade = 16;  // 1e-8
constexpr int kTrialIterations = 50;     // of a solve that measures the time of an iteration
constexpr int kMostIterations = 1000000, kMostPlainIterations = 20000;
constexpr int kPasses = 5;  // over the steps; the least time of each step counts
constexpr double kPassesWithin_s = 2;
constexpr const char* kOwnRule = "own";
constexpr double kNoTarget = std::numeric_limits<double>::infinity();

/// A solve exceeds the time limit. The message is the reason.
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

double squared(double x) {
  return x * x;
}

}  // namespace

struct Scaling::Steps {
  struct Step {
    ContactProblem problem;
    WarmStart warm;
    double dynamics_ms = 0;
    Solution solution;  ///< that of the trajectory, then the reference
  };
  ContactProblem before;  ///< the step before the first, or the first
  WarmStart warm_before;
  std::vector<Step> all;
  int n_tet = 0;
  double simulation_MB = 0;
  std::unique_ptr<SolutionError> error;  ///< null without reference solutions
  std::string no_reference;              ///< reason, if there are none
  double reference_error = std::numeric_limits<double>::quiet_NaN();

  int n_node() const { return before.n_node(); }
  double n_contact() const { return all.back().problem.n_contact(); }
};

/// Delassus operators of all steps, shared by the solvers that use them.
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
  if (rule != kOwnRule && !steps.error) return steps.no_reference;
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

Row Scaling::row_of(const std::string& solver, const std::string& rule, const Steps& steps) const {
  const int n_node = steps.n_node();
  double dynamics_ms = 0;
  for (const Steps::Step& step : steps.all)
    dynamics_ms += step.dynamics_ms / static_cast<double>(steps.all.size());
  Row row = empty_row(scaling_fields());
  row.at("solver") = solver;
  row.at("rule") = rule;
  row.at("n_node") = n_node;
  row.at("n_tet") = steps.n_tet;
  row.at("n_dof") = 3 * n_node;
  row.at("n_contact") = steps.all.back().problem.n_contact();
  row.at("threads") = thread_count(scenario_.solver.execution.threads, n_node);
  row.at("steps") = steps.all.size();
  row.at("reference_error") = steps.reference_error;
  row.at("dynamics_ms") = dynamics_ms;
  row.at("left_out") = refusal(solver, rule, steps);
  return row;
}

void Scaling::measure(int n_node, const OnRow& on_row) {
  Steps steps = take_steps(n_node);
  if (options_.reference)
    add_references(&steps);
  else
    steps.no_reference = "no reference answers are made";
  std::vector<std::string> rules;
  if (options_.by_own_rule) rules.emplace_back(kOwnRule);
  if (options_.reference && options_.true_error > 0)
    rules.push_back(fmt::format("true error <= {:g}", options_.true_error));
  Delassus delassus;
  for (const std::string& solver : options_.solvers)
    for (const std::string& rule : rules) {
      Row row = row_of(solver, rule, steps);
      try {
        if (row.at("left_out") == "") row = measured(options_of(solver), row, steps, &delassus);
      } catch (const TooSlow& slow) {
        row.at("left_out") = slow.what();
        too_slow_[{solver, rule}] = fmt::format("with {} nodes {}", steps.n_node(), slow.what());
      } catch (const RuntimeError& failed) {
        row.at("left_out") = failed.what();
      } catch (const std::bad_alloc&) {
        row.at("left_out") = "out of memory";
      }
      on_row(row);
    }
}

/// @param of  the row without measurements
Row Scaling::measured(const SolverOptions& solver, const Row& of, const Steps& steps,
                      Delassus* delassus) {
  Row row = of;
  row.at("reached") = true;
  if (of.at("rule") == kOwnRule) {
    measure_at(solver, kNoTarget, steps, delassus, &row);
    if (solver.solver == "cond") add_iteration(solver, steps, &row);
    return row;
  }
  SolverOptions tightened = solver;
  for (int half_decade = 1; half_decade <= kTightestHalfDecade; ++half_decade) {
    const bool last = half_decade == kTightestHalfDecade;
    tightened.tolerance = std::pow(10.0, -0.5 * half_decade);
    if (measure_at(tightened, last ? kNoTarget : options_.true_error, steps, delassus, &row)) break;
  }
  row.at("reached") = row.at("true_error").get<double>() <= options_.true_error;
  return row;
}

/// Measures a solver at its tolerance. Sets the values of the row only if it returns true.
/// @param target  mean true error [-]
/// @return false as soon as the error exceeds the target
bool Scaling::measure_at(const SolverOptions& solver, double target, const Steps& steps,
                         Delassus* delassus, Row* row) {
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
  const auto n_step = static_cast<double>(steps.all.size());
  const double enough = target * n_step;
  double errors = 0, iterations = 0, work_units = 0, memory_MB = 0, solver_ms = 0;
  int failed_steps = 0;
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
    iterations += report.iterations / n_step;
    work_units += report.work_units / n_step;
    failed_steps += report.status != SolveStatus::converged;
    if (k == 0)
      memory_MB = steps.simulation_MB + std::max(rise.MB(), on_operator ? delassus->first_MB : 0);
    if (!steps.error) continue;
    const Steps::Step& step = steps.all[k];
    const std::vector<Vec3d>& exact = step.solution.v;
    const double of_velocity = SolutionError::of_velocity(step.problem, exact, solution.v);
    if (errors + of_velocity > enough) return false;
    errors += std::max(of_velocity, steps.error->of_forces(step.problem, exact, solution.lambda));
    if (errors > enough) return false;
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
  for (const double s : seconds) solver_ms += 1e3 * s / n_step;
  worst_solve_[{row->at("solver"), row->at("rule")}].push_back(
      {1.0 * steps.n_node(), *std::max_element(seconds.begin(), seconds.end())});
  row->at("tolerance") = options.tolerance;
  row->at("iterations") = iterations;
  row->at("work_units") = work_units;
  if (steps.error) row->at("true_error") = errors / n_step;
  row->at("solver_ms") = solver_ms;
  row->at("total_ms") = solver_ms + row->at("dynamics_ms").get<double>();
  row->at("memory_MB") = memory_MB;
  row->at("memory_kB_per_node") = 1e3 * memory_MB / steps.n_node();
  row->at("failed_steps") = failed_steps;
  return true;
}

void Scaling::add_iteration(const SolverOptions& cond, const Steps& steps, Row* row) const {
  SolverOptions paper = cond;
  paper.stop = StopRule::paper;
  paper.max_iterations = options_.max_iterations.value_or(kMostPlainIterations);
  const auto solver = make_solver(paper);
  double iterations = 0;
  int failed = 0;
  Solution solution;
  for (const Steps::Step& step : steps.all) {
    between_solves_();
    solver->solve(step.problem, step.warm, &solution);
    iterations += solution.env[0].iterations / static_cast<double>(steps.all.size());
    failed += solution.env[0].status != SolveStatus::converged;
  }
  const Steps::Step& last = steps.all.back();
  const double bytes = iteration_cost(last.problem, cond.execution.precision).bytes;
  row->at("iterations_paper") = iterations;
  row->at("failed_paper") = failed;
  row->at("us_per_iteration") = 1e6 * least_s_per_iteration(paper, last.problem, last.warm, 6);
  row->at("read_us") = 1e6 * read_time_s(static_cast<std::size_t>(bytes),
                                         thread_count(cond.execution.threads, steps.n_node()));
  row->at("bytes_per_iteration") = bytes;
  row->at("in_cache") = bytes <= static_cast<double>(private_cache_bytes()) ? 1 : 0;
}

}  // namespace nodia::studies

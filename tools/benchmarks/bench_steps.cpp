#include <memory>

#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/device/device.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"
#include "tools/compare/median.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::studies {
namespace {

/// Environments of a batch differ in the friction of the mat, over the range of the paper.
Scene with_friction(Scene scene, int env, int n_env) {
  scene.soft_bodies.front().friction = n_env < 2 ? 0.3 : 0.1 + 0.4 * env / (n_env - 1);
  return scene;
}

/// Time of COND's first set() [s].
template <class Precision>
double first_set_s(const ContactProblem& problem, const WarmStart& warm,
                   const SolverOptions& solver) {
  LoopProblem<Precision> loop(solver, solver.of<CondOptions>());
  return seconds_of([&] { loop.set(problem, warm); });
}

double first_set_s(const ContactProblem& problem, const WarmStart& warm,
                   const SolverOptions& solver) {
  switch (solver.execution.precision) {
    case Precision::mixed:
      return first_set_s<MixedPrecision>(problem, warm, solver);
    case Precision::float_:
      return first_set_s<FloatPrecision>(problem, warm, solver);
    case Precision::double_:
      break;
  }
  return first_set_s<DoublePrecision>(problem, warm, solver);
}

}  // namespace

void bench_step(const Scenario& scenario, int n_node, const SolverOptions& solver,
                const BenchOptions& options, const BenchListener& listener) {
  Simulation simulation({refined(scenario.scene, n_node)}, solver);
  begin_dragged_at(options.from_s, &simulation);
  for (int k = 0; k < options.lead_steps; ++k) simulation.step();
  std::vector<double> step_s, over_solve;
  double solve_s = 0, before_loop_s = 0, loop_s = 0, iterations = 0;
  int n_floor_ended = 0;
  if (solver.execution.backend == Backend::cuda) start_profiler();
  for (int k = 0; k < options.steps; ++k) {
    StepRecord record;
    step_s.push_back(seconds_of([&] { record = simulation.step().front(); }));
    const double own_s = 1e-3 * record.solver_ms;
    over_solve.push_back(step_s.back() / own_s);
    solve_s += own_s;
    iterations += record.solve.iterations;
    before_loop_s += record.solve.before_loop_s;
    loop_s += record.solve.loop_s;
    n_floor_ended += record.solve.absolute_floor;
  }
  const double n = options.steps;
  Row row = bench_row("step", simulation.model().n_node(), 1, solver.execution);
  row.at("us_per_iteration") = 1e6 * solve_s / iterations;
  row.at("iterations") = iterations / n;
  row.at("floor_ended_share") = n_floor_ended / n;
  row.at("before_loop_ms") = 1e3 * before_loop_s / n;
  row.at("loop_ms") = 1e3 * loop_s / n;
  row.at("step_ms") = 1e3 * median(step_s);
  row.at("env_steps_per_s") = 1 / median(step_s);
  row.at("step_over_solve") = median(over_solve);
  listener.row(row);
}

void bench_batch(const Scenario& scenario, int n_node, int n_env, const SolverOptions& solver,
                 const BenchOptions& options, const BenchListener& listener) {
  const Scene scene = refined(scenario.scene, n_node);
  const int n = static_cast<int>(scene.soft_bodies.front().mesh.nodes.size());
  SolverOptions serial = solver;  // on the same backend
  serial.execution.threads = 1;
  std::vector<Scene> scenes;
  std::vector<std::unique_ptr<Simulation>> alone;
  for (int env = 0; env < n_env; ++env) {
    scenes.push_back(with_friction(scene, env, n_env));
    if (n_env > kPairedEnvironments) continue;
    alone.push_back(std::make_unique<Simulation>(std::vector<Scene>{scenes.back()}, serial));
    begin_dragged_at(options.from_s, alone.back().get());
  }
  Simulation batch(std::move(scenes), solver);
  begin_dragged_at(options.from_s, &batch);

  std::vector<double> before_loops_s, loops_s;  // one per step of the batch
  int n_floor_ended = 0;
  const auto step_batch = [&] {
    double before_loop_s = 0, loop_s = 0;
    for (const StepRecord& record : batch.step()) {
      before_loop_s += record.solve.before_loop_s;
      loop_s += record.solve.loop_s;
      n_floor_ended += record.solve.absolute_floor;
    }
    before_loops_s.push_back(before_loop_s);
    loops_s.push_back(loop_s);
  };
  const auto step_alone = [&] {
    for (const auto& simulation : alone) simulation->step();
  };
  for (int k = 0; k < options.lead_steps; ++k) step_batch(), step_alone();
  n_floor_ended = 0;
  before_loops_s.clear();
  loops_s.clear();
  const auto batch_s = [&] { return seconds_of(step_batch); };
  const auto alone_s = [&] { return seconds_of(step_alone); };
  const PairedTimes times =
      time_pairs(options.steps, batch_s, alone.empty() ? SampleTime() : alone_s);
  Row row = bench_row("batch_step", n, n_env, solver.execution);
  row.at("step_ms") = 1e3 * median(times.batch_s);
  row.at("env_steps_per_s") = n_env / median(times.batch_s);
  row.at("floor_ended_share") = n_floor_ended / (static_cast<double>(options.steps) * n_env);
  row.at("speedup_over_serial") = median(times.speedup);
  // On the CPU the loops of the environments run side by side and have no time in common.
  if (solver.execution.backend == Backend::cuda) {
    row.at("before_loop_ms") = 1e3 * median(before_loops_s);
    row.at("loop_ms") = 1e3 * median(loops_s);
  }
  listener.row(row);
}

void bench_batch_set_up(const Scenario& scenario, int n_node, int n_env,
                        const SolverOptions& solver, const BenchOptions& options,
                        const BenchListener& listener) {
  const Scene scene = refined(scenario.scene, n_node);
  std::vector<double> all_s, solver_s;
  for (int k = 0; k < options.steps; ++k) {
    std::vector<Scene> scenes;
    for (int env = 0; env < n_env; ++env) scenes.push_back(with_friction(scene, env, n_env));
    std::unique_ptr<Simulation> batch;
    const double simulation_s =
        seconds_of([&] { batch = std::make_unique<Simulation>(std::move(scenes), solver); });
    WarmStart warm;
    const ContactProblem problem = batch->build_problem(&warm);
    solver_s.push_back(first_set_s(problem, warm, solver));
    all_s.push_back(simulation_s + solver_s.back());
  }
  const auto n = static_cast<int>(scene.soft_bodies.front().mesh.nodes.size());
  Row row = bench_row("batch_set_up", n, n_env, solver.execution);
  row.at("set_up_us_per_env") = 1e6 * median(all_s) / n_env;
  row.at("solver_set_up_us_per_env") = 1e6 * median(solver_s) / n_env;
  listener.row(row);
}

}  // namespace nodia::studies

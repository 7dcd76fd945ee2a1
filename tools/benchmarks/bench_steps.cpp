#include <memory>

#include "host/base/threads.hpp"
#include "host/collision/detection.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/device/device.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/compare/median.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::studies {
namespace {

template <class Call>
double seconds_of(const Call& call) {
  const Stopwatch watch;
  call();
  return watch.seconds();
}

/// Median of the options' rounds.
template <class Call>
double median_s(int rounds, const Call& call) {
  std::vector<double> s;
  call();
  for (int r = 0; r < rounds; ++r) s.push_back(seconds_of(call));
  return median(s);
}

/// Environments of a batch differ in the mat's friction, over the paper's range.
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

/// Of what is computed on the host in double.
BenchRow row_of(const char* name, const SlidingMat& mat, int n_thread) {
  BenchRow row;
  row.name = name;
  row.n_node = mat.n_node();
  row.precision = name_of(Precision::double_);
  row.threads = n_thread;
  return row;
}

}  // namespace

void bench_assembly(SlidingMat* mat, const BenchOptions& options, int threads,
                    const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat->n_node());
  const Scene& scene = mat->simulation.scene();
  const State& state = mat->simulation.state();
  BenchRow row = row_of("assembly", *mat, n_thread);
  std::vector<double> value(mat->problem.A.value.size());
  std::vector<Vec3d> force(mat->problem.b.size());
  const TetModel::AssemblyInput input{state.x.data(), scene.time, nullptr, n_thread};
  row.us_per_iteration = 1e6 * median_s(options.rounds, [&] {
                           mat->simulation.model().assemble(input, value.data(), force.data());
                         });
  listener.row(row);
}

void bench_detection(SlidingMat* mat, const BenchOptions& options, int threads,
                     const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat->n_node());
  const Scene& scene = mat->simulation.scene();
  const State& state = mat->simulation.state();
  BenchRow row = row_of("detection", *mat, n_thread);
  std::vector<ObstaclePose> obstacles;
  for (const ObstacleDescription& o : scene.obstacles)
    obstacles.push_back(
        {o.shape, o.path.at(state.time_s), o.path.at(state.time_s + scene.time.step_s)});
  NodeDetection detection;
  row.us_per_iteration =
      1e6 * median_s(options.rounds, [&] {
        detection.detect(obstacles, {state.x.data(), state.v.data(), state.v.data(), mat->n_node()},
                         {scene.contact.margin_m, scene.time.step_s}, n_thread);
      });
  listener.row(row);
}

void bench_search(const SlidingMat& mat, const BenchOptions& options, int threads,
                  const BenchListener& listener) {
  const int n_thread = thread_count(threads, mat.n_node());
  const Scene& scene = mat.simulation.scene();
  const State& state = mat.simulation.state();
  TopologyPool pool;
  BodySystem system(scene);
  system.fix_topology({}, &pool);
  system.update_kinematics(state);
  const Targets targets(scene, system);
  ContactFinder finder(scene, targets.obstacles, system);
  StepContacts found;
  BenchRow row = row_of("search", mat, n_thread);
  row.us_per_iteration = 1e6 * median_s(options.rounds, [&] {
                           finder.find(state, system, state.v, n_thread, &found);
                         });
  listener.row(row);
}

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
  BenchRow row;
  row.name = "step";
  row.backend = name_of(solver.execution.backend);
  row.n_node = simulation.model().n_node();
  row.precision = name_of(solver.execution.precision);
  row.threads = thread_count(solver.execution.threads, row.n_node);
  row.us_per_iteration = 1e6 * solve_s / iterations;
  row.iterations = iterations / options.steps;
  row.floor_ended_share = static_cast<double>(n_floor_ended) / options.steps;
  row.before_loop_ms = 1e3 * before_loop_s / options.steps;
  row.loop_ms = 1e3 * loop_s / options.steps;
  row.step_ms = 1e3 * median(step_s);
  row.env_steps_per_s = 1 / median(step_s);
  row.step_over_solve = median(over_solve);
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

  double before_loop_s = 0, loop_s = 0;
  int n_floor_ended = 0;
  const auto step_batch = [&] {
    before_loop_s = loop_s = 0;
    for (const StepRecord& record : batch.step()) {
      before_loop_s += record.solve.before_loop_s;
      loop_s += record.solve.loop_s;
      n_floor_ended += record.solve.absolute_floor;
    }
  };
  const auto step_alone = [&] {
    for (const auto& simulation : alone) simulation->step();
  };
  for (int k = 0; k < options.lead_steps; ++k) step_batch(), step_alone();
  n_floor_ended = 0;
  std::vector<double> batch_s, before_loops_s, loops_s, speedup;
  for (int pair = 0; pair < options.steps; ++pair) {
    // The order alternates, so that neither has the warmer caches.
    const double before_s = pair % 2 == 1 ? seconds_of(step_alone) : 0;
    batch_s.push_back(seconds_of(step_batch));
    before_loops_s.push_back(before_loop_s);
    loops_s.push_back(loop_s);
    if (alone.empty()) continue;
    const double alone_s = pair % 2 == 1 ? before_s : seconds_of(step_alone);
    speedup.push_back(alone_s / batch_s.back());
  }
  BenchRow row;
  row.name = "batch_step";
  row.backend = name_of(solver.execution.backend);
  row.n_node = n;
  row.n_env = n_env;
  row.precision = name_of(solver.execution.precision);
  row.threads = thread_count(solver.execution.threads, n_env == 1 ? n : kNodesPerThreadedPass);
  row.step_ms = 1e3 * median(batch_s);
  row.env_steps_per_s = n_env / median(batch_s);
  row.floor_ended_share = n_floor_ended / (static_cast<double>(options.steps) * n_env);
  row.speedup_over_serial = median(speedup);
  // On the CPU the loops of the environments run side by side and have no time in common.
  if (solver.execution.backend == Backend::cuda) {
    row.before_loop_ms = 1e3 * median(before_loops_s);
    row.loop_ms = 1e3 * median(loops_s);
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
  BenchRow row;
  row.name = "batch_set_up";
  row.n_node = static_cast<int>(scene.soft_bodies.front().mesh.nodes.size());
  row.n_env = n_env;
  row.precision = name_of(solver.execution.precision);
  row.threads =
      thread_count(solver.execution.threads, n_env == 1 ? row.n_node : kNodesPerThreadedPass);
  row.set_up_us_per_env = 1e6 * median(all_s) / n_env;
  row.solver_set_up_us_per_env = 1e6 * median(solver_s) / n_env;
  listener.row(row);
}

}  // namespace nodia::studies

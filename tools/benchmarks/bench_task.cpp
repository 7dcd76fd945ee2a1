#include <fmt/format.h>

#include <memory>

#include "scenarios/task/task_environments.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_rounds.hpp"
#include "tools/compare/median.hpp"

namespace nodia::studies {
namespace {

/// Environments of a task in which the paths of the scene act, from the start of an episode.
class ScriptedEpisodes {
 public:
  ScriptedEpisodes(std::vector<Scene> scenes, const SolverOptions& solver,
                   const TaskDescription& task)
      : scenes_(scenes), environments_(std::move(scenes), solver, task) {}

  int actions() const { return environments_.actions_per_episode(); }
  int steps_per_action() const { return environments_.steps_per_action(); }
  int n_node() const { return environments_.simulation().model().n_node(); }

  void begin() {
    std::vector<int> all;
    for (int e = 0; e < environments_.n_env(); ++e) all.push_back(e);
    environments_.reset(all, scenes_);
  }

  /// A control step.
  void act() {
    actions_.clear();
    for (int e = 0; e < environments_.n_env(); ++e) {
      const std::vector<double> action = environments_.script_action(e);
      actions_.insert(actions_.end(), action.begin(), action.end());
    }
    environments_.step(actions_);
  }

 private:
  std::vector<Scene> scenes_;
  TaskEnvironments environments_;
  std::vector<double> actions_;
};

using Several = std::vector<std::unique_ptr<ScriptedEpisodes>>;

/// Whole episodes, a control step of one after that of another. @return time of the steps [s]
double episodes_s(const Several& several) {
  for (const auto& one : several) one->begin();
  return seconds_of([&] {
    for (int k = 0; k < several.front()->actions(); ++k)
      for (const auto& one : several) one->act();
  });
}

}  // namespace

void bench_task(const std::string& path, int n_env, int threads, const BenchOptions& options,
                const BenchListener& listener) {
  constexpr std::uint64_t kSeed = 7;
  Batch drawn = load_batch(path, {fmt::format("environments={}", n_env)}, kSeed);
  TaskDescription task = *drawn.environments.front().task;
  task.success.reset();  // an episode lasts its full time
  task.reward = Reward::success;
  SolverOptions solver = drawn.environments.front().solver;
  solver.execution.threads = 1;
  std::vector<Scene> scenes;
  Several alone, batch;
  for (Scenario& environment : drawn.environments) {
    scenes.push_back(std::move(environment.scene));
    if (n_env <= kPairedEnvironments)
      alone.push_back(std::make_unique<ScriptedEpisodes>(std::vector{scenes.back()}, solver, task));
  }
  solver.execution.threads = threads;
  batch.push_back(std::make_unique<ScriptedEpisodes>(std::move(scenes), solver, task));
  const auto batch_s = [&] { return episodes_s(batch); };
  const auto alone_s = [&] { return episodes_s(alone); };
  const PairedTimes times =
      time_pairs(options.steps, batch_s, alone.empty() ? SampleTime() : alone_s);
  Row row = bench_row("task_step", batch.front()->n_node(), n_env,
                      execution_on(Backend::cpu, Precision::double_, threads));
  const int n_step = batch.front()->actions() * batch.front()->steps_per_action();
  row.at("step_ms") = 1e3 * median(times.batch_s) / n_step;
  row.at("env_steps_per_s") = n_env * n_step / median(times.batch_s);
  row.at("speedup_over_serial") = median(times.speedup);
  listener.row(row);
}

}  // namespace nodia::studies

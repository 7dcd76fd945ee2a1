/// `nodia run`: a scenario from its first step to its last, into a run directory.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cctype>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>

#include "host/io/run_directory.hpp"
#include "host/io/run_files.hpp"
#include "host/io/summary_json.hpp"
#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "tools/cli/build_info.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/output_options.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/run_report.hpp"
#include "tools/cli/verb.hpp"

namespace nodia::cli {
namespace {

struct RunOptions {
  ScenarioOptions scenario;
  BackendOption backend;
  std::optional<std::string> solver;
  std::optional<std::string> envs, record_envs;
  std::string directory;
  OverwriteFlag overwrite;
  bool check = false;
  bool json = false;
};

/// out/<scenario name>, with characters that are awkward in file names replaced.
std::string default_directory(const std::string& scenario) {
  std::string name = scenario.empty() ? "run" : scenario;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return "out/" + name;
}

bool every_environment_failed(const Simulation& simulation) {
  for (int env = 0; env < simulation.n_env(); ++env)
    if (!simulation.failed(env)) return false;
  return true;
}

/// Further overrides of the scenario, `key=value`.
std::vector<std::string> overrides_of(const RunOptions& options) {
  std::vector<std::string> overrides;
  if (options.solver) overrides.push_back("solver.solver=" + *options.solver);
  if (options.envs) {
    const std::string& text = *options.envs;
    int n_env = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n_env);
    if (error != std::errc{} || end != text.data() + text.size() || n_env < 1 ||
        n_env > kMaxEnvironments)
      throw_bad_value("--envs", text, fmt::format("a whole number from 1 to {}", kMaxEnvironments),
                      "");
    overrides.push_back(fmt::format("environments={}", n_env));
  }
  if (options.record_envs) overrides.push_back("output.record_envs=" + *options.record_envs);
  return overrides;
}

Batch load(const ScenarioOptions::Request& r) {
  Batch batch = load_batch(r.path, r.overrides, r.seed);
  const std::size_t n_env = batch.environments.size();
  if (n_env > 1 && batch.environments.front().drawn.empty())
    spdlog::warn(
        "nothing is drawn, all {} environments are the same (give {} a range under "
        "randomize)",
        n_env, r.path);
  return batch;
}

std::vector<Scene> scenes_of(Batch* batch) {
  std::vector<Scene> scenes;
  for (Scenario& environment : batch->environments) scenes.push_back(std::move(environment.scene));
  return scenes;
}

RunSummary describe(const Batch& batch, const Simulation& simulation,
                    const ResolvedBackend& backend) {
  RunSummary summary;
  summary.scenario = simulation.scene().name;
  summary.backend = name_of(backend.backend);
  summary.backend_because = backend.because;
  summary.solver = batch.environments.front().solver;
  for (int e = 0; e < simulation.n_env(); ++e) {
    const Scenario& scenario = batch.environments[e];
    EnvironmentSummary& env = summary.environments.emplace_back();
    env.seed = scenario.seed;
    for (const DrawnValue& value : scenario.drawn) env.drawn.emplace_back(value.key, value.value);
    env.n_node = simulation.model(e).n_node();
    env.n_dof = simulation.layout(e).n_dof();
    env.n_tet = simulation.model(e).n_tet();
  }
  summary.version = kVersion;
  summary.commit = kCommit;
  summary.machine = this_machine();
  return summary;
}

/// The checks of every environment.
class BatchChecks {
 public:
  BatchChecks(const Batch& batch, const Simulation& simulation) {
    for (const CheckDescription& check : batch.environments.front().checks)
      names_.push_back(check.name);
    for (int e = 0; e < simulation.n_env(); ++e)
      checks_.push_back(
          std::make_unique<ScenarioChecks>(simulation.scene(e), batch.environments[e].checks));
  }
  void observe(const StepView& view) { checks_[view.record.env]->observe(view); }
  void conclude(RunSummary* summary) const {
    std::map<std::string, std::vector<std::size_t>> not_reached;  // environments by check
    for (std::size_t e = 0; e < checks_.size(); ++e) {
      for (CheckResult& result : checks_[e]->results()) {
        result.env = static_cast<int>(e);
        if (!summary->interrupted) summary->checks.push_back(std::move(result));
      }
      for (const std::string& name : checks_[e]->not_reached()) not_reached[name].push_back(e);
    }
    for (const std::string& name : names_) {
      const std::vector<std::size_t>& envs = not_reached[name];
      if (envs.size() == checks_.size())
        summary->checks_not_reached.push_back(name);
      else if (!envs.empty())
        summary->checks_not_reached.push_back(
            fmt::format("{} in environment {}", name, fmt::join(envs, ", ")));
    }
  }

 private:
  std::vector<std::string> names_;                       ///< in the order of the scenario
  std::vector<std::unique_ptr<ScenarioChecks>> checks_;  ///< by environment
};

OutputFolder open_folder(const RunOptions& options, const Batch& batch,
                         const std::string& scenario_path) {
  const std::string path = options.directory.empty()
                               ? default_directory(batch.environments.front().scene.name)
                               : options.directory;
  return options.overwrite.open_folder(path, run_files(), {scenario_path});
}

RunDirectory make_directory(OutputFolder folder, const Batch& batch, const Simulation& simulation) {
  const OutputOptions& output = batch.environments.front().output;
  return RunDirectory(
      std::move(folder), batch.resolved_yaml, simulation,
      {output.every_steps, output.part_frames, batch.recorded, output.contact_columns});
}

/// Name of the method that takes the run's environments.
/// @param backend  the word of the command line
std::string method_of(const Scenario& scenario, const std::string& backend) {
  if (scenario.solver.solver != kAutomaticName) return scenario.solver.solver;
  return suitable_solver({!scenario.scene.soft_bodies.empty(), !scenario.scene.cables.empty()},
                         backend == "cuda" ? Backend::cuda : Backend::cpu);
}

int run(const RunOptions& options) {
  catch_interrupts();
  const ScenarioOptions::Request request = options.scenario.request(overrides_of(options));
  Batch batch = load(request);
  SolverOptions solver = batch.environments.front().solver;
  const ResolvedBackend backend =
      options.backend.resolve(method_of(batch.environments.front(), options.backend.backend));
  solver.of<CondOptions>().backend = backend.backend;
  limit_dense_threads(solver.threads);
  OutputFolder folder = open_folder(options, batch, request.path);
  Simulation simulation(scenes_of(&batch), solver);
  const TimeOptions& time = simulation.scene().time;
  const int n_step = step_count(time);
  BatchChecks checks(batch, simulation);
  RunDirectory directory = make_directory(std::move(folder), batch, simulation);
  if (simulation.n_env() > 1)
    for (const int env : batch.recorded)
      directory.write_environment(env, batch.environments[env].resolved_yaml);
  RunSummary summary = describe(batch, simulation, backend);
  summary.directory = directory.path();

  const Stopwatch watch;
  Progress progress(n_step);
  OverlapTeller overlaps;
  while (summary.steps < n_step && !interrupted() && !every_environment_failed(simulation)) {
    simulation.step([&](const StepView& view) {
      summary.statistics.add(view.record);
      summary.environments[view.record.env].statistics.add(view.record);
      overlaps.tell(view.record, summary.environments.size(), [&] { progress.clear(); });
      checks.observe(view);
      directory.record(view);
    });
    progress.update(++summary.steps);
  }
  progress.clear();
  directory.close();
  summary.wall_s = watch.seconds();
  summary.simulated_s = summary.steps * time.step_s;
  summary.interrupted = summary.steps < n_step && interrupted();
  checks.conclude(&summary);
  const std::string json = summary_json(summary);
  directory.write_summary(json);

  if (options.json)
    fmt::print("{}", json);
  else
    print_table(summary);
  std::fflush(stdout);
  return verdict(summary, options.check);
}

}  // namespace

Action declare_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->scenario.declare(app);
  app.add_option("--solver", options->solver, "name in the catalogue (nodia info)")
      ->type_name("NAME")
      ->group("Solver");
  options->backend.declare(app);
  app.add_option("--envs", options->envs,
                 "environments of the batch; environment e draws its random values with seed + e, "
                 "seed being 0 without --seed")
      ->type_name("N");
  app.add_option("--record-envs", options->record_envs,
                 "environments with a trajectory, trajectory_env0003.vtkhdf and its "
                 "config_env0003.yaml; without it environment 0")
      ->type_name("all|none|0,3,...");
  app.add_option("--out", options->directory, "run directory; without it out/<scenario name>")
      ->type_name("DIR");
  options->overwrite.declare(
      app,
      "replace the run in DIR, its own files and no others; without it the new one goes to DIR-2, "
      "DIR-3, ...");
  app.add_flag("--check", options->check,
               "exit code 1 where a check fails or a step does not converge, not only where a step "
               "diverges or is not a number");
  app.add_flag("--json", options->json, "summary as one JSON object on stdout, messages on stderr");
  return [options] { return run(*options); };
}

}  // namespace nodia::cli

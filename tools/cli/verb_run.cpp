/// `nodia run`: simulates a scenario and writes a run directory.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>

#include "host/io/archive.hpp"
#include "host/io/checkpoint_file.hpp"
#include "host/io/file.hpp"
#include "host/io/run_directory.hpp"
#include "host/io/run_files.hpp"
#include "host/io/summary_json.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "scenarios/build/memory_need.hpp"
#include "tools/cli/environment_summary.hpp"
#include "tools/cli/run_report.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/output_options.hpp"
#include "tools/command/progress.hpp"

namespace nodia::cli {
namespace {

struct RunOptions {
  ScenarioOptions scenario;
  BackendRequest backend;
  std::optional<std::string> solver;
  std::optional<std::string> envs, record_envs;
  std::string directory;
  OverwriteFlag overwrite;
  std::optional<double> checkpoint_every;  ///< simulated time between checkpoints [s]
  bool resume = false;
  bool check = false;
  bool json = false;
};

/// out/<scenario name>. Replaces all characters except letters, digits, `_` and `-`.
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

/// Parses the value of --envs. @throws InputError
int parse_environments(const std::string& text) {
  int n_env = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n_env);
  if (error != std::errc{} || end != text.data() + text.size() || n_env < 1 ||
      n_env > kMaxEnvironments)
    throw_bad_value("--envs", text, fmt::format("a whole number from 1 to {}", kMaxEnvironments),
                    "");
  return n_env;
}

/// Further overrides of the scenario, `key=value`.
std::vector<std::string> overrides_of(const RunOptions& options) {
  std::vector<std::string> overrides;
  if (options.solver) overrides.push_back("solver.solver=" + *options.solver);
  if (options.envs)
    overrides.push_back(fmt::format("environments={}", parse_environments(*options.envs)));
  if (options.record_envs) overrides.push_back("output.record_envs=" + *options.record_envs);
  return overrides;
}

Batch load(const ScenarioOptions::Request& r) {
  Batch batch = load_batch(r.path, r.overrides);
  const std::size_t n_env = batch.environments.size();
  if (n_env > 1 && batch.environments.front().drawn.empty())
    spdlog::warn(
        "no value is sampled: all {} environments are the same (give {} a range under "
        "randomize)",
        n_env, r.path);
  for (const ScenarioWarning& warning : batch.warnings) spdlog::warn(warning.text);
  return batch;
}

/// Checks the memory of a large batch before all its environments are read, by its first
/// environment.
void require_memory_for(int n_env, const ScenarioOptions::Request& r) {
  constexpr int kLargeBatch = 100;
  if (n_env < kLargeBatch) return;
  require_memory(memory_need(load_scenario(r.path, r.overrides), n_env, 0));
}

std::vector<Scene> scenes_of(Batch* batch) {
  std::vector<Scene> scenes;
  for (Scenario& environment : batch->environments) scenes.push_back(std::move(environment.scene));
  return scenes;
}

RunSummary describe(const Batch& batch, const Simulation& simulation,
                    const ResolvedBackend& backend, const ExecutionOptions& execution) {
  RunSummary summary;
  summary.scenario = simulation.scene().name;
  summary.backend = name_of(backend.backend);
  summary.backend_because = backend.because;
  if (backend.backend == Backend::cuda) {
    summary.device = execution.device;
    summary.loop = name_of(*execution.loop);
    summary.loop_because = backend.loop_because;
  }
  summary.solver = batch.environments.front().solver;
  for (const ScenarioWarning& warning : batch.warnings) summary.warnings.push_back(warning.text);
  for (int e = 0; e < simulation.n_env(); ++e)
    summary.environments.push_back(summary_of(batch.environments[e], simulation, e));
  summary.version = kVersion;
  summary.commit = kCommit;
  summary.machine = this_machine();
  return summary;
}

/// Checks of all environments.
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
  void archive(Archive& a) {
    for (std::size_t e = 0; e < checks_.size(); ++e) a(std::to_string(e), *checks_[e]);
  }
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

std::string directory_of(const RunOptions& options, const Batch& batch) {
  return options.directory.empty() ? default_directory(batch.environments.front().scene.name)
                                   : options.directory;
}

/// Rejects the continuation of a run with another configuration.
/// @param is, was  texts of both configurations
void require_same_configuration(const std::string& path, const std::string& is,
                                const std::string& was) {
  if (is == was) return;
  std::istringstream one(is), other(was);
  std::string a, b;
  int line = 0;
  do {
    ++line;
    a.clear();
    b.clear();
    std::getline(one, a);
    std::getline(other, b);
  } while ((a == b || line == 1) && (one || other));  // the first line has the checksum
  throw InputError(fmt::format(
      "--resume: {}:{}: '{}' is '{}' now (must be the scenario, settings and seed that the run in "
      "{} began with; another --out begins a new one)",
      path + "/config.yaml", line, b, a, path));
}

/// Time steps between checkpoints; 0: no checkpoints.
int checkpoint_steps(const RunOptions& options, double step_s) {
  if (!options.checkpoint_every) return 0;
  const double every_s = *options.checkpoint_every;
  require(every_s > 0 && std::isfinite(every_s), "--checkpoint-every", every_s,
          "> 0, seconds of simulated time", "try 1");
  return static_cast<int>(std::clamp(std::round(every_s / step_s), 1.0, 1e9));
}

RunDirectory::Options directory_options(const Batch& batch) {
  const OutputOptions& output = batch.environments.front().output;
  return {output.every_steps, output.part_frames, batch.recorded, output.contact_columns};
}

/// Time limit for joining trajectories after an interrupt [s].
constexpr double kJoinAfterInterruptS = 0.4;

/// A run from its scenario to its summary. A mutex protects the data that the run saves. The run
/// releases the mutex during long work: if an interrupt arrives then, the watching thread ends the
/// run (see interrupt.hpp). An unfinished step leaves no data.
class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options), saving_(gate_->mutex) {
    end_by([this, gate = gate_] {
      const std::lock_guard lock(gate->mutex);
      while (gate->over) pause();  // the main thread ends the process
      return end_in_place_of_the_work();
    });
  }
  ~Run() {
    if (!saving_.owns_lock()) saving_.lock();
    gate_->over = true;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// @return exit code
  int whole() {
    if (!set_up()) return kGood;
    const int n_step = step_count(simulation_->scene().time);
    Progress progress(n_step);
    const Stopwatch watch;
    watch_ = &watch;
    simulation_->set_prefetch_hint(
        [this](int env, int step) { return directory_->takes_frame(env, step); });
    while (summary_.steps < n_step && !interrupted() && !every_environment_failed(*simulation_)) {
      working_on(fmt::format("step {} of {}", summary_.steps + 1, n_step));
      saving_.unlock();
      simulation_->step([&](const StepView& view) {
        if (!saving_.owns_lock()) saving_.lock();
        record(view, &progress);
      });
      if (!saving_.owns_lock()) saving_.lock();
      progress.update(++summary_.steps);
      if (checkpoint_steps_ > 0 && summary_.steps % checkpoint_steps_ == 0) save();
    }
    progress.clear();
    if (checkpoint_steps_ > 0 && summary_.steps < n_step && interrupted()) save();
    return finish();
  }

 private:
  /// Runs long work on data that is not saved yet, with the mutex released.
  template <class Work>
  void long_work(const char* what, const Work& work) {
    working_on(what);
    saving_.unlock();
    work();
    saving_.lock();
    working_on("");
  }

  /// @return false if there is nothing to do, because the run has ended already
  bool set_up() {
    if (options_.resume && options_.overwrite.overwrite)
      throw InputError("--resume and --overwrite (one of them: go on with a run, or replace it)");
    ScenarioOptions::Request request;
    long_work("reading the scenario", [&] {
      request = options_.scenario.request(overrides_of(options_));
      if (options_.envs) require_memory_for(parse_environments(*options_.envs), request);
      batch_ = load(request);
      require_memory(memory_need(batch_.environments.front(),
                                 static_cast<int>(batch_.environments.size()),
                                 static_cast<int>(batch_.recorded.size())));
    });
    SolverOptions solver = batch_.environments.front().solver;
    const ResolvedBackend backend = options_.backend.resolve(
        batch_.environments.front().scene, static_cast<int>(batch_.environments.size()), &solver);
    options_.scenario.solver.thread_cap.apply(&solver.execution.threads);
    limit_dense_threads(solver.execution.threads);
    checkpoint_steps_ = checkpoint_steps(options_, batch_.environments.front().scene.time.step_s);
    const std::string path = directory_of(options_, batch_);
    std::optional<CheckpointFile> checkpoint;
    const bool has_begun = std::filesystem::exists(path + "/config.yaml");
    if (options_.resume && (has_begun || is_unbegun_run(path))) {
      folder_.emplace(path, run_files(), Existing::go_on);
      if (has_begun)
        require_same_configuration(path, stamped_configuration(batch_.resolved_yaml),
                                   bytes_of_file(path + "/config.yaml"));
      if (has_ended(path)) {
        std::filesystem::remove(checkpoint_path());  // left if the run was killed after its summary
        return tell_ended(path);
      }
      if (has_begun && std::filesystem::exists(checkpoint_path()))
        checkpoint = read_checkpoint(checkpoint_path());
      else
        start_again_in(path, request.path);
    } else {
      folder_.emplace(options_.overwrite.open_folder(path, run_files(), {request.path}));
    }
    long_work("building the bodies", [&] {
      simulation_.emplace(scenes_of(&batch_), solver);
      checks_.emplace(batch_, *simulation_);
    });
    summary_ = describe(batch_, *simulation_, backend, solver.execution);
    if (checkpoint) {
      go_on_from(*checkpoint);
    } else {
      directory_.emplace(std::move(*folder_), *simulation_, directory_options(batch_));
      if (simulation_->n_env() > 1)
        for (const int env : batch_.recorded)
          directory_->write_environment(env, batch_.environments[env].resolved_yaml);
      // A run that has a configuration can be continued, even if it is killed before its first
      // step.
      if (checkpoint_steps_ > 0) save();
      directory_->write_configuration(batch_.resolved_yaml);
    }
    folder_.reset();
    summary_.directory = directory_->path();
    return true;
  }

  /// Replaces a run that has no checkpoint.
  void start_again_in(const std::string& path, const std::string& scenario) {
    spdlog::info("--resume: the run in {} has no checkpoint yet: it starts again", path);
    folder_.reset();
    folder_.emplace(path, run_files(), Existing::replace, std::vector{scenario});
  }

  std::string checkpoint_path() const {
    return (directory_ ? directory_->path() : folder_->path()) + "/" + kCheckpointName;
  }

  bool tell_ended(const std::string& path) const {
    spdlog::info("--resume: the run in {} has ended: nothing is left to do", path);
    if (options_.json) fmt::print("{}", bytes_of_file(path + "/summary.json"));
    return false;
  }

  /// Writes or reads the data that a run has collected, except its simulation and its files.
  void archive(Archive& a) {
    a("steps", summary_.steps);
    a("wall_s", wall_before_s_);
    a("statistics", summary_.statistics);
    for (std::size_t e = 0; e < summary_.environments.size(); ++e)
      a(fmt::format("environment_{}", e), summary_.environments[e].statistics);
    a("overlaps", overlaps_);
    a("checks", *checks_);
  }

  /// Writes a checkpoint of the completed steps.
  void save() {
    CheckpointFile file;
    for (int e = 0; e < simulation_->n_env(); ++e)
      file.environments.push_back(simulation_->save(e));
    Archive a = Archive::writing(&file.run);
    const double before_s = wall_before_s_;
    if (watch_) wall_before_s_ += watch_->seconds();
    archive(a);
    wall_before_s_ = before_s;
    directory_->archive(a);
    write_checkpoint(checkpoint_path(), file);
  }

  void go_on_from(const CheckpointFile& file) {
    if (file.environments.size() != static_cast<std::size_t>(simulation_->n_env()))
      throw InputError(fmt::format("{}: has {} environments (must have {})", checkpoint_path(),
                                   file.environments.size(), simulation_->n_env()));
    for (int e = 0; e < simulation_->n_env(); ++e)
      simulation_->load(e, file.environments[static_cast<std::size_t>(e)]);
    Archive a = Archive::reading(file.run);
    archive(a);
    directory_.emplace(std::move(*folder_), *simulation_, directory_options(batch_), a);
    std::filesystem::remove(directory_->path() + "/summary.json");
    spdlog::info("continues the run in {} after step {}, at {:.6g} s", directory_->path(),
                 summary_.steps, summary_.steps * simulation_->scene().time.step_s);
  }

  void record(const StepView& view, Progress* progress) {
    summary_.statistics.add(view.record);
    summary_.environments[view.record.env].statistics.add(view.record);
    overlaps_.tell(view.record, summary_.environments.size(), [&] {
      progress->clear();
      working_on("");
    });
    checks_->observe(view);
    directory_->record(view);
  }

  /// Writes the summary after the last completed step. @return exit code
  int finish() {
    const TimeOptions& time = simulation_->scene().time;
    working_on("joining the trajectory");
    std::optional<Stopwatch> since_interrupt;
    const bool joined = directory_->close([&] {
      if (!interrupted()) return true;
      if (!since_interrupt) since_interrupt.emplace();
      return since_interrupt->seconds() < kJoinAfterInterruptS;
    });
    working_on("");
    if (!joined)
      spdlog::warn(
          "the trajectory stays in parts, which nodia view and render read: joining them takes "
          "longer than an interrupt may");
    summary_.wall_s = wall_before_s_ + watch_->seconds();
    summary_.simulated_s = summary_.steps * time.step_s;
    summary_.interrupted = interrupted() && (summary_.steps < step_count(time) || !joined);
    summary_.trajectories = directory_->trajectories();
    summary_.steps_sum = directory_->steps_sum();
    checks_->conclude(&summary_);
    const std::string json = summary_json(summary_);
    directory_->write_summary(json);
    if (!summary_.interrupted) std::filesystem::remove(checkpoint_path());
    if (options_.json)
      fmt::print("{}", json);
    else
      print_table(summary_);
    return verdict(summary_, options_.check);
  }

  int end_in_place_of_the_work() {
    interrupted();  // acknowledges the interrupt, like a call in a loop
    if (watch_) {
      const int code = finish();
      directory_.reset();
      return code;
    }
    directory_.reset();
    folder_.reset();
    spdlog::warn("interrupted before the first step");
    return kInterrupted;
  }

  const RunOptions& options_;
  /// Outlives the run, because the watching thread does.
  struct Gate {
    std::mutex mutex;
    bool over = false;
  };
  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  std::unique_lock<std::mutex> saving_;  ///< lock of the main thread
  Batch batch_;
  std::optional<OutputFolder> folder_;
  std::optional<Simulation> simulation_;
  std::optional<BatchChecks> checks_;
  std::optional<RunDirectory> directory_;
  RunSummary summary_;
  OverlapTeller overlaps_;
  int checkpoint_steps_ = 0;          ///< time steps between checkpoints; 0: no checkpoints
  double wall_before_s_ = 0;          ///< wall time of the time loop in earlier processes [s]
  const Stopwatch* watch_ = nullptr;  ///< started with the first step
};

int run(const RunOptions& options) {
  catch_interrupts();
  return Run(options).whole();
}

}  // namespace

Action declare_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->scenario.declare(app);
  app.add_option("--out", options->directory, "run directory (default out/<scenario name>)")
      ->type_name("DIR");
  options->overwrite.declare(app,
                             "replace the run in DIR; only files of that run are deleted. Without "
                             "this option the new run is written to DIR-2, DIR-3, ...");
  app.add_flag("--check", options->check,
               "exit with code 1 if a check fails or a step does not converge, not only if a step "
               "diverges or is not finite");
  app.add_flag("--json", options->json,
               "print the summary as one JSON object on stdout, messages on stderr");

  constexpr const char* kBatch = "Batch of environments";
  app.add_option(
         "--envs", options->envs,
         "number of environments in the batch; environment e uses seed + e (default seed 0)")
      ->type_name("N")
      ->group(kBatch);
  app.add_option("--record-envs", options->record_envs,
                 "environments whose trajectory is written, as trajectory_env0003.vtkhdf and "
                 "config_env0003.yaml (default: environment 0)")
      ->type_name("all|none|0,3,...")
      ->group(kBatch);

  constexpr const char* kContinued = "Interrupted runs";
  app.add_option("--checkpoint-every", options->checkpoint_every,
                 "write a checkpoint for --resume every S seconds of simulated time")
      ->type_name("S")
      ->group(kContinued);
  app.add_flag("--resume", options->resume,
               "continue the run in DIR from its last checkpoint; the files are the same as those "
               "of an uninterrupted run. Starts a new run if DIR has none. The other options must "
               "be those of the first start")
      ->group(kContinued);

  declare(app, &options->backend);
  app.add_option("--solver", options->solver, "name of a solver; nodia info lists them")
      ->type_name("NAME")
      ->group("Solver");
  options->scenario.solver.declare(app);
  return [options] { return run(*options); };
}

}  // namespace nodia::cli

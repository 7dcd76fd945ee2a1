/// `nodia replay`: repeats an episode of a dataset with its recorded actions.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/io/run_directory.hpp"
#include "host/io/run_files.hpp"
#include "kernels/core/stopwatch.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/replay.hpp"
#include "tools/cli/environment_summary.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/output_options.hpp"
#include "tools/command/print_json.hpp"
#include "tools/command/python.hpp"

namespace nodia::cli {
namespace {

struct ReplayArguments {
  std::string folder, run;
  int episode = 0;
  std::optional<int> step;
  OverwriteFlag overwrite;
  bool view = false;
  bool json = false;
};

/// Default of --out, such as out/DATASET_episode_000017.
std::string default_run(const ReplayArguments& options) {
  namespace fs = std::filesystem;
  fs::path folder = fs::weakly_canonical(fs::absolute(options.folder));
  if (!folder.has_filename()) folder = folder.parent_path();
  return fmt::format("out/{}_{}", folder.filename().string(), episode_name(options.episode));
}

/// Writes the run directory of an episode.
class Recording {
 public:
  Recording(OutputFolder folder, const Scenario& scenario, const TaskEnvironments& environments)
      : simulation_(environments.simulation()),
        directory_(std::move(folder), simulation_,
                   {scenario.output.every_steps,
                    scenario.output.part_frames,
                    {},
                    scenario.output.contact_columns}) {
    directory_.write_configuration(scenario.resolved_yaml);
    summary_.scenario = scenario.scene.name;
    summary_.solver = scenario.solver;
    summary_.environments.push_back(summary_of(scenario, simulation_, 0));
    summary_.version = kVersion;
    summary_.commit = kCommit;
    summary_.machine = this_machine();
    summary_.directory = directory_.path();
  }

  void record(const StepView& view) {
    summary_.statistics.add(view.record);
    summary_.environments.front().statistics.add(view.record);
    directory_.record(view);
    ++summary_.steps;
    summary_.simulated_s = view.state().time_s;
  }

  void close() {
    directory_.close();
    summary_.wall_s = watch_.seconds();
    summary_.trajectories = directory_.trajectories();
    summary_.steps_sum = directory_.steps_sum();
    directory_.write_summary(summary_json(summary_));
  }
  const std::string& path() const { return directory_.path(); }

 private:
  const Simulation& simulation_;
  RunDirectory directory_;
  RunSummary summary_;
  Stopwatch watch_;
};

void require_in_dataset(const ReplayArguments& options, const DatasetRequest& request) {
  if (options.episode >= request.episodes)
    throw_bad_value("--episode", std::to_string(options.episode),
                    fmt::format("in [0, {}]", request.episodes - 1),
                    fmt::format("{} has {} episodes", options.folder, request.episodes));
}

void tell(const ReplayArguments& options, const Replayed& replayed, const std::string& run) {
  if (options.json) {
    print_json({{"format", "nodia_replay"},
                {"format_version", 1},
                {"directory", options.folder},
                {"episode", options.episode},
                {"steps", replayed.steps},
                {"status", replayed.status},
                {"equal", replayed.difference.empty()},
                {"difference", replayed.difference},
                {"run", run}});
    return;
  }
  if (replayed.difference.empty())
    fmt::print("{}: episode {} ({}), {} control steps: every bit as recorded\n", options.folder,
               options.episode, replayed.status, replayed.steps);
  if (!run.empty()) fmt::print("run in {}\n", run);
}

int replay_episode(const ReplayArguments& options) {
  catch_interrupts();
  working_on("reading the dataset");
  const DatasetRequest request = read_dataset(options.folder);
  require_in_dataset(options, request);
  std::optional<OutputFolder> folder;
  if (!options.run.empty() || options.view)
    folder.emplace(options.overwrite.open_folder(
        options.run.empty() ? default_run(options) : options.run, run_files()));
  std::optional<Recording> recording;
  EpisodeWatch watch;
  watch.most_steps = options.step;
  watch.stop = [] { return interrupted(); };
  watch.begin = [&](const Scenario& scenario, const TaskEnvironments& environments) {
    working_on(fmt::format("episode {}", options.episode));
    if (folder) recording.emplace(std::move(*folder), scenario, environments);
    folder.reset();
  };
  watch.step = [&](const StepView& view) {
    if (recording) recording->record(view);
  };
  std::string run;
  watch.end = [&] {
    if (!recording) return;
    recording->close();
    run = recording->path();
    recording.reset();
  };
  const Replayed replayed = replay(options.folder, request, options.episode, watch);
  working_on("");
  if (replayed.stopped) {
    spdlog::warn("interrupted");
    return kInterrupted;
  }
  tell(options, replayed, run);
  if (!replayed.difference.empty()) {
    spdlog::error("{}: episode {} is not as recorded: {}", options.folder, options.episode,
                  replayed.difference);
    return kFailed;
  }
  if (options.view && !run.empty()) {
    std::fflush(stdout);
    become_python_module("nodia_tools.view", {run});
  }
  return kGood;
}

}  // namespace

Action declare_replay(CLI::App& app) {
  const auto options = std::make_shared<ReplayArguments>();
  app.add_option("directory", options->folder, "directory of a dataset")
      ->required()
      ->type_name("DIR");
  app.add_option("--episode", options->episode, "number of the episode, from 0")
      ->required()
      ->type_name("K")
      ->check(CLI::Range(0, kMostEpisodes - 1).description(""));
  app.add_option("--step", options->step, "replay only the first S control steps")
      ->type_name("S")
      ->check(CLI::Range(1, 1'000'000'000).description(""));
  app.add_option("--out", options->run,
                 "write a run directory for nodia view and render (default: none; with --view: "
                 "out/DATASET_episode_K)")
      ->type_name("RUN");
  options->overwrite.declare(app, "replace the run in RUN; only files of that run are deleted");
  app.add_flag("--view", options->view, "show the run in a browser afterwards");
  app.add_flag("--json", options->json, "print one JSON object on stdout, messages on stderr");
  return [options] { return replay_episode(*options); };
}

}  // namespace nodia::cli

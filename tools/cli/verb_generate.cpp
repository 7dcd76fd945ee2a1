/// `nodia generate`: generates a dataset of episodes. Several processes may generate the same one.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

#include "host/io/machine.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/memory_need.hpp"
#include "scenarios/dataset/dataset.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/episode.hpp"
#include "scenarios/dataset/generator.hpp"
#include "scenarios/task/idle_script.hpp"
#include "scenarios/task/policy.hpp"
#include "tools/cli/dataset_report.hpp"
#include "tools/cli/policy_process.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/print_json.hpp"
#include "tools/command/progress.hpp"
#include "tools/command/scenario_catalogue.hpp"

namespace nodia::cli {
namespace {

struct GenerateArguments {
  std::string scenario, folder;
  std::vector<std::string> settings;
  std::optional<std::string> seed, shard;
  int episodes = 0;
  int block = DatasetRequest{}.block;
  int threads = 0;
  int batch = 0;
  BackendRequest backend;
  ThreadCap thread_cap;
  bool other_build = false;
  bool json = false;
};

/// Parses `i/n`, with i from 0.
Shard parse_shard(const std::optional<std::string>& text) {
  Shard shard;
  if (!text) return shard;
  const char* const end = text->data() + text->size();
  const auto index = std::from_chars(text->data(), end, shard.index);
  const bool parted = index.ec == std::errc{} && index.ptr != end && *index.ptr == '/';
  const auto count = std::from_chars(parted ? index.ptr + 1 : end, end, shard.count);
  if (!parted || count.ec != std::errc{} || count.ptr != end || shard.count < 1 ||
      shard.index < 0 || shard.index >= shard.count)
    throw_bad_value("--shard", *text, "i/n with i from 0 to n - 1", "e.g. 0/2 and 1/2");
  return shard;
}

/// @param batch  episodes that a thread simulates at the same time
void require_memory_for(const Scenario& scenario, int threads, int batch) {
  const int n_episode = threads * batch;
  const MemoryNeed need = memory_need(scenario, n_episode, 0);
  if (need.total_bytes <= need.available_bytes) return;
  throw InputError(fmt::format(
      "memory: about {} for {} episodes at a time (must be at most the {} that are free; fewer "
      "--threads{} need less)",
      shown_bytes(need.total_bytes), n_episode, shown_bytes(need.available_bytes),
      batch > 1 ? " and a smaller --batch" : ""));
}

/// Backend and device on which episodes are simulated, without `auto`.
/// @throws InputError if the requested backend is not available
BackendRequest resolved(const GenerateArguments& options, const Scenario& scenario) {
  SolverOptions solver = scenario.solver;
  const int n_env = options.batch > 0 ? options.batch : options.block;
  const ResolvedBackend resolved = options.backend.resolve(scenario.scene, n_env, &solver);
  if (const std::string told = resolved.in_words(); !told.empty()) spdlog::info(told);
  BackendRequest request = options.backend;
  request.backend = name_of(resolved.backend);
  if (resolved.backend == Backend::cpu) request.device = {};
  return request;
}

/// Number of episodes of the share in published blocks.
int published(const std::string& folder, const DatasetRequest& request, const Shard& shard) {
  int n = 0;
  for (int number = shard.index; number < request.n_block(); number += shard.count)
    if (has_block(folder, number)) n += request.end(number) - request.first(number);
  return n;
}

int share_of(const DatasetRequest& request, const Shard& shard) {
  int n = 0;
  for (int number = shard.index; number < request.n_block(); number += shard.count)
    n += request.end(number) - request.first(number);
  return n;
}

/// Calls nodia::generate() for a folder and its request, in this process or in a Python process.
using Generate = std::function<Generated(const GenerateOptions&, const std::atomic<bool>& stop)>;

/// Generates blocks in a worker thread, while the calling thread shows the progress and handles
/// interrupts.
class Generation {
 public:
  Generation(const GenerateArguments& options, DatasetRequest request, Generate make)
      : folder_(options.folder), request_(std::move(request)), make_(std::move(make)) {
    generate_.shard = parse_shard(options.shard);
    generate_.threads = options.threads;
    generate_.batch = options.batch;
    generate_.backend = options.backend;
    generate_.progress = [this](int n) { n_made_ = n; };
  }

  Generated run() {
    const int total = share_of(request_, generate_.shard);
    const int before = published(folder_, request_, generate_.shard);
    Progress progress(total, {"episode", before, true});
    std::thread worker([this] { work(); });
    std::unique_lock lock(mutex_);
    while (!over_) {
      changed_.wait_for(lock, std::chrono::milliseconds(50));
      progress.update(std::min(total, before + n_made_));
      if (interrupted() && !stop_) {
        stop_ = true;
        changed_.wait_for(lock, std::chrono::milliseconds(400), [this] { return over_; });
        if (!over_) break;
      }
    }
    const bool over = over_;
    lock.unlock();
    progress.clear();
    if (!over) {
      // The present step takes too long. Incomplete files have temporary names, so none is
      // published.
      tell_interrupted();
      std::fflush(stdout);
      _exit(kInterrupted);
    }
    worker.join();
    if (thrown_) std::rethrow_exception(thrown_);
    return made_;
  }

  void tell_interrupted() const {
    spdlog::warn("interrupted: the same command continues after the complete blocks");
  }

 private:
  void work() noexcept {
    try {
      made_ = make_(generate_, stop_);
    } catch (const Interrupted&) {
      made_.stopped = true;
    } catch (...) {
      thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }

  std::string folder_;
  DatasetRequest request_;
  Generate make_;
  GenerateOptions generate_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> n_made_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  Generated made_;
  std::exception_ptr thrown_;
};

/// Prints the warnings of the scenario.
void warn_of(const Scenario& scenario) {
  for (const ScenarioWarning& warning : scenario.warnings) spdlog::warn(warning.text);
  if (const auto idle = idle_script(*scenario.task, scenario.scene)) spdlog::warn(*idle);
}

void tell(const GenerateArguments& options, const DatasetRequest& request, const Generated& made,
          const DatasetCounts& counts) {
  if (options.json) {
    nlohmann::ordered_json json = {{"format", "nodia_generate"},  {"format_version", 1},
                                   {"directory", options.folder}, {"made_episodes", made.n_episode},
                                   {"made_blocks", made.n_block}, {"busy_blocks", made.busy},
                                   {"interrupted", made.stopped}};
    json.update(to_json(counts, request));
    print_json(json);
    return;
  }
  fmt::print("{}: {}\n", options.folder, counted_in_words(counts, request));
  print_reasons(counts);
  if (!made.busy.empty()) fmt::print("{} blocks are being made by others\n", made.busy.size());
}

int generate_dataset(GenerateArguments options) {
  catch_interrupts();
  working_on("reading the scenario");
  parse_shard(options.shard);  // reports a bad value before the work starts
  std::vector<std::string> overrides = options.settings;
  if (options.seed) {
    require_whole_number("--seed", *options.seed);
    overrides.push_back("seed=" + *options.seed);
  }
  ScenarioSource source(read_yaml_file(scenario_path(options.scenario)), overrides);
  const AskedDataset asked = asked_dataset(source, options.episodes, options.block);
  options.thread_cap.apply(&options.threads);
  if (options.threads == 0) options.threads = this_machine().cores;
  options.backend = resolved(options, asked.scenario);
  if (options.batch == 0)
    options.batch = options.backend.backend == "cuda" ? asked.request.block : 1;
  options.batch = std::min({options.batch, asked.request.block, asked.request.episodes});
  require_memory_for(asked.scenario, std::min(options.threads, asked.request.n_block()),
                     options.batch);
  std::optional<PolicyProcess> process;
  if (parse_policy(asked.scenario.task->policy).kind == PolicyKind::python_class) {
    working_on("reading the policy");
    process.emplace(asked.scenario);
  }
  const DatasetRequest request = open_dataset(
      options.folder, asked, options.other_build ? OtherBuild::allow : OtherBuild::refuse);
  working_on("comparing the blocks that exist with the request");
  const std::string note = note_of_unnamed(count_episodes(options.folder, request));
  if (!note.empty()) spdlog::warn("{}: {}", options.folder, note);
  working_on("");
  warn_of(asked.scenario);
  const auto make = [&](const GenerateOptions& how, const std::atomic<bool>& stop) {
    if (process) return process->generate(options.folder, request, how, stop);
    const ScenarioSource own(request.scenario);
    return generate(options.folder, request, actor_of(*own.document().task), how, stop);
  };
  Generation generation(options, request, make);
  const Generated made = generation.run();
  tell(options, request, made, count_episodes(options.folder, request));
  if (!made.stopped) return kGood;
  generation.tell_interrupted();
  return kInterrupted;
}

}  // namespace

Action declare_generate(CLI::App& app) {
  const auto options = std::make_shared<GenerateArguments>();
  app.add_option("scenario", options->scenario,
                 "scenario file, or a name of nodia list, with a task")
      ->required()
      ->type_name("SCENARIO");
  app.add_option("directory", options->folder,
                 "directory of the dataset; an existing dataset is continued")
      ->required()
      ->type_name("DIR");
  app.add_option("--episodes", options->episodes, "number of episodes of the whole dataset")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1, kMostEpisodes).description(""));
  app.add_option("--seed", options->seed,
                 "seed; episode k uses the pair (seed, k) (default: the scenario's seed, else 0)")
      ->type_name("N");
  declare_settings(app, &options->settings);
  app.add_option("--block", options->block,
                 "episodes per file; one thread generates a file, and an interrupt loses the "
                 "unfinished files")
      ->type_name("N")
      ->check(CLI::Range(1, kMostBlockEpisodes).description(""))
      ->capture_default_str();
  app.add_option("--shard", options->shard,
                 "generate only share I of N of the files, I from 0 (default: every file that no "
                 "other process is generating)")
      ->type_name("I/N");
  app.add_option("--threads", options->threads,
                 "number of files generated at the same time; 0: one per core")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""))
      ->capture_default_str();
  options->thread_cap.declare(app);
  app.add_option("--batch", options->batch,
                 "episodes that a thread simulates as one batch, at most those of a file; 0: all "
                 "on a GPU, one on the CPU. The results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(0, kMostBlockEpisodes).description(""))
      ->capture_default_str();
  declare(app, &options->backend);
  app.add_flag("--other-build", options->other_build,
               "continue a dataset that another build of nodia or another CPU family began; "
               "results may differ in their last bits, and every file names its build");
  app.add_flag("--json", options->json, "print one JSON object on stdout, messages on stderr");
  return [options] { return generate_dataset(*options); };
}

}  // namespace nodia::cli

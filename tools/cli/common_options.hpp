/// Options that several verbs share: the scenario, its settings, the solver.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/solvers/cond/options.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/cli/solver_flags.hpp"
#include "tools/studies/calibration.hpp"

namespace nodia::cli {

/// A scenario file with everything the command line changes in it.
struct ScenarioOptions {
  std::vector<std::string>
      words;  ///< SCENARIO.yaml, and the second and later values behind one --set
  std::vector<std::string> settings;
  std::optional<int> steps;
  std::optional<std::string> seed, episode;
  SolverFlags solver;

  /// What is to be loaded: arguments of load_scenario and load_batch.
  struct Request {
    std::string path;
    std::vector<std::string> overrides;
  };

  /// SCENARIO.yaml, --set, --seed, --episode, --steps and the solver's options, except which
  /// solver.
  void declare(CLI::App& app);
  /// The command line wins over the file, named options over --set, `more` over both.
  /// @param more  further `key=value`
  Request request(const std::vector<std::string>& more = {}) const;
  /// Reads the scenario; of a batch, its environment 0.
  Scenario load() const;
};

/// Of --seed and --episode. @throws InputError for what is no whole number of 64 bits
void require_whole_number(const char* option, const std::string& text);

/// --loop, --product and --device: how and on which device the loop of COND runs there.
struct DeviceOptions {
  std::string loop = "auto", product = "ours";
  std::optional<int> device;

  void declare(CLI::App& app);
  /// @throws InputError where a word or a number is none that there is
  void require_good() const;
  /// Of a run on a device. @throws InputError where it cannot be had
  /// @return why auto is not the graph; empty otherwise
  std::string apply(CondOptions* options) const;
  /// Of a run on no device. @throws InputError where something was asked of one
  /// @param because  why there is none
  void require_unused(const std::string& because) const;

 private:
  std::optional<LoopLauncher> launcher() const;
};

/// What --backend came to.
struct ResolvedBackend {
  Backend backend = Backend::cpu;
  std::string because;        ///< why auto came to it; empty where it was asked for
  bool had_a_choice = false;  ///< auto found a device that the solver can run on
  std::string loop_because;   ///< why --loop auto is not the graph; empty otherwise
};

/// --backend auto|cpu|cuda.
struct BackendOption {
  std::string backend = "auto";
  DeviceOptions device;

  void declare(CLI::App& app);
  /// Sets the backend that will be used. @throws InputError where it cannot be had
  /// @param solver    name in the catalogue
  /// @param workload  asked for where auto has a choice
  ResolvedBackend resolve(const std::string& solver,
                          const std::function<studies::Workload()>& workload,
                          CondOptions* options) const;

 private:
  ResolvedBackend choose(const std::string& solver,
                         const std::function<studies::Workload()>& workload) const;
};

/// Dense products of Eigen take no more threads than the solver may; 0 leaves them all.
void limit_dense_threads(int threads);

/// Steps of a scenario: its duration in whole steps, rounded up.
int step_count(const TimeOptions& time);

}  // namespace nodia::cli

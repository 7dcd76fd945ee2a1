/// Options that several verbs share: the scenario, its settings, the solver.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/backend/backend.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/command/solver_flags.hpp"

namespace nodia::cli {

/// A scenario file with everything the command line changes in it.
struct ScenarioOptions {
  std::vector<std::string> words;  ///< SCENARIO, and the second and later values behind one --set
  std::vector<std::string> settings;
  std::optional<int> steps;
  std::optional<std::string> seed, episode;
  SolverFlags solver;

  /// What is to be loaded: arguments of load_scenario and load_batch.
  struct Request {
    std::string path;
    std::vector<std::string> overrides;
  };

  /// SCENARIO, --set, --package, --seed, --episode, --steps.
  void declare(CLI::App& app);
  /// The command line wins over the file, named options over --set, `more` over both.
  /// @param more  further `key=value`
  Request request(const std::vector<std::string>& more = {}) const;
  /// Reads the scenario; of a batch, its environment 0.
  Scenario load() const;
};

/// Declares --set KEY=VALUE and --package NAME=FOLDER, which sets packages.NAME. Both append to
/// `settings`.
void declare_settings(CLI::App& app, std::vector<std::string>* settings);

/// Of --seed and --episode. @throws InputError for what is no whole number of 64 bits
void require_whole_number(const char* option, const std::string& text);

/// --loop and --device.
void declare(CLI::App& app, DeviceRequest* request);
/// The same behind --backend.
void declare(CLI::App& app, BackendRequest* request);

/// Dense products of Eigen take no more threads than the solver may; 0 leaves them all.
void limit_dense_threads(int threads);

/// Steps of a scenario: its duration in whole steps, rounded up.
int step_count(const TimeOptions& time);

}  // namespace nodia::cli

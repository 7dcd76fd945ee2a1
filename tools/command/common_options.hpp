/// Options that several verbs share: scenario, settings, solver, backend.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/backend/backend.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/command/solver_flags.hpp"

namespace nodia::cli {

/// A scenario file and its changes by the command line.
struct ScenarioOptions {
  std::vector<std::string> words;  ///< SCENARIO, and the second and later values after one --set
  std::vector<std::string> settings;
  std::optional<int> steps;
  std::optional<std::string> seed, episode;
  SolverFlags solver;

  /// Arguments of load_scenario() and load_batch().
  struct Request {
    std::string path;
    std::vector<std::string> overrides;
  };

  /// Declares SCENARIO, --set, --package, --seed, --episode and --steps.
  void declare(CLI::App& app);
  /// Overrides in order of precedence: `more`, named options, --set.
  /// @param more  further `key=value`
  Request request(const std::vector<std::string>& more = {}) const;
  /// Loads the scenario, or environment 0 of a batch.
  Scenario load() const;
};

/// Declares --set KEY=VALUE and --package NAME=FOLDER, which sets packages.NAME. Both append to
/// `settings`.
void declare_settings(CLI::App& app, std::vector<std::string>* settings);

/// Checks the value of --seed or --episode. @throws InputError if it is not a whole number of 64
/// bits
void require_whole_number(const char* option, const std::string& text);

/// Declares --loop and --device.
void declare(CLI::App& app, DeviceRequest* request);
/// Declares --backend, --loop and --device.
void declare(CLI::App& app, BackendRequest* request);

/// Limits the threads of Eigen's dense products. @param threads  0: no limit
void limit_dense_threads(int threads);

/// Time steps of a scenario: its duration divided by the time step, rounded up, at least 1.
/// @throws InputError for more than kMaxSteps
int step_count(const TimeOptions& time);

}  // namespace nodia::cli

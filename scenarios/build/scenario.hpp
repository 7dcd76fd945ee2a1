/// A scenario file (YAML) as a scene, solver options, checks and output options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "host/solvers/solver_options.hpp"
#include "scenarios/build/options.hpp"
#include "scenarios/build/randomize.hpp"
#include "scenarios/build/warnings.hpp"
#include "scenarios/checks/check.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

struct ScenarioDocument;  // scenarios/build/document.hpp

struct Scenario {
  Scene scene;
  SolverOptions solver;
  CheckOptions checks;
  std::optional<TaskDescription> task;  ///< absent where the file has none
  OutputOptions output;
  std::string description;
  DrawSeed drawn_by;                      ///< all 0 where no seed was given
  std::vector<DrawnValue> drawn;          ///< in the order of the file's `randomize`
  std::vector<ScenarioWarning> warnings;  ///< to be told at the start of a run
  std::string resolved_yaml;  ///< all of it with defaults, overrides and drawn values; loads to the
                              ///< same scenario
};

/// The environments of a scenario file (key `environments`, --envs), each a scenario of its own.
struct Batch {
  std::vector<Scenario> environments;  ///< [n_env]; the solver is the same in all
  std::vector<int> recorded;           ///< those with a trajectory, ascending
  std::uint64_t seed = 0;              ///< of environment 0; 0 where none was given
  /// Those of the environments, each key once, by the first environment that has it.
  std::vector<ScenarioWarning> warnings;
  std::string resolved_yaml;  ///< loads to the same batch: for several environments with the ranges
                              ///< to draw from, the seed and their number
};

/// Reads a scenario: environment 0 of a batch.
///
/// Order: the file; then `overrides`, each `dotted.key=value` with value in YAML (scalar, [list] or
/// {map}); then, with a seed, a value for every key of `randomize` that no override sets, by its
/// rule (DrawRule) and a hash of (seed, episode, attempt, key) alone, so that a draw depends
/// neither on the order nor on the presence of others; what is `same_as` a key that is set has its
/// value. Without `draw` the file's `seed`, `episode` and `attempt` count; where it has no seed
/// either nothing is drawn, except in a scenario of several environments, whose seed is 0 then.
/// Relative paths start from the file's folder; in an override, from the working directory. Members
/// of groups like bodies and checks are addressed by name or by index, members of lists by index;
/// short keys: apply_override.
///
/// @throws InputError, one line: `file:line: key = value (must be rule; hint)`
Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides = {},
                       std::optional<DrawSeed> draw = std::nullopt);

/// A scenario that is read once and made many times: what it reads from meshes, robots and tracks
/// stays, so that an episode costs its bodies alone.
class ScenarioSource {
 public:
  /// @param tree       of read_yaml_file() or parse_yaml()
  /// @param overrides  as load_scenario
  /// @throws InputError for the first broken rule that needs no file
  explicit ScenarioSource(YamlNode tree, const std::vector<std::string>& overrides = {});
  ~ScenarioSource();
  ScenarioSource(const ScenarioSource&) = delete;
  ScenarioSource& operator=(const ScenarioSource&) = delete;

  int environments() const;                   ///< the key `environments`
  std::optional<DrawSeed> draw_seed() const;  ///< of the keys `seed`, `episode`, `attempt`
  bool draws() const;                         ///< something is left to be drawn
  /// What the file says with overrides and defaults, before anything is drawn; paths are absolute.
  ScenarioDocument document() const;
  /// What load_scenario gives.
  Scenario scenario(std::optional<DrawSeed> draw = std::nullopt);
  /// The same with nothing drawn, whatever the file's seed.
  Scenario nominal();
  /// Of a scenario with a task. @throws InputError where `randomize` draws what all its episodes
  /// have in common, or delays that they are too short for
  void require_one_task() const;
  /// About the entry `randomize.key`: `file:line: randomize.key = rule (why)`.
  [[noreturn]] void refuse_rule(const std::string& key, const std::string& why) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads every environment of a scenario. Environment e is what load_scenario reads with seed + e
/// (`environments` set to 1); a single one is load_scenario's.
/// @throws InputError also for what several environments must share and cannot draw (time, solver,
/// output, all of task but its delay), for an episode of several, and for a seed + e beyond 64 bits
Batch load_batch(const std::string& path, const std::vector<std::string>& overrides = {},
                 std::optional<DrawSeed> draw = std::nullopt);

}  // namespace nodia

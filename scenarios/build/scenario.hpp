/// Loads scenario files (YAML): scene, solver options, checks, task and output options.
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
  std::optional<TaskDescription> task;  ///< absent if the file has none
  OutputOptions output;
  std::string description;
  DrawSeed drawn_by;              ///< all 0 if no values were sampled
  std::vector<DrawnValue> drawn;  ///< sampled values, in the order of the file's `randomize`
  std::vector<ScenarioWarning> warnings;  ///< to be reported at the start of a run
  std::string resolved_yaml;  ///< scenario file with defaults, overrides and sampled values; loads
                              ///< to the same scenario
};

/// Environments of a scenario file (key `environments`, --envs). Each is a scenario of its own.
struct Batch {
  std::vector<Scenario> environments;  ///< [n_env]; all have the same solver options
  std::vector<int> recorded;           ///< numbers of those with a trajectory, ascending
  std::uint64_t seed = 0;              ///< of environment 0; 0 if none was given
  /// Warnings of all environments. If several have a warning about the same key, only the first one
  /// is kept.
  std::vector<ScenarioWarning> warnings;
  /// Scenario file that loads to the same batch. For several environments it has the rules of
  /// `randomize`, the seed and the number of environments instead of sampled values.
  std::string resolved_yaml;
};

/// Reads a scenario: environment 0 of a batch.
///
/// The values of keys come from, in this order:
/// 1. the file;
/// 2. `overrides`, each `dotted.key=value` with a value in YAML (scalar, [list] or {map});
/// 3. with a seed, the rules of `randomize` (DrawRule) whose keys no override sets. A sample is a
///    function of the rule and of a hash of (seed, episode, attempt, key); other rules do not
///    change it. If a rule is `same_as` a key that an override sets, it uses that value.
///
/// Relative paths start from the file's folder; in an override, from the working directory. A key
/// addresses members of groups such as bodies and checks by name or by index, and members of lists
/// by index. See apply_override() for short keys.
///
/// @param draw  seed, episode and attempt. If absent, the keys `seed`, `episode` and `attempt` of
///              the file apply. If the file has no seed either, nothing is sampled; a scenario with
///              several environments uses seed 0 then
/// @throws InputError with one line: `file:line: key = value (must be rule; hint)`
Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides = {},
                       std::optional<DrawSeed> draw = std::nullopt);

/// A scenario file that is read once and built for many episodes. It keeps the meshes, robots and
/// tracks that it has read.
class ScenarioSource {
 public:
  /// @param tree       result of read_yaml_file() or parse_yaml()
  /// @param overrides  see load_scenario()
  /// @throws InputError for the first broken rule that can be found without reading other files
  explicit ScenarioSource(YamlNode tree, const std::vector<std::string>& overrides = {});
  ~ScenarioSource();
  ScenarioSource(const ScenarioSource&) = delete;
  ScenarioSource& operator=(const ScenarioSource&) = delete;

  int environments() const;                   ///< value of the key `environments`
  std::optional<DrawSeed> draw_seed() const;  ///< keys `seed`, `episode`, `attempt`
  bool draws() const;                         ///< true if `randomize` has rules
  /// Content of the file with overrides and defaults, without samples. Paths are absolute.
  ScenarioDocument document() const;
  /// Scenario that load_scenario() returns.
  Scenario scenario(std::optional<DrawSeed> draw = std::nullopt);
  /// Scenario without samples, also if the file has a seed.
  Scenario nominal();
  /// Checks that all episodes can share the task. The scenario must have a task.
  /// @throws InputError if `randomize` samples a key that all episodes must share, or a delay that
  ///         is longer than the episode
  void require_one_task() const;
  /// Throws the error of the entry `randomize.key`: `file:line: randomize.key = rule (why)`.
  [[noreturn]] void refuse_rule(const std::string& key, const std::string& why) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads every environment of a scenario. Environment e equals the result of load_scenario() with
/// seed + e and `environments` set to 1. A single environment equals the result of load_scenario().
/// @throws InputError like load_scenario(). With several environments also if `randomize` samples a
///         key that they must share (time, solver, output, and task without its delay), if `draw`
///         is an episode, and if seed + e exceeds 64 bits
Batch load_batch(const std::string& path, const std::vector<std::string>& overrides = {},
                 std::optional<DrawSeed> draw = std::nullopt);

}  // namespace nodia

/// Generates episodes of a dataset: samples values, finds a valid start, steps, records arrays.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/backend/backend.hpp"
#include "host/io/array_file.hpp"
#include "scenarios/build/scenario.hpp"
#include "scenarios/dataset/actor.hpp"
#include "scenarios/dataset/request.hpp"

namespace nodia {

/// Largest number of starts that are sampled for an episode. If all are rejected, the episode fails
/// with the cause `no_valid_start`.
inline constexpr int kMostAttempts = 20;

/// Name of an episode's group, such as `episode_000024`.
std::string episode_name(std::int64_t episode);

/// The same options with one thread: the threads of generate() work on different episodes.
SolverOptions with_one_thread(SolverOptions solver);

/// Callbacks that observe, or stop, episodes while they are generated.
struct EpisodeWatch {
  /// Called before every control step. If it returns true, the episodes are abandoned.
  std::function<bool()> stop = {};
  /// Called once for each episode, before its first control step.
  std::function<void(const Scenario&, const TaskEnvironments&)> begin = {};
  /// Called after every time step.
  std::function<void(const StepView&)> step = {};
  /// Called after the last control step of a batch, before its environments are destroyed.
  std::function<void()> end = {};
  /// Largest number of control steps; empty: no limit.
  std::optional<int> most_steps = {};
};

/// Generates episodes of a request. Several threads may call make() at the same time.
class EpisodeMaker {
 public:
  /// @param folder   folder of the dataset. It is removed from recorded messages, so that episodes
  ///                 do not depend on it
  /// @param backend  backend that steps the episodes; no bit of an episode depends on it
  /// @throws InputError if the scenario cannot be read
  EpisodeMaker(const DatasetRequest& request, std::string folder,
               BackendRequest backend = {"cpu", {}});

  /// Generates an episode: the attributes and arrays of docs/datasets.md. They depend only on the
  /// request, the episode's number and the actor.
  /// @return empty if `watch` stopped it
  std::optional<ArrayGroup> make(std::int64_t episode, const ActorMaker& actors,
                                 const EpisodeWatch& watch = {});

  /// Generates episodes [first, end), in batches of those that one simulation can combine. Each
  /// episode has the same bits as alone.
  /// @return empty if `watch` stopped them
  /// @throws InputError if the backend is not available
  std::optional<std::vector<ArrayGroup>> make(std::int64_t first, std::int64_t end,
                                              const ActorMaker& actors,
                                              const EpisodeWatch& watch = {});

  const TaskDescription& task() const { return task_; }

 private:
  class Several;

  /// The scenario with the values of a seed, episode and attempt.
  Scenario drawn(const DrawSeed& key);
  /// The text with the dataset's folder removed from its paths.
  std::string without_folder(std::string text) const;
  /// Options of the scenario's solver for n_env environments on the backend.
  SolverOptions solver_of(const Scenario& scenario, int n_env) const;

  std::uint64_t seed_;
  std::string folder_;
  BackendRequest backend_;
  std::mutex mutex_;  ///< protects source_
  ScenarioSource source_;
  TaskDescription task_;
};

}  // namespace nodia

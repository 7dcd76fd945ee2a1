/// One episode of a dataset, from its seed to its arrays.
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

/// Starts that are drawn for an episode before it is given up.
inline constexpr int kMostAttempts = 20;

/// `episode_000024`.
std::string episode_name(std::int64_t episode);

/// The options of an episode: episodes are made side by side.
SolverOptions with_one_thread(SolverOptions solver);

/// What somebody else may want to see of an episode that is being made.
struct EpisodeWatch {
  /// Asked before every control step: where it says so, the episode is given up.
  std::function<bool()> stop = {};
  /// Before the first control step of an episode, once.
  std::function<void(const Scenario&, const TaskEnvironments&)> begin = {};
  /// Every time step.
  std::function<void(const StepView&)> step = {};
  /// After the last control step of all that are made together, while the environments are there.
  std::function<void()> end = {};
  /// Control steps that are made at most; none: all.
  std::optional<int> most_steps = {};
};

/// Makes episodes of a request; from several threads at once.
class EpisodeMaker {
 public:
  /// @param folder   of the dataset; what an episode tells of errors does not name it
  /// @param backend  where episodes are stepped; no bit of them depends on it
  /// @throws InputError for a scenario that cannot be read
  EpisodeMaker(const DatasetRequest& request, std::string folder,
               BackendRequest backend = {"cpu", {}});

  /// The attributes and arrays of docs/datasets.md: a function of the request, the episode's number
  /// and who acts alone. @return nothing where `watch` stopped it
  std::optional<ArrayGroup> make(std::int64_t episode, const ActorMaker& actors,
                                 const EpisodeWatch& watch = {});

  /// Episodes [first, end), stepped side by side as far as one simulation can have them: each as
  /// alone. @return nothing where `watch` stopped them
  /// @throws InputError where the backend cannot be had
  std::optional<std::vector<ArrayGroup>> make(std::int64_t first, std::int64_t end,
                                              const ActorMaker& actors,
                                              const EpisodeWatch& watch = {});

  const TaskDescription& task() const { return task_; }

 private:
  class Several;

  Scenario drawn(const DrawSeed& key);
  std::string without_folder(std::string text) const;
  SolverOptions solver_of(const Scenario& scenario, int n_env) const;

  std::uint64_t seed_;
  std::string folder_;
  BackendRequest backend_;
  std::mutex mutex_;  ///< of the source
  ScenarioSource source_;
  TaskDescription task_;
};

}  // namespace nodia

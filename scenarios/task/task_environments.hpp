/// Batch of environments of a task: takes actions, returns observations, rewards and ends of
/// episodes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/checkpoint.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/task/action_map.hpp"
#include "scenarios/task/noise.hpp"
#include "scenarios/task/observer.hpp"
#include "scenarios/task/settle.hpp"
#include "scenarios/task/success.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Causes of failure other than a time step without a solution.
enum class TaskFault : std::uint8_t {
  none,
  bad_start,       ///< a step of settling had no solution
  bad_action,      ///< a component is not a finite number
  bad_observation  ///< a value is outside its bounds
};
constexpr auto words_of(TaskFault) {
  return std::array{Word{TaskFault::none, "none"}, Word{TaskFault::bad_start, "bad_start"},
                    Word{TaskFault::bad_action, "bad_action"},
                    Word{TaskFault::bad_observation, "bad_observation"}};
}

/// Report of an environment's last control step.
struct TaskReport {
  bool terminated = false;  ///< success or failure
  bool truncated = false;   ///< the time limit of the episode was reached
  bool success = false;
  bool failed = false;  ///< a time step had no solution, or there was a TaskFault
  double reward = 0;
  SolveStatus status = SolveStatus::converged;  ///< worst status of the control step's time steps
  int step = 0;  ///< first time step of the episode with this status; the last one if converged
  TaskFault fault = TaskFault::none;  ///< none if a time step caused the failure
  std::string cause;                  ///< reason of the status or the fault; may be empty
  std::vector<int> clipped;           ///< clipped components of the action, see AppliedAction

  bool ended() const { return terminated || truncated; }
};

/// Everything that later control steps of one environment depend on.
struct TaskCheckpoint {
  Checkpoint simulation;
  ArchivedBytes episode;
};

/// Start of the first episodes of TaskEnvironments.
enum class FirstEpisode : std::uint8_t {
  with_the_object,  ///< the constructor starts them in its scenes
  by_reset          ///< reset() starts them; the scenes of the constructor only define the spaces
};

/// Sampled properties of an episode that are not part of its scene.
struct EpisodeDraw {
  DrawSeed drawn_by;               ///< seed of the noise
  std::optional<int> delay_steps;  ///< replaces that of the task
};

/// N environments of one task in one Simulation. The results of an environment do not depend on the
/// others: they equal those of the environment alone, bit for bit.
///
/// An episode starts with reset(), or with the constructor, at time 0. It lasts until its report is
/// ended(). After its end the environment keeps its report and observations and ignores actions
/// until reset(). Before its first episode the observations of an environment are zero.
class TaskEnvironments {
 public:
  /// @param scenes  one per environment; all must have equal action and observation spaces
  /// @param draws   one per environment; empty: defaults
  /// @throws InputError if the task, the scenes or the draws break a rule
  TaskEnvironments(std::vector<Scene> scenes, const SolverOptions& solver, TaskDescription task,
                   std::vector<EpisodeDraw> draws = {},
                   FirstEpisode first = FirstEpisode::with_the_object);

  int n_env() const { return static_cast<int>(episodes_.size()); }
  const TaskDescription& task() const { return task_; }
  const std::vector<ActionComponent>& action_space() const { return action_space_; }
  const std::vector<Observable>& observation_space() const { return observed_; }
  int steps_per_action() const { return period_; }       ///< time steps per control step
  int actions_per_episode() const { return n_action_; }  ///< control steps until truncation
  const Simulation& simulation() const { return simulation_; }
  /// Number of time steps of settling, summed over all episodes of all environments.
  std::int64_t settle_steps() const { return n_settle_step_; }

  /// Starts an episode of an environment in this scene.
  /// @return result of settling. If the task has no `settle`: at rest after 0 s
  /// @throws InputError if a rule is broken, or if the spaces differ from those of the others
  Settled reset(int env, Scene scene, const EpisodeDraw& draw = {});
  /// Starts episodes of several environments, which settle in parallel.
  /// @param envs  without repetition
  std::vector<Settled> reset(const std::vector<int>& envs, std::vector<Scene> scenes,
                             std::vector<EpisodeDraw> draws = {});

  /// @throws InputError if the first episode has not begun
  TaskCheckpoint save(int env);
  /// Continues from a checkpoint of an episode with the same scene and task. Later control steps
  /// equal those after save() bit for bit, also in another object.
  /// @throws InputError if the scene of the running episode is another; nothing has changed then
  void load(int env, const TaskCheckpoint& checkpoint);
  /// Starts an episode in this scene without settling. load() can then continue a checkpoint of
  /// this scene. @throws InputError like reset()
  void place(int env, Scene scene, const EpisodeDraw& draw);

  /// Result of settling that reset() returned. After place() its state is that of the scene.
  const Settled& settled(int env) const { return episode(env).settled; }

  /// Advances every environment whose episode has not ended by one control step.
  /// @param actions  [n_env x action_space().size()], one row per environment. A number that is not
  ///                 finite fails its environment. Rows of ended episodes are ignored
  /// @param each     called for every time step of these environments, like in Simulation::steps()
  /// @throws InputError if the number of values is wrong, or if an episode has not started
  void step(const std::vector<double>& actions,
            const std::function<void(const StepView&)>& each = {});

  const TaskReport& report(int env) const { return episode(env).report; }
  /// Observations of observation_space()[k] with noise, [n_env x its size()].
  const std::vector<double>& observation(int k) const {
    return observation_.at(static_cast<std::size_t>(k));
  }
  /// Observations without noise.
  const std::vector<double>& true_observation(int k) const {
    return task_.noise ? true_observation_.at(static_cast<std::size_t>(k)) : observation(k);
  }
  /// Delay of the episode's actions in control steps.
  int delay_steps(int env) const { return episode(env).delay; }
  /// Last action without clipping: action_space().size() numbers. Empty before the first action.
  const std::vector<double>& action(int env) const { return episode(env).action; }
  /// Targets at the end of the last control step, of the action that took effect in it.
  const ActionTargets& targets(int env) const { return episode(env).targets; }
  /// Action that follows the scene's paths in the control step in which it takes effect, clipped to
  /// the bounds.
  std::vector<double> script_action(int env) const;

 private:
  struct Episode {
    explicit Episode(std::vector<Observable> observed) : observer(std::move(observed)) {}

    Observer observer;
    Settled settled;
    std::optional<ActionMap> map;
    std::optional<SuccessWatch> success;
    ActionTargets targets;
    std::vector<double> action;
    std::deque<std::vector<double>> waiting;  ///< actions that have not taken effect, oldest first
    int delay = 0;                            ///< control steps until an action takes effect
    std::optional<Noise> noise;
    TaskReport report;
    TaskFault fault = TaskFault::none;  ///< fails the environment in its next control step
    std::string fault_text;             ///< message of the fault
    int n_action = 0;                   ///< completed control steps

    /// Saves or loads all members that the scene, the task and the draw do not determine.
    void archive(Archive& a);
  };

  const Episode& episode(int env) const { return episodes_.at(static_cast<std::size_t>(env)); }
  Episode& episode(int env) { return episodes_.at(static_cast<std::size_t>(env)); }
  /// @throws InputError if the task does not fit the scenes, or their spaces differ
  void require_fitting(const std::vector<int>& envs, const std::vector<Scene>& scenes) const;
  void require_equal_spaces(int env, const Scene& scene) const;
  void require_begun(int env) const;
  /// @param fresh  true if the simulation was built from these scenes and has not stepped
  std::vector<Settled> start(const std::vector<int>& envs, std::vector<Scene> scenes,
                             std::vector<EpisodeDraw> draws, bool fresh);
  int delay_of(const EpisodeDraw& draw) const;
  void begin(int env, const Settled& settled, const EpisodeDraw& draw);
  /// Targets after an action. Without an action (null) the targets stay, clipped to the bounds.
  AppliedAction applied(const ActionMap& map, const std::vector<double>* action,
                        const ActionTargets& now, double end_s) const;
  void command(int env, const double* action);
  void watch(const StepView& view);
  void observe(int env);
  void conclude(int env);

  TaskDescription task_;
  SolverOptions solver_;
  Simulation simulation_;
  std::vector<ActionComponent> action_space_;
  std::vector<Observable> observed_;
  int period_, n_action_;
  std::int64_t n_settle_step_ = 0;
  std::deque<Episode> episodes_;
  /// By observable: [n_env x size()]. true_observation_ is empty if the task has no noise.
  std::vector<std::vector<double>> observation_, true_observation_;
};

}  // namespace nodia

/// Environments that a learner steps: actions in, observations, rewards and ends out.
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

/// What fails an environment beside a step without an answer.
enum class TaskFault : std::uint8_t {
  none,
  bad_start,       ///< settling had no answer
  bad_action,      ///< a component is no finite number
  bad_observation  ///< a value left its bounds
};
constexpr auto words_of(TaskFault) {
  return std::array{Word{TaskFault::none, "none"}, Word{TaskFault::bad_start, "bad_start"},
                    Word{TaskFault::bad_action, "bad_action"},
                    Word{TaskFault::bad_observation, "bad_observation"}};
}

/// What an environment's last control step brought.
struct TaskReport {
  bool terminated = false;  ///< success, or a failure
  bool truncated = false;   ///< the episode's time is over
  bool success = false;
  bool failed = false;  ///< stands still: a step without an answer, a bad action, a bad observation
  double reward = 0;
  SolveStatus status = SolveStatus::converged;  ///< the worst of the control step's steps
  int step = 0;  ///< of the episode: the first that ended so; of converged the last
  TaskFault fault = TaskFault::none;  ///< none of who did not fail, or failed by its status
  std::string cause;                  ///< in words, where the status does not say it all
  std::vector<int> clipped;           ///< components of the action, see AppliedAction

  bool ended() const { return terminated || truncated; }
};

/// Everything that the coming control steps of one environment depend on, as a value.
struct TaskCheckpoint {
  Checkpoint simulation;
  ArchivedBytes episode;
};

/// When the first episodes of TaskEnvironments begin.
enum class FirstEpisode : std::uint8_t {
  with_the_object,  ///< in the scenes that it is made of
  by_reset          ///< the scenes say how things are, nothing settles; reset() comes before step()
};

/// What an episode has beside its scene.
struct EpisodeDraw {
  DrawSeed drawn_by;               ///< draws the noise
  std::optional<int> delay_steps;  ///< in the place of the task's
};

/// N environments of one task in one Simulation. Every one gives the bits that it gives alone,
/// whatever the others do.
///
/// An episode begins with reset() (the first also with the object), its clock at 0, and lasts until
/// its report is ended(); from then on the environment keeps its report and observations, and takes
/// no actions, until it is reset. Before its first episode an environment has observations of zero.
class TaskEnvironments {
 public:
  /// @param scenes  one an environment; the spaces of all must be equal
  /// @param draws   of their episodes, as many; none: all as they are by default
  /// @throws InputError
  TaskEnvironments(std::vector<Scene> scenes, const SolverOptions& solver, TaskDescription task,
                   std::vector<EpisodeDraw> draws = {},
                   FirstEpisode first = FirstEpisode::with_the_object);

  int n_env() const { return static_cast<int>(episodes_.size()); }
  const TaskDescription& task() const { return task_; }
  const std::vector<ActionComponent>& action_space() const { return action_space_; }
  const std::vector<Observable>& observation_space() const { return observed_; }
  int steps_per_action() const { return period_; }       ///< of the solver in a control step
  int actions_per_episode() const { return n_action_; }  ///< of one that nothing ends before
  const Simulation& simulation() const { return simulation_; }
  /// That environments made to come to rest, in all since the object is there.
  std::int64_t settle_steps() const { return n_settle_step_; }

  /// Begins an episode of an environment in this scene; nothing of before counts.
  /// @return how it settled; at rest after no time where the task does not settle
  /// @throws InputError also where its spaces differ from those of the others
  Settled reset(int env, Scene scene, const EpisodeDraw& draw = {});
  /// The same for several, which settle side by side. @param envs  each once
  std::vector<Settled> reset(const std::vector<int>& envs, std::vector<Scene> scenes,
                             std::vector<EpisodeDraw> draws = {});

  /// @throws InputError if the first episode has not begun
  TaskCheckpoint save(int env);
  /// Continues from a checkpoint of an episode with the same scene and task. The control steps from
  /// here have the bits of those after save(), in another object too.
  /// @throws InputError if the scene of the running episode is another; nothing has changed then
  void load(int env, const TaskCheckpoint& checkpoint);
  /// Begins an episode in this scene without settling it, so that load() can continue an episode of
  /// another scene than the running one. @throws InputError as reset()
  void place(int env, Scene scene, const EpisodeDraw& draw);

  /// How the episode's start came to rest, as reset() returned it. After place(): the scene's
  /// start.
  const Settled& settled(int env) const { return episode(env).settled; }

  /// A control step of every environment whose episode has not ended.
  /// @param actions  [n_env x action_space().size()], an environment a row. A row with a number
  ///                 that is not finite fails its environment; those of ended ones are not read
  /// @param each     is called for every step of those environments, as by Simulation::steps
  /// @throws InputError where there are more or fewer numbers, or an episode has not begun
  void step(const std::vector<double>& actions,
            const std::function<void(const StepView&)>& each = {});

  const TaskReport& report(int env) const { return episode(env).report; }
  /// Of observation_space()[k], with its noise: [n_env x its size()].
  const std::vector<double>& observation(int k) const {
    return observation_.at(static_cast<std::size_t>(k));
  }
  /// The same without noise.
  const std::vector<double>& true_observation(int k) const {
    return task_.noise ? true_observation_.at(static_cast<std::size_t>(k)) : observation(k);
  }
  /// Control steps by which the episode's actions take effect later.
  int delay_steps(int env) const { return episode(env).delay; }
  /// The last action as it was given: action_space().size() numbers, none before the first.
  const std::vector<double>& action(int env) const { return episode(env).action; }
  /// What was wanted at the end of the last control step, by the action that then took effect.
  const ActionTargets& targets(int env) const { return episode(env).targets; }
  /// The action that follows the scene's paths through the control step in which it takes effect,
  /// as far as the bounds of actions let it.
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
    int delay = 0;                            ///< control steps until they do
    std::optional<Noise> noise;
    TaskReport report;
    TaskFault fault = TaskFault::none;  ///< by which it fails in its next step
    std::string fault_text;             ///< the same in words
    int n_action = 0;

    /// All of it but what the scene, the task and the draw decide.
    void archive(Archive& a);
  };

  const Episode& episode(int env) const { return episodes_.at(static_cast<std::size_t>(env)); }
  Episode& episode(int env) { return episodes_.at(static_cast<std::size_t>(env)); }
  /// @throws InputError where the environments cannot have these scenes
  void require_fitting(const std::vector<int>& envs, const std::vector<Scene>& scenes) const;
  void require_equal_spaces(int env, const Scene& scene) const;
  void require_begun(int env) const;
  /// @param fresh  the simulation has these scenes, at their start
  std::vector<Settled> start(const std::vector<int>& envs, std::vector<Scene> scenes,
                             std::vector<EpisodeDraw> draws, bool fresh);
  int delay_of(const EpisodeDraw& draw) const;
  void begin(int env, const Settled& settled, const EpisodeDraw& draw);
  /// Applies an action to targets; without one they stay, as far as the bounds let them.
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
  /// Per observable. The true ones are kept where there is noise.
  std::vector<std::vector<double>> observation_, true_observation_;
};

}  // namespace nodia

/// Environments of a task behind nodia._core.Task: one caller at a time.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/backend/backend.hpp"
#include "python/bindings/episodes.hpp"
#include "python/bindings/step_reports.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia::python {

class LiveTask {
 public:
  /// @param threads  replaces solver.threads
  /// @throws InputError if the tasks or solver settings of the episodes differ, or the backend is
  /// not available
  LiveTask(Episodes episodes, std::optional<int> threads, const BackendRequest& backend);

  int n_env() const { return static_cast<int>(episodes_.size()); }
  const ResolvedBackend& backend() const { return backend_; }
  /// The environments between two control steps, for one read.
  /// @param env  environment to read
  /// @throws RuntimeError while another thread steps them, std::out_of_range for an unknown
  /// environment
  const TaskEnvironments& still(int env = 0) const;
  const Scenario& episode(int env) const;
  /// End of the last step of the episode; empty before its first step.
  std::optional<StepView> last_step(int env) const;

  /// TaskEnvironments::reset(). @throws InputError if an episode has another task or solver
  std::vector<Settled> reset(const std::vector<int>& envs, Episodes episodes);
  /// TaskEnvironments::step(). @return reports of the environments whose episodes had not ended
  StepReports step(const std::vector<double>& actions);
  /// TaskEnvironments::save().
  TaskCheckpoint save(int env);
  /// Continues from checkpoints. An environment with another episode is first placed in that of its
  /// checkpoint.
  /// @param envs      environments, without repetition
  /// @param episodes  episode of each checkpoint
  /// @throws InputError if a checkpoint has another task or scene. Nothing has changed then
  void load(const std::vector<int>& envs, const Episodes& episodes,
            const std::vector<TaskCheckpoint>& checkpoints);

 private:
  Episodes episodes_;
  ResolvedBackend backend_;
  std::unique_ptr<TaskEnvironments> environments_;
  std::string text_of_steps_;  ///< text_of_steps() of the task
  std::vector<char> begun_;    ///< by environment: 1 if episodes_ has its episode
  std::vector<char> stepped_;  ///< by environment: 1 if its episode has a last step
  mutable std::atomic<bool> busy_ = false;
};

}  // namespace nodia::python

/// Environments of a task as Python holds them: one caller at a time.
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
  /// @param threads  in the place of solver.threads
  /// @throws InputError where the episodes do not agree on the task and the solver, or the backend
  /// cannot be had
  LiveTask(Episodes episodes, std::optional<int> threads, const BackendRequest& backend);

  int n_env() const { return static_cast<int>(episodes_.size()); }
  const ResolvedBackend& backend() const { return backend_; }
  /// The environments at rest, for one look.
  /// @param env  that is looked at
  /// @throws RuntimeError while another thread steps them, std::out_of_range for an unknown one
  const TaskEnvironments& still(int env = 0) const;
  const Scenario& episode(int env) const;
  /// The end of the last step of the episode; nothing where there was none.
  std::optional<StepView> last_step(int env) const;

  /// As TaskEnvironments. @throws InputError where an episode has another task or solver
  std::vector<Settled> reset(const std::vector<int>& envs, Episodes episodes);
  /// As TaskEnvironments. @return of the environments whose episodes had not ended
  StepReports step(const std::vector<double>& actions);
  /// As TaskEnvironments.
  TaskCheckpoint save(int env);
  /// Continues from checkpoints. An environment whose episode is another one is placed in it first.
  /// @param envs      each once
  /// @param episodes  that the checkpoints are of
  /// @throws InputError if a checkpoint is of another task or scene; nothing has changed then
  void load(const std::vector<int>& envs, const Episodes& episodes,
            const std::vector<TaskCheckpoint>& checkpoints);

 private:
  Episodes episodes_;
  ResolvedBackend backend_;
  std::unique_ptr<TaskEnvironments> environments_;
  std::string text_of_steps_;  ///< of the task
  std::vector<char> begun_;    ///< by environment: episodes_ has its episode
  std::vector<char> stepped_;  ///< by environment: its episode has a last step
  mutable std::atomic<bool> busy_ = false;
};

}  // namespace nodia::python

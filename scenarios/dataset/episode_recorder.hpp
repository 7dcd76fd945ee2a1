/// Records the arrays of one episode while it is simulated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/io/array_file.hpp"
#include "host/simulation/contact_quantities.hpp"
#include "scenarios/dataset/quality.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// Records one environment from the start of an episode on.
class EpisodeRecorder {
 public:
  /// @param environments  must outlive this object
  EpisodeRecorder(const TaskEnvironments& environments, int env);

  /// Adds a time step of the environment.
  void see(const StepView& view);
  /// Adds a row for a control step. Call it after each control step of the episode.
  void end_control_step();
  /// Number of recorded control steps.
  int n_step() const { return n_step_; }

  /// Adds all arrays of docs/datasets.md (`time_s`, `action`, ...) to `episode`.
  void add_to(ArrayGroup* episode) const;

 private:
  /// Quantities that the task's `record` selects, at one time.
  struct Recorded {
    State state;
    std::vector<Wrench> sensors;
    ContactRecord contacts = empty_contact_record(&ContactQuantity::in_dataset);
  };

  void observe();
  void add_targets(ArrayGroup* episode) const;
  void add_observations(ArrayGroup* episode) const;
  void add_start(ArrayGroup* episode) const;
  void add_recorded(ArrayGroup* episode) const;
  void add_contacts(ArrayGroup* episode) const;

  const Scene& scene() const { return environments_.simulation().scene(env_); }
  /// This environment's part of an observation. @param values  [n_env x size of observation k]
  std::span<const double> own(const std::vector<double>& values, std::size_t k) const;

  const TaskEnvironments& environments_;
  int env_;
  Objects objects_;
  QualityRecorder quality_;
  int n_step_ = 0;
  State start_;
  std::vector<double> time_s_;
  std::vector<float> action_;
  std::vector<ActionTargets> targets_;
  std::vector<std::vector<float>> observations_;  ///< by observation: [n_step + 1, size]
  std::vector<std::vector<float>> truth_;         ///< without noise; empty if the task has no noise
  std::vector<double> reward_;
  std::vector<std::uint8_t> success_, terminated_, truncated_;
  Recorded last_;  ///< quantities of the last time step
  std::vector<std::int32_t> recorded_step_;
  std::vector<Recorded> recorded_;
};

/// Rounds an action to float32; the same values act and are recorded. A component inside its bounds
/// stays inside; a component outside them is rounded to the nearest float32.
std::vector<double> recordable_action(std::vector<double> action,
                                      const std::vector<ActionComponent>& components);

}  // namespace nodia

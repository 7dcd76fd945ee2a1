/// The arrays of one episode while it lasts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/io/array_file.hpp"
#include "host/io/vtkhdf.hpp"
#include "scenarios/dataset/quality.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// Of one environment, from the start of an episode on.
class EpisodeRecorder {
 public:
  /// @param environments  outlives this object
  EpisodeRecorder(const TaskEnvironments& environments, int env);

  /// A time step of the environment.
  void see(const StepView& view);
  /// After a control step in which its episode went on.
  void end_control_step();
  int n_step() const { return n_step_; }

  /// All arrays, `time_s`, `action`, ...
  void add_to(ArrayGroup* episode) const;

 private:
  struct Recorded {
    State state;
    std::vector<Wrench> sensors;
    std::vector<RecordedContact> contacts;
  };

  void observe();
  void add_targets(ArrayGroup* episode) const;
  void add_observations(ArrayGroup* episode) const;
  void add_start(ArrayGroup* episode) const;
  void add_recorded(ArrayGroup* episode) const;
  void add_contacts(ArrayGroup* episode) const;

  const Scene& scene() const { return environments_.simulation().scene(env_); }
  /// Its part of what all environments have. @param values  [n_env x observation k]
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
  std::vector<std::vector<float>> observations_;  ///< by observable
  std::vector<std::vector<float>> truth_;         ///< the same without noise, where there is some
  std::vector<double> reward_;
  std::vector<std::uint8_t> success_, terminated_, truncated_;
  Recorded last_;  ///< of the last time step seen
  std::vector<std::int32_t> recorded_step_;
  std::vector<Recorded> recorded_;
};

/// An action as it acts and as it is recorded: each component the nearest float32 that is not
/// farther out than its bounds.
std::vector<double> recordable_action(std::vector<double> action,
                                      const std::vector<ActionComponent>& components);

}  // namespace nodia

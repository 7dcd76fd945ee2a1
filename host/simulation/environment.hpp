/// One environment of a batch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "host/simulation/device_end.hpp"
#include "host/simulation/environment_data.hpp"
#include "host/simulation/environment_model.hpp"
#include "host/simulation/environment_step.hpp"
#include "host/simulation/simulation.hpp"
#include "host/simulation/step_measurement.hpp"

namespace nodia {

/// The bodies of a scene and their state. Rows are counted from 0. Environments share no mutable
/// data, so different threads can advance different environments at the same time.
///
/// A step runs through step(). If a solver stores the end of a step on its device (device_end()),
/// the functions below that return states or contacts download it first.
class Environment final : public StepSource {
 public:
  /// @param pool  shares topologies between equal scenes
  /// @throws InputError for a bad scene
  Environment(Scene scene, TopologyPool* pool);

  /// Scene, bodies, constraints and contact detection.
  const EnvironmentModel& model() const { return model_; }
  EnvironmentStep& step() { return step_; }
  const EnvironmentStep& step() const { return step_; }
  DeviceEnd& device_end() { return device_end_; }
  const DeviceEnd& device_end() const { return device_end_; }

  const State& state() const override {
    data_.download();
    return *data_.state;
  }
  /// Shared snapshot of the state. Immutable; safe to keep.
  std::shared_ptr<const State> shared_state() const {
    data_.download();
    return data_.state;
  }
  double time_s() const { return data_.state->time_s; }
  int n_step() const { return data_.state->step; }
  /// Contacts of the last completed step.
  StepContactsView contacts() const override;
  /// Poses of the robots' links in the state, robot by robot.
  std::vector<Pose> link_poses() const;
  /// Poses of the obstacles at the state's time.
  std::vector<Pose> obstacle_poses() const;
  /// Poses of the frames of the attachments at the state's time.
  std::vector<Pose> attachment_poses() const;
  /// End of the step that `record` describes.
  StepView view(const StepRecord& record) const;

  void set_rules(const StepRules& rules) { data_.rules = rules; }

  void set_state(State state);
  /// Targets of drives and frames, see Simulation.
  TargetCommands& commands() { return model_.commands; }
  void set_holding(const std::string& attachment, bool holds);

  /// Everything but the solver's state.
  Checkpoint save() const;
  /// @throws InputError if the checkpoint belongs to another scene; changes nothing then
  void load(const Checkpoint& checkpoint);
  /// A failed environment stays at its last finite state and is inactive in further steps:
  /// A = M/(theta t), b = 0, v = 0, no contacts.
  bool failed() const { return data_.failed; }
  /// Record of the last step of a failed environment that was loaded from a checkpoint.
  StepRecord failure_record() const { return measurement_.failure_record(); }

 private:
  void start_overlap_watch();

  EnvironmentData data_;
  EnvironmentModel model_;
  StepMeasurement measurement_;
  EnvironmentStep step_;
  DeviceEnd device_end_;
};

}  // namespace nodia

/// Manages the end of an environment's last step while it is device-resident.
#pragma once

#include <span>
#include <vector>

#include "host/simulation/environment_step.hpp"

namespace nodia {

/// If a solver generates the contacts on its device, state, solution and contacts at the end of a
/// step stay there until a caller reads them or the host builds a step.
class DeviceEnd {
 public:
  /// @param model, data, measurement, step  of the environment; kept by reference
  DeviceEnd(EnvironmentModel* model, EnvironmentData* data, StepMeasurement* measurement,
            EnvironmentStep* step)
      : model_(*model), data_(*data), measurement_(*measurement), step_(*step) {}

  /// Contacts that the solver has to generate; null if it cannot generate all contacts.
  const std::shared_ptr<const ObstacleContacts>& obstacle_contacts() {
    return model_.obstacle_contacts();
  }
  /// True if the end of the last step is on the device.
  bool is_on_device() const { return data_.is_on_device(); }
  /// Downloads the end of the last step if it is on the device.
  void download() const { data_.download(); }
  /// True if the coming step can only be prepared after download().
  bool must_download() const { return is_on_device() && !model_.commands.fault().empty(); }

  /// True if the k-th step after the prepared one, k >= 0, differs from it only in the poses of
  /// obstacles. Requires that all steps in between do the same and stay on the device.
  bool can_prefetch(int k) const;
  /// Poses of the obstacles in the k-th step after the prepared one, k >= 1, until the next call.
  std::span<const ObstacleMotion> prefetched_poses(int k);

  /// Advances to the end of a prepared step of an active environment. The end stays on the device.
  /// @param record  out: all but env and times
  /// @return false if the host must finish the step: download_start(), then finish()
  bool keep_on_device(const DeviceReport& report, StepRecord* record);
  /// Takes the start state and the contacts of a prepared step whose end is not device-resident.
  void download_start(const DownloadedStep& step);
  /// Takes the end of the last step. @param v_hat, lambda  solution of the step
  void download_end(const DownloadedStep& step, const Vec3d* v_hat, const Vec3d* lambda);
  /// Takes the start state and the initial guess of a prepared step that the solver has rejected:
  /// the end of the last step, without its contacts. The coming step must be prepared again.
  /// @param v_hat, lambda  solution of the last step, at step.near and step.pairs with forces
  void roll_back(const DownloadedStep& step, const Vec3d* v_hat, const Vec3d* lambda);

 private:
  void set_start(const DownloadedStep& step);

  EnvironmentModel& model_;
  EnvironmentData& data_;
  StepMeasurement& measurement_;
  EnvironmentStep& step_;
  std::vector<ObstacleMotion> prefetched_poses_;
  double start_s_ = 0;  ///< time at the start of the kept step
  int start_step_ = 0;  ///< number of steps before it
};

}  // namespace nodia

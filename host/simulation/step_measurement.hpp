/// Measures forces, energies and overlaps of a step for its record.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/simulation/environment_data.hpp"
#include "host/simulation/environment_model.hpp"

namespace nodia {

/// Report of a step without a finite solution.
SolveReport not_a_number(const std::string& reason);

class StepMeasurement {
 public:
  /// @param model, data  of the environment; kept by reference
  StepMeasurement(EnvironmentModel* model, EnvironmentData* data);

  /// Measures mounts and force sensors for the next measure(), with state and kinematics of the
  /// step's start.
  void measure_sensors(const StepSolution& solution);
  /// Measures a step whose end is in the environment's state; a failed step has NaN.
  /// @param start   times and frames at the start of the step
  /// @param record  out: sensors, overlaps, forces and energies
  void measure(const State& start, const StepSolution& solution, StepRecord* record);
  /// Fills the record of a step whose end stays on the device from the device's sums.
  /// @param record  out: all but env and times
  void measure(const DeviceReport& on_device, StepRecord* record);
  /// Record of the last step of a failed environment that was loaded from a checkpoint.
  StepRecord failure_record() const;

 private:
  void measure_efforts(const Vec3d* v_hat, StepRecord* record);
  void break_mounts(StepRecord* record);
  void set_nan(StepRecord* record) const;
  void name_worst_body(StepRecord* record) const;
  void name_key_of_cables(StepRecord* r) const;
  void evaluate_overlaps(StepRecord* record);
  FastestTurn fastest_turn() const;
  void evaluate_energy(const StepSolution& solution, const BodyEnergies& energies,
                       StepRecord* record);
  std::string reason_of_created_energy() const;
  void add_totals(std::span<const AttachmentSums> attachment_sums, const BodyEnergies& bodies,
                  StepRecord* record) const;

  EnvironmentModel& model_;
  EnvironmentData& data_;
  double mass_kg_ = 0;                 ///< of all bodies but robots
  std::vector<Wrench> mounts_;         ///< wrenches of the mounts in this step
  std::vector<Wrench> force_sensors_;  ///< Force sensors of robots in this step.
  ContactFinder::EndOfStep end_of_step_;
  std::vector<Vec3d> force_on_side_;  ///< Scratch of obstacle_force().
  std::vector<Vec3d> v_bodies_;       ///< [n_row] v_hat, zero in the rows of robots
};

}  // namespace nodia

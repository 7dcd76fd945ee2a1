/// The stages of a time step in one environment on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "host/simulation/environment_data.hpp"
#include "host/simulation/environment_model.hpp"
#include "host/simulation/free_motion.hpp"
#include "host/simulation/step_measurement.hpp"

namespace nodia {

/// The stages of a step in the order of run_step(): start, assemble, predict, detect, contacts,
/// finish. If a device makes the contacts, prepare() replaces all stages before finish().
class EnvironmentStep {
 public:
  /// @param model, data, measurement  of the environment; kept by reference
  EnvironmentStep(EnvironmentModel* model, EnvironmentData* data, StepMeasurement* measurement);

  /// Sets kinematics, external forces and the loads of attachments at the start of the step.
  void start(int n_thread);
  /// Computes A and b. If they are not finite, the environment is inactive and finish() fails.
  /// @param A_value, b  out: this environment's blocks and rows
  void assemble(double* A_value, Vec3d* b);
  /// Computes the free motion from A and b. It bounds the distance at which pairs are searched.
  void predict(const double* A_value, const Vec3d* b);
  /// Expects this solution where A and b depend on what is expected: the external forces on robots
  /// if drives then reach other effort limits, and the motion of frames with joints.
  /// @param v_hat  [n_row] [m/s]
  /// @param share  of the change from what was expected before, in (0, 1]
  /// @return true if the step has to be assembled and solved again
  bool expect(const Vec3d* v_hat, double share);
  /// Finds the candidate pairs.
  void detect();
  /// Makes the contacts of the pairs.
  void make_contacts();
  /// If a point tunnels in this solution without being in a pair, or the rotation of a body causes
  /// an overlap, finds the pairs again, also those that the bodies reach with the velocities of the
  /// solution, and evaluates them in it (ContactFinder::turn()).
  /// @param v_hat   [n_row] [m/s]
  /// @param lambda  [n_contact] [N]
  /// @return true if the step has to be solved again
  bool detect_again(const Vec3d* v_hat, const Vec3d* lambda);

  /// Starts a step for which a device makes A, b and contacts. Writes only the rows of an inactive
  /// environment. Requires DeviceEnd::obstacle_contacts().
  /// @param on_host_too  also makes A, b and contacts on the host; requires a state on the host
  void prepare(int n_thread, bool on_host_too, double* A_value, Vec3d* b);
  /// Finds contacts for a method that needs no matrix.
  /// @return false if the step cannot be solved; finish() fails then
  bool find_contacts(int n_thread);

  /// Describes the terms of A and b of the built step. Valid until the step is finished.
  void describe(SoftSource* source) const;
  /// Same for a prepared step, contacts included.
  void describe_all(SoftSource* source);
  const EnvironmentContacts& contacts() const { return data_.contacts; }
  /// Writes the contacts of the built step with the rows and points of the merged problem.
  /// @param first_row    first row of the environment in the merged problem
  /// @param first_point  index of its first point as a side of a contact there
  /// @param contacts     out: [n_contact]
  void put_contacts(std::int32_t first_row, std::int32_t first_point,
                    Contact<double>* contacts) const;
  /// Writes the initial guess of the contact forces. @param lambda  out: [n_contact]
  void put_forces(Vec3d* lambda) const;
  /// Writes the initial guess of the velocities. @param v  out: [n_row]
  void put_velocities(Vec3d* v) const;

  /// Advances to the end of the step if the solution is finite; otherwise the environment fails.
  /// Must not be called for a failed environment.
  /// @param record  out: all but env and times
  void finish(const StepSolution& solution, StepRecord* record);

  /// Updates the loads of attachments after the start state of a prepared step was downloaded.
  void update_loads();

 private:
  void begin_soft_bodies();
  void set_loads();
  bool is_input_finite() const;
  bool are_loads_finite() const;
  bool expect_forces(const Vec3d* v_hat, double share);
  void put_inactive_rows(double* A_value, Vec3d* b) const;
  void find_pairs(const std::vector<Vec3d>& v_now);
  bool advance(const StepSolution& solution);
  bool set_end(const Vec3d* v_hat, const Vec3d* lambda);

  EnvironmentModel& model_;
  EnvironmentData& data_;
  StepMeasurement& measurement_;
  FreeMotion free_motion_;
  std::vector<std::int32_t> attached_nodes_;  ///< nodes that attachments can hold, ascending
  std::vector<Vec3d> force_;      ///< [n_node] attachment forces; zero except at attached nodes [N]
  std::vector<double> diagonal_;  ///< [n_node] attachment terms of A [kg/s]
  std::vector<char> soft_turns_;  ///< SoftStep::turns
  State end_;                     ///< end of the step by the solution of detect_again()
  bool has_end_ = false;          ///< end_ belongs to the current solution
  std::vector<Vec3d> v_hat_;      ///< [n_row] Scratch of detect_again().
};

}  // namespace nodia

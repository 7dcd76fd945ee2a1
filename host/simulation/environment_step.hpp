/// One time step of one environment on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "host/simulation/environment_data.hpp"
#include "host/simulation/environment_model.hpp"
#include "host/simulation/free_motion.hpp"
#include "host/simulation/step_measurement.hpp"

namespace nodia {

/// Builds the rows and contacts of a step, and finishes the step with a solution:
///
///   build, find_contacts -> the solver solves the merged problem -> finish: advance, measure
///
/// If a solver generates the contacts, prepare() takes the place of build().
class EnvironmentStep {
 public:
  /// @param model, data, measurement  of the environment; kept by reference
  EnvironmentStep(EnvironmentModel* model, EnvironmentData* data, StepMeasurement* measurement);

  /// Assembles the rows. If they are not finite, finish() fails and the environment is inactive
  /// until then. find_contacts() must follow.
  /// @param A_value, b  out: this environment's blocks and rows
  void build(int n_thread, double* A_value, Vec3d* b);
  /// Same as build(), but leaves A, b and contacts to the solver. Writes only the rows of an
  /// inactive environment. The solver must support DeviceEnd::obstacle_contacts().
  /// @param finds_contacts  also makes A, b and contacts; the state must be on the host then
  void prepare(int n_thread, bool finds_contacts, double* A_value, Vec3d* b);
  /// Finds the contacts alone, for a method that needs no matrix.
  /// @return false if the step cannot be solved; finish() fails then
  bool detect(int n_thread);
  /// Search for the contacts of the built step; null if the environment is inactive.
  ProximitySearch* search();
  /// Completes the search.
  /// @param hits  same as in ProximitySearch::finish()
  void find_contacts(const std::vector<VertexHit>* hits);

  /// Describes the parts of A and b of the built step. Valid until the step is finished.
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
  void begin(int n_thread);
  void set_loads();
  bool is_input_finite() const;
  bool are_loads_finite() const;
  void assemble(int n_thread, double* A_value, Vec3d* b);
  void put_inactive_rows(double* A_value, Vec3d* b) const;
  bool advance(const StepSolution& solution);

  EnvironmentModel& model_;
  EnvironmentData& data_;
  StepMeasurement& measurement_;
  FreeMotion free_motion_;
  std::vector<std::int32_t> held_nodes_;  ///< Nodes that attachments may hold, ascending.
  std::vector<Vec3d> force_;              ///< [n_node] of attachments; zero but at held nodes [N]
  std::vector<double> diagonal_;  ///< [n_node] of attachments; zero but at held nodes [kg/s]
};

}  // namespace nodia

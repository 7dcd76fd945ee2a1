/// Error measures of an episode's control steps, recorded beside the labels.
#pragma once

#include <vector>

#include "host/io/array_file.hpp"
#include "scenarios/checks/momentum_balance.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// Worst values over the recorded control steps of an episode; NaN if a value is unknown.
struct WorstQuality {
  int n_unconverged = 0;  ///< control steps whose status is not converged
  double relative_residual = 0, natural_map_error = 0, certificate_J = 0, penetration_m = 0,
         force_balance_N = 0;
};

/// Records the error measures of one episode.
class QualityRecorder {
 public:
  /// @param start  state at time 0
  QualityRecorder(const Scene& scene, const State& start);

  /// Adds a time step.
  void see(const StepView& view);
  /// Completes the row of a control step from the time steps since the previous call.
  void end_control_step(const TaskReport& report);

  /// Adds the arrays `quality/...`, with one row for each control step.
  void add_to(ArrayGroup* episode) const;

 private:
  /// Values of one control step, as in docs/datasets.md.
  struct Row {
    SolveStatus status = SolveStatus::converged;
    double relative_residual = 0, natural_map_error = 0, error_estimate = 0, certificate_J = 0,
           penetration_m = 0, force_balance_N = 0, kinetic_energy_J = 0, potential_energy_J = 0;
    int n_clipped = 0, n_floor_ended = 0, n_fell_back = 0;
  };

  MomentumBalance balance_;
  Row open_;             ///< row of the current control step
  int n_estimated_ = 0;  ///< time steps of open_ with an error estimate
  std::vector<Row> rows_;
};

/// Computes the worst values from the arrays of a QualityRecorder.
WorstQuality worst_quality(const ArrayGroup& episode);

}  // namespace nodia

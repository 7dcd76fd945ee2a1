/// How good an episode's control steps are: what stands beside every label.
#pragma once

#include <vector>

#include "host/io/array_file.hpp"
#include "scenarios/checks/momentum_balance.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// The worst of an episode, or of what is known of it.
struct WorstQuality {
  int n_unconverged = 0;  ///< control steps whose status is not converged
  double relative_residual = 0, natural_map_error = 0, certificate_J = 0, penetration_m = 0,
         force_balance_N = 0;
};

/// Of one episode.
class QualityRecorder {
 public:
  /// @param start  the state at time 0
  QualityRecorder(const Scene& scene, const State& start);

  /// A time step.
  void see(const StepView& view);
  /// The control step of the time steps since the last one is over.
  void end_control_step(const TaskReport& report);

  /// Arrays of a row a control step, `quality/...`.
  void add_to(ArrayGroup* episode) const;

 private:
  struct Row {
    SolveStatus status = SolveStatus::converged;
    double relative_residual = 0, natural_map_error = 0, error_estimate = 0, certificate_J = 0,
           penetration_m = 0, force_balance_N = 0, kinetic_energy_J = 0, potential_energy_J = 0;
    int n_clipped = 0, n_floor_ended = 0;
  };

  MomentumBalance balance_;
  Row open_;
  int n_estimated_ = 0;  ///< time steps of open_ that an estimate is told of
  std::vector<Row> rows_;
};

/// Of the arrays that a QualityRecorder made.
WorstQuality worst_quality(const ArrayGroup& episode);

}  // namespace nodia

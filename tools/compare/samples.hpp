/// Contact problems taken from one reference trajectory, each with its converged answer: what
/// solvers are compared on.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/errors/errors.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/build/scenario.hpp"

namespace nodia::studies {

/// One step's problem.
struct Sample {
  int step = 0;
  ContactProblem problem;
  WarmStart warm;
  std::unique_ptr<ContactProblem> before;  ///< of the step before, where it was asked for; or none
  WarmStart warm_before;
  double dynamics_ms = 0;                 ///< assembly, detection and nodalization of this step
  State state;                            ///< before the step
  std::vector<Vec3d> v_ref;               ///< converged to the tolerance asked for
  State state_ref;                        ///< where the reference solution leads
  std::vector<Vec3d> internal_force_ref;  ///< elastic force in state_ref, per soft node [N]
  std::vector<Wrench> sensors_ref;        ///< of the step with the reference solution
  std::unique_ptr<TrueError> true_error;  ///< relative to |v_ref|_A of this step
  double reference_norm = 0;              ///< |v_ref|_A [(J/s)^(1/2)]
};

/// Relative residual and natural-map error that the reference solutions are asked for, and the
/// largest they may end with where neither COND nor PGS gets there.
inline constexpr double kReferenceTolerance = 1e-10;
inline constexpr double kReferenceBound = 1e-5;

/// Errors of one solution to a sample, NaN without a reference solution, and what it leads to.
struct SampleErrors {
  double true_error =
      0;  ///< |v_c - v_ref|_A / max(|v_ref|_A, 1 % of its root mean square over the samples) [-]
  double max_penetration_m = 0;       ///< of every pair of surfaces, as in steps.csv
  double internal_force_error_N = 0;  ///< of the elastic forces, Euclidean over all soft nodes
  double sensor_force_error_N = 0;    ///< of the sensors' forces, Euclidean over all sensors
  double internal_force_N = 0;        ///< elastic force after the step, Euclidean over all nodes
  double sensor_force_N = 0;          ///< of the sensors, Euclidean over all
  double reference_internal_force_N = 0;  ///< where the reference solution leads
  double reference_sensor_force_N = 0;
  ErrorReport evaluated;         ///< by the measures that evaluate every solver
  double contact_force_N = 0;    ///< |lambda|, Euclidean over all contacts
  double recovered_force_N = 0;  ///< the same of the forces that invertible contact recovers from
                                 ///< the velocity; NaN where contact is not invertible
  double displacement_error_m = 0;  ///< largest distance of a soft node or frame from where the
                                    ///< reference solution takes it
};

/// Which steps' problems are kept, and what for.
struct SampleChoice {
  int every = 25;  ///< steps from one sample to the next, the first after so many; >= 1
  int count = 0;   ///< > 0: so many samples, evenly spread up to the last step, in place of `every`
  int part = 0, parts = 1;  ///< only this one of so many equal parts of the steps; part < parts
  bool reference = true;    ///< with converged answers; without them there are no errors
  bool before = false;      ///< with the problem of the step before each
  double reference_tolerance = kReferenceTolerance;  ///< that they are asked for (0, 1e-5]
  bool takes(int step, int n_step) const;
};

/// Steps in which the body stands still have |v_ref|_A of the size of rounding, and an error
/// relative to it says nothing: their error is measured against this share of the samples' root
/// mean square |v_ref|_A instead.
inline constexpr double kStandstill = 0.01;

class Samples {
 public:
  /// Runs the scenario with its own solver and keeps the chosen steps' problems.
  /// @param progress  called after each step with (step, steps)
  /// The reference solutions obey the scenario's contact law.
  /// @throws RuntimeError where a reference solution does not converge
  Samples(const Scenario& scenario, const SampleChoice& choice,
          const std::function<void(int, int)>& progress);

  const std::vector<Sample>& all() const { return samples_; }
  /// Largest of the reference solutions' relative residuals and natural-map errors.
  double reference_error() const { return reference_error_; }
  /// Steps of the trajectory, up to the last one sampled, that did not converge.
  int unconverged_steps() const { return unconverged_steps_; }
  SampleErrors measure(const Sample& sample, const Solution& solution);

 private:
  /// Takes the probe over a sample's step.
  const StepRecord& take(const Sample& sample, const Solution& solution);
  void add_reference(double tolerance, const Solution& start, Sample* sample);

  SolverOptions options_;  ///< the scenario's
  Simulation simulation_;
  Simulation probe_;  ///< goes from samples' states with the solutions to be measured
  std::vector<Sample> samples_;
  double reference_error_ = 0;
  int unconverged_steps_ = 0;
  double standstill_norm_ = 0;  ///< kStandstill times the root mean square of |v_ref|_A
};

}  // namespace nodia::studies

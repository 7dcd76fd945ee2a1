/// Samples: contact problems of a trajectory with reference solutions, on which solvers are
/// compared.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/errors/errors.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/build/scenario.hpp"

namespace nodia::studies {

/// Problem of one step.
struct Sample {
  int step = 0;
  ContactProblem problem;
  WarmStart warm;
  std::unique_ptr<ContactProblem>
      before;  ///< problem of the previous step, see SampleChoice::before
  WarmStart warm_before;
  double dynamics_ms = 0;                 ///< assembly, detection and nodalization of this step
  State state;                            ///< state before the step
  std::vector<Vec3d> v_ref;               ///< velocity of the reference solution
  State state_ref;                        ///< state after the step with the reference solution
  std::vector<Vec3d> internal_force_ref;  ///< elastic force in state_ref, by soft node [N]
  std::vector<Wrench> sensors_ref;        ///< sensors in the step with the reference solution
  std::unique_ptr<TrueError> true_error;  ///< relative to |v_ref|_A of this step
  double reference_norm = 0;              ///< |v_ref|_A [(J/s)^(1/2)]
};

/// Tolerance of the reference solutions (relative residual and natural-map error), and the largest
/// error that is accepted if neither COND nor PGS reaches it.
inline constexpr double kReferenceTolerance = 1e-10;
inline constexpr double kReferenceBound = 1e-5;

/// Errors of a solution to a sample (NaN without a reference solution) and its forces.
struct SampleErrors {
  double true_error =
      0;  ///< |v_c - v_ref|_A / max(|v_ref|_A, 1 % of its root mean square over the samples) [-]
  double max_penetration_m = 0;       ///< over all pairs of surfaces, like in steps.csv
  double internal_force_error_N = 0;  ///< of the elastic forces, Euclidean norm over all soft nodes
  double sensor_force_error_N = 0;    ///< of the sensors' forces, Euclidean norm over all sensors
  double internal_force_N = 0;  ///< elastic forces after the step, Euclidean norm over all nodes
  double sensor_force_N = 0;    ///< forces of the sensors, Euclidean norm over all sensors
  double reference_internal_force_N = 0;  ///< internal_force_N of the reference solution
  double reference_sensor_force_N = 0;    ///< sensor_force_N of the reference solution
  ErrorReport evaluated;                  ///< error measures that all solvers share
  double contact_force_N = 0;             ///< |lambda|, Euclidean norm over all contacts
  double recovered_force_N = 0;  ///< norm of the forces that invertible contact recovers from the
                                 ///< velocity; NaN if contact is not invertible
  double displacement_error_m = 0;  ///< largest distance of a soft node or frame from its position
                                    ///< with the reference solution
};

/// Selection of samples.
struct SampleChoice {
  int every = 25;  ///< steps between samples; the first one is step `every`; >= 1
  int count = 0;   ///< > 0: number of evenly spaced samples up to the last step, instead of `every`
  int part = 0, parts = 1;  ///< only part `part` of `parts` equal parts of the steps; part < parts
  bool reference = true;    ///< compute reference solutions; without them there are no errors
  bool before = false;      ///< keep the problem of the previous step of each sample
  double reference_tolerance = kReferenceTolerance;  ///< in (0, 1e-5]
  bool takes(int step, int n_step) const;            ///< true if a step is sampled
};

/// If a body is at rest, |v_ref|_A is a rounding error and an error relative to it is meaningless.
/// Therefore errors are relative to at least this fraction of the root mean square of |v_ref|_A
/// over the samples.
inline constexpr double kStandstill = 0.01;

class Samples {
 public:
  /// Runs the scenario with its own solver and keeps the problems of the selected steps. The
  /// reference solutions use the scenario's contact law.
  /// @param progress  called after each step with (step, steps)
  /// @throws RuntimeError if a reference solution does not converge
  Samples(const Scenario& scenario, const SampleChoice& choice,
          const std::function<void(int, int)>& progress);

  const std::vector<Sample>& all() const { return samples_; }
  /// Largest relative residual or natural-map error of a reference solution.
  double reference_error() const { return reference_error_; }
  /// Number of steps up to the last sample that did not converge.
  int unconverged_steps() const { return unconverged_steps_; }
  SampleErrors measure(const Sample& sample, const Solution& solution);

 private:
  /// Advances the probe by the step of a sample with a solution.
  const StepRecord& take(const Sample& sample, const Solution& solution);
  void add_reference(double tolerance, const Solution& start, Sample* sample);

  SolverOptions options_;  ///< options of the scenario
  Simulation simulation_;
  Simulation probe_;  ///< advances from the states of samples with the solutions to be measured
  std::vector<Sample> samples_;
  double reference_error_ = 0;
  int unconverged_steps_ = 0;
  double standstill_norm_ = 0;  ///< kStandstill times the root mean square of |v_ref|_A
};

}  // namespace nodia::studies

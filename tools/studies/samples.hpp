/// Contact problems taken from one reference trajectory, each with its converged answer: what
/// solvers are compared on.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/errors/errors.hpp"
#include "host/simulation/simulation.hpp"
#include "scenarios/loader/scenario.hpp"

namespace nodia::studies {

/// One step's problem.
struct Sample {
  int step = 0;
  ContactProblem problem;
  WarmStart warm;
  double dynamics_ms = 0;                 ///< assembly, detection and nodalization of this step
  std::vector<Vec3d> x;                   ///< positions before the step [m]
  std::vector<Vec3d> v_ref;               ///< converged to kReferenceTolerance
  std::vector<Vec3d> internal_force_ref;  ///< elastic force at x + t v_ref, per node [N]
  std::unique_ptr<TrueError> true_error;  ///< relative to |v_ref|_A of this step
  double reference_norm = 0;              ///< |v_ref|_A [(J/s)^(1/2)]
  std::vector<Pose> obstacle_poses;       ///< at the end of the step
};

/// Relative residual and natural-map error that the reference answers reach.
inline constexpr double kReferenceTolerance = 1e-10;

/// Errors of one answer to a sample.
struct SampleErrors {
  double true_error =
      0;  ///< |v_c - v_ref|_A / max(|v_ref|_A, 1 % of its root mean square over the samples) [-]
  double max_penetration_m = 0;       ///< at x + t v
  double internal_force_error_N = 0;  ///< |f(x + t v) - f(x + t v_ref)|, Euclidean over all nodes
};

/// Steps in which the body stands still have |v_ref|_A of the size of rounding, and an error
/// relative to it says nothing: their error is measured against this share of the samples' root
/// mean square |v_ref|_A instead.
inline constexpr double kStandstill = 0.01;

class Samples {
 public:
  /// Runs the scenario with its own solver and keeps every `every`-th step's problem, the first
  /// after `every` steps.
  /// @param progress  called after each step with (step, steps)
  /// @throws RuntimeError where a reference answer does not converge
  Samples(const Scenario& scenario, int every, const std::function<void(int, int)>& progress);

  const std::vector<Sample>& all() const { return samples_; }
  SampleErrors measure(const Sample& sample, const Solution& solution) const;

 private:
  Simulation simulation_;
  std::vector<Shape> shapes_;
  std::vector<Sample> samples_;
  double standstill_norm_ = 0;  ///< kStandstill times the root mean square of |v_ref|_A
};

}  // namespace nodia::studies

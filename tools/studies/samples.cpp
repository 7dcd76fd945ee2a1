#include "tools/studies/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "host/collision/detection.hpp"
#include "kernels/core/error.hpp"

namespace nodia::studies {
namespace {

std::vector<Vec3d> moved(const std::vector<Vec3d>& x, double t, const std::vector<Vec3d>& v) {
  std::vector<Vec3d> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + t * v[i];
  return y;
}

}  // namespace

Samples::Samples(const Scenario& scenario, int every, const std::function<void(int, int)>& progress)
    : simulation_({scenario.scene}, scenario.solver) {
  for (const ObstacleDescription& obstacle : scenario.scene.obstacles)
    shapes_.push_back(obstacle.shape);
  SolverOptions trajectory_options = scenario.solver;
  SolverOptions reference_options;
  reference_options.tolerance = kReferenceTolerance;
  reference_options.max_iterations = 200000;
  const auto reference_solver = make_solver(reference_options);
  const auto trajectory_solver = make_solver(trajectory_options);

  const double t = scenario.scene.time.step_s;
  const int n_step = static_cast<int>(std::ceil(scenario.scene.time.duration_s / t * (1 - 1e-9)));
  WarmStart warm;
  Solution solution;
  for (int step = 1; step <= n_step; ++step) {
    const auto start = std::chrono::steady_clock::now();
    ContactProblem problem = simulation_.build_problem(&warm);
    const std::chrono::duration<double, std::milli> dynamics =
        std::chrono::steady_clock::now() - start;
    trajectory_solver->solve(problem, warm, &solution);
    if (step % every == 0) {
      Sample sample;
      sample.step = step;
      sample.dynamics_ms = dynamics.count();
      sample.x = simulation_.state().x;
      sample.warm = warm;
      Solution reference;
      reference_solver->solve(problem, {solution.v, solution.lambda}, &reference);
      if (reference.env[0].status != SolveStatus::converged)
        throw RuntimeError(
            fmt::format("step {}: the reference answer ended {} at a residual of {:.2g}", step,
                        name_of(reference.env[0].status), reference.env[0].relative_residual));
      sample.v_ref = reference.v;
      const std::vector<Vec3d> A_v = problem.A.multiply(reference.v);
      double energy = 0;
      for (std::size_t i = 0; i < A_v.size(); ++i) energy += dot(reference.v[i], A_v[i]);
      sample.reference_norm = std::sqrt(energy);
      sample.true_error = std::make_unique<TrueError>(problem, reference.v);
      sample.internal_force_ref.resize(sample.x.size());
      simulation_.model().elastic_force(moved(sample.x, t, sample.v_ref).data(),
                                        sample.internal_force_ref.data());
      for (const ObstacleDescription& obstacle : scenario.scene.obstacles)
        sample.obstacle_poses.push_back(obstacle.path.at(simulation_.state().time_s + t));
      sample.problem = problem;
      samples_.push_back(std::move(sample));
    }
    simulation_.advance(problem, solution);
    if (progress) progress(step, n_step);
  }
  double squares = 0;
  for (const Sample& sample : samples_) squares += sample.reference_norm * sample.reference_norm;
  standstill_norm_ =
      kStandstill *
      std::sqrt(squares / static_cast<double>(std::max<std::size_t>(samples_.size(), 1)));
}

SampleErrors Samples::measure(const Sample& sample, const Solution& solution) const {
  SampleErrors errors;
  const double scale = std::max(sample.reference_norm, standstill_norm_);
  errors.true_error =
      scale > 0 ? (*sample.true_error)(solution.lambda) * (sample.reference_norm / scale) : 0.0;
  const std::vector<Vec3d> x = moved(sample.x, sample.problem.step_s, solution.v);
  errors.max_penetration_m =
      max_penetration(shapes_, sample.obstacle_poses, x.data(), static_cast<int>(x.size()));
  std::vector<Vec3d> force(x.size());
  simulation_.model().elastic_force(x.data(), force.data());
  double squared = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    squared += squared_norm(force[i] - sample.internal_force_ref[i]);
  errors.internal_force_error_N = std::sqrt(squared);
  return errors;
}

}  // namespace nodia::studies

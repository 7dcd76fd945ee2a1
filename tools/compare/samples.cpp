#include "tools/compare/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "scenarios/task/steps_in.hpp"

namespace nodia::studies {
namespace {

std::vector<Vec3d> elastic_force(const Simulation& simulation) {
  const State& state = simulation.state();
  std::vector<Vec3d> force(state.x.size());
  if (!force.empty()) simulation.model().elastic_force(state.x.data(), force.data());
  return force;
}

bool last_of_part(const SampleChoice& choice, int step, int n_step) {
  return step * static_cast<std::int64_t>(choice.parts) / n_step > choice.part;
}

/// Euclidean norm over all vectors.
double norm_of(const std::vector<Vec3d>& x) {
  double squared = 0;
  for (const Vec3d& a : x) squared += squared_norm(a);
  return std::sqrt(squared);
}

double norm_of(const std::vector<Wrench>& sensors) {
  double squared = 0;
  for (const Wrench& sensor : sensors) squared += squared_norm(sensor.force_N);
  return std::sqrt(squared);
}

double error_of(const Solution& s) {
  return std::max(s.env[0].relative_residual, s.env[0].natural_map_error);
}

/// Solution of COND. If it does not reach the tolerance: that of PGS, if its error is smaller.
Solution reference_solution(const ContactProblem& problem, const SolverOptions& scenario,
                            double tolerance, const Solution& start) {
  SolverOptions options;
  options.projection = scenario.projection;
  options.invertible_omega_m_Ns = scenario.invertible_omega_m_Ns;
  options.tolerance = tolerance;
  options.max_iterations = 50000;
  Solution best;
  make_solver(options)->solve(problem, {start.v, start.lambda}, &best);
  if (best.env[0].status == SolveStatus::converged) return best;
  options.solver = "pgs";
  Solution other;
  make_solver(options)->solve(problem, {best.v, best.lambda}, &other);
  return error_of(other) < error_of(best) ? other : best;
}

}  // namespace

bool SampleChoice::takes(int step, int n_step) const {
  if ((step - 1) * static_cast<std::int64_t>(parts) / n_step != part) return false;
  if (count <= 0) return step % every == 0;
  const auto samples_until = [&](std::int64_t k) { return k * count / n_step; };
  return samples_until(step) > samples_until(step - 1);
}

Samples::Samples(const Scenario& scenario, const SampleChoice& choice,
                 const std::function<void(int, int)>& progress)
    : options_(scenario.solver),
      simulation_({scenario.scene}, scenario.solver),
      probe_({scenario.scene}, scenario.solver) {
  const auto trajectory_solver = make_solver(scenario.solver);

  const TimeOptions& time = scenario.scene.time;
  const int n_step = static_cast<int>(steps_in(time.duration_s, time.step_s));
  WarmStart warm, warm_before;
  Solution solution;
  std::unique_ptr<ContactProblem> before;
  for (int step = 1; step <= n_step; ++step) {
    const Stopwatch watch;
    ContactProblem problem = simulation_.build_problem(&warm);
    const double dynamics_ms = watch.milliseconds();
    trajectory_solver->solve(problem, warm, &solution);
    unconverged_steps_ += solution.env[0].status != SolveStatus::converged;
    if (choice.takes(step, n_step)) {
      Sample sample;
      sample.step = step;
      sample.dynamics_ms = dynamics_ms;
      sample.state = simulation_.state();
      sample.warm = warm;
      sample.problem = problem;
      sample.before = std::move(before);
      sample.warm_before = warm_before;
      if (choice.reference) add_reference(choice.reference_tolerance, solution, &sample);
      samples_.push_back(std::move(sample));
    }
    if (last_of_part(choice, step, n_step)) break;
    if (choice.before && choice.takes(step + 1, n_step)) {
      before = std::make_unique<ContactProblem>(problem);
      warm_before = warm;
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

void Samples::add_reference(double tolerance, const Solution& start, Sample* sample) {
  const ContactProblem& problem = sample->problem;
  const Solution reference = reference_solution(problem, options_, tolerance, start);
  const double error = error_of(reference);
  if (!(error <= kReferenceBound))
    throw RuntimeError(fmt::format("step {}: the reference answer ended {} at an error of {:.2g}",
                                   sample->step, name_of(reference.env[0].status), error));
  reference_error_ = std::max(reference_error_, error);
  sample->v_ref = reference.v;
  const std::vector<Vec3d> A_v = problem.A.multiply(reference.v);
  double energy = 0;
  for (std::size_t i = 0; i < A_v.size(); ++i) energy += dot(reference.v[i], A_v[i]);
  sample->reference_norm = std::sqrt(energy);
  sample->true_error = std::make_unique<TrueError>(problem, reference.v);
  sample->sensors_ref = take(*sample, reference).sensors;
  sample->state_ref = probe_.state();
  sample->internal_force_ref = elastic_force(probe_);
}

const StepRecord& Samples::take(const Sample& sample, const Solution& solution) {
  probe_.set_state(0, sample.state);
  probe_.build_problem();
  return probe_.advance(sample.problem, solution).front();
}

SampleErrors Samples::measure(const Sample& sample, const Solution& solution) {
  SampleErrors errors;
  const StepRecord& record = take(sample, solution);
  errors.max_penetration_m = record.max_penetration_m;
  errors.sensor_force_N = norm_of(record.sensors);
  const State& end = probe_.state();
  const std::vector<Vec3d> force = elastic_force(probe_);
  errors.internal_force_N = norm_of(force);
  errors.contact_force_N = norm_of(solution.lambda);
  const double omega = options_.invertible_omega_m_Ns;
  errors.recovered_force_N =
      omega > 0
          ? norm_of(recover_contact_forces(sample.problem, solution.v, options_.projection, omega))
          : std::numeric_limits<double>::quiet_NaN();
  errors.evaluated =
      measure_errors(sample.problem, 0, solution.v, solution.lambda,
                     delassus_diagonal_estimate(sample.problem), options_.projection, omega);
  if (!sample.true_error) {
    errors.reference_internal_force_N = errors.reference_sensor_force_N = errors.true_error =
        errors.internal_force_error_N = errors.sensor_force_error_N = errors.displacement_error_m =
            std::numeric_limits<double>::quiet_NaN();
    return errors;
  }
  errors.reference_internal_force_N = norm_of(sample.internal_force_ref);
  errors.reference_sensor_force_N = norm_of(sample.sensors_ref);
  const double scale = std::max(sample.reference_norm, standstill_norm_);
  errors.true_error =
      scale > 0 ? (*sample.true_error)(solution.lambda) * (sample.reference_norm / scale) : 0.0;
  double squared = 0;
  for (std::size_t k = 0; k < record.sensors.size(); ++k)
    squared += squared_norm(record.sensors[k].force_N - sample.sensors_ref[k].force_N);
  errors.sensor_force_error_N = std::sqrt(squared);
  squared = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    squared += squared_norm(force[i] - sample.internal_force_ref[i]);
    errors.displacement_error_m =
        std::max(errors.displacement_error_m, norm(end.x[i] - sample.state_ref.x[i]));
  }
  errors.internal_force_error_N = std::sqrt(squared);
  for (std::size_t f = 0; f < end.frames.size(); ++f)
    errors.displacement_error_m =
        std::max(errors.displacement_error_m,
                 norm(end.frames[f].position - sample.state_ref.frames[f].position));
  return errors;
}

}  // namespace nodia::studies

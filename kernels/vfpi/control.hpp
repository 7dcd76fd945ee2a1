/// Decisions of the V-FPI loop: which iteration follows, when to stop and why. One thread changes
/// the state of an environment between kernels, with the same result on every backend.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/core/macros.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "kernels/vfpi/acceleration.hpp"

namespace nodia {

/// Growth of the residual over its best value at which the safe iteration takes over [-].
inline constexpr double kGrowthLimit = 1e3;
/// Smallest best residual that the growth limit uses [-].
inline constexpr double kGrowthFloor = 1e-6;
/// Residual tests without 1 % of progress after which the safe iteration takes over, or gives up.
inline constexpr int kStallTests = 40;
inline constexpr int kSafeStallTests = 120;
/// Contact forces are unbounded if sum |lambda_m| > kUnboundedForce (sum |b_i| + sum |phi_m| / d_m)
/// [-]. In an infeasible problem the forces grow with every iteration, and the scaled contact error
/// falls although no contact condition holds. The limit is far above the forces of wedging.
inline constexpr double kUnboundedForce = 100;
/// Relative residual below which the force limit applies [-].
inline constexpr double kCarriedForce = 0.1;
/// Scale of the preconditioner blocks of bodies in the safe iteration, see w/body_blocks.hpp.
inline constexpr double kSafeBodyScale = 0.25;
/// Safe iterations before the solver gives up.
inline constexpr int kFallbacks = 2;
/// Upper bound on the tests beyond iterations / check_every: out-of-bounds iterations, each safe
/// iteration and the last iteration end before a regular test.
inline constexpr int kSpareTests = kFallbacks + 8;
/// Absolute tolerance of the residual in the inverse-mass norm.
inline constexpr double kAbsoluteFloor = 1e-12;
/// Spectral bound: lambda_max(W A) <= kSpectralTarget by scaling W. Theorem 2 needs less than 2.
inline constexpr double kSpectralTarget = 1.9;
/// Products of the power iteration for a new pattern (maximum), and with the last solve's vector.
inline constexpr int kColdPowerProducts = 30;
inline constexpr int kWarmPowerProducts = 4;
/// Safety factor on lambda_max, because the power iteration estimates from below [-].
inline constexpr double kSpectralMargin = 1.05;

/// Bias cancellation (math.md section 4b): the bias is updated once the inner error is below
/// kBiasShare times the change by the update, or after kBiasTests tests.
inline constexpr double kBiasShare = 0.1;
inline constexpr int kBiasTests = 3;

/// Mixed precision: tests between two updates of the reference.
inline constexpr int kTestsPerReference = 4;
/// Mixed precision: below this multiple of the tolerance, a test measures with both matrices.
inline constexpr double kNearTolerance = 2;

/// Reason of a stop, in addition to the status.
enum class StopReason : std::uint8_t {
  none,
  first_iteration_not_finite,
  forces_unbounded,
  safe_iteration_grew,
  residual_stands_still
};

struct VfpiControl : VectorRoles {
  enum class Stage : std::uint8_t { waiting, running, done };

  Stage stage = Stage::waiting;
  bool suspended = false;  ///< skips iterations until the next test
  SolveStatus status = SolveStatus::iteration_limit;
  StopReason reason = StopReason::none;
  bool absolute_floor = false;  ///< the absolute tolerance ended the solve

  // Commands to the kernel that copies vectors after a test.
  bool keep_best = false, return_to_best = false, fall_back = false;
  bool move_reference = false;  ///< mixed precision: the tested solution becomes the reference

  // Contact nodes.
  bool move_bias = false;  ///< the tested lambda becomes the one whose bias is cancelled
  int tests_since_bias = 0;
  double body_scale = 1;  ///< scale of W on bodies and chains, from the spectral bound

  // Mixed precision: a test measures with the float matrix. Every kTestsPerReference tests the
  // double matrix decides on a stop and the reference is updated.
  /// Skips iterations until the next test, which tests the same solution.
  bool awaits_exact = false;
  /// A test measures with both matrices, so a stop needs no second test.
  bool near_tolerance = false;
  int tests_since_reference = kTestsPerReference;  ///< initially due: there is no reference yet

  std::uint8_t solution = 3;   ///< index of the vector with v** of the last iteration
  std::uint8_t increment = 0;  ///< mixed precision: index of the increment of y

  Extrapolation extrapolation;
  double alpha = 1;

  int iterations = 0;
  int restarts = 0;
  double velocity_step = 0;  ///< |v_next - y| of the last iteration [m/s]
  double smallest_step = 0;
  double best = 0, progress_mark = 0;
  int tests_without_progress = 0;

  int power_products = 0;  ///< remaining products of the power iteration
  bool new_w = false;      ///< this solve computes W again
  double lambda_max = 0;   ///< estimate without, then with the spectral bound
  double power_scale = 0;  ///< scale of the next vector of the power iteration
  double w_scale = 1;      ///< scale of W from the spectral bound

  std::int32_t ticket = 0;  ///< finished chunks, see kernels/launch/decision.hpp

  NODIA_HD bool iterates(const VfpiOptions& options) const {
    return stage == Stage::running && !suspended && !awaits_exact &&
           iterations < options.max_iterations;
  }
  /// True if the iteration stores the solution for the next test.
  /// @param last  the iteration is the last of a loop body
  NODIA_HD bool is_tested_next(const VfpiOptions& options, bool last) const {
    return last || iterations + 1 == options.max_iterations;
  }
};

/// Queue of a batch: the chunks that iterate and the waiting environments.
struct VfpiQueue {
  std::int32_t n_work = 0;        ///< chunks of environments that iterate
  std::int32_t n_env = 0;         ///< environments of the batch
  std::int32_t ticket = 0;        ///< finished blocks of the launch
  std::int32_t next_waiting = 0;  ///< first environment that is not yet admitted
  LoopCondition power;            ///< W of some environment needs another product
  LoopCondition loop;             ///< some environment iterates
};

/// Queue before the start. The loop bound covers the maximum number of tests.
/// @param capacity  environments that iterate at the same time, > 0
inline VfpiQueue waiting_queue(const VfpiOptions& options, int n_env, int capacity) {
  const std::int64_t tests = options.max_iterations / options.check_every + 1 + kSpareTests;
  VfpiQueue queue;
  queue.n_env = n_env;
  queue.power = {.running = 1, .max_body = kColdPowerProducts};
  queue.loop.max_body = tests * ((n_env + capacity - 1) / capacity);
  return queue;
}

NODIA_HD void stop(VfpiControl* c, SolveStatus status, StopReason reason = StopReason::none) {
  c->status = status;
  c->reason = reason;
  c->stage = VfpiControl::Stage::done;
}

/// True if the environment takes part in a measurement of its solution.
NODIA_HD bool is_measured(const VfpiControl& control) {
  return control.stage != VfpiControl::Stage::done && !control.suspended;
}
/// Mixed precision: true if a test measures with the float matrix.
NODIA_HD bool is_measured_in_float(const VfpiControl& control, const VfpiOptions& options) {
  return !control.awaits_exact && control.tests_since_reference + 1 < kTestsPerReference &&
         control.iterations < options.max_iterations;
}
/// Mixed precision: true if a test measures with the double matrix.
NODIA_HD bool is_measured_exactly(const VfpiControl& control, const VfpiOptions& options) {
  return control.near_tolerance || !is_measured_in_float(control, options);
}

/// Decides after an iteration.
/// @param step_squared  |v_next - y|^2 [m^2/s^2]
/// @param restart_sum   sum of restart_share
/// @param last          a residual test follows
NODIA_HD void decide_after_iteration(VfpiControl* c, const VfpiOptions& options,
                                     double step_squared, double restart_sum, bool last) {
  ++c->iterations;
  const double step = ::sqrt(step_squared);
  c->velocity_step = step;
  c->solution = c->projected;
  if (!is_finite(step)) {
    if (c->iterations == 1) {
      stop(c, SolveStatus::not_a_number, StopReason::first_iteration_not_finite);
      c->return_to_best = true;
    } else {
      c->suspended = true;
    }
    return;
  }
  if (options.stop == StopRule::paper) {
    if (step <= options.tolerance) {
      stop(c, SolveStatus::converged);
      return;
    }
    if (step < c->smallest_step) {
      c->smallest_step = step;
      c->keep_best = last;
    }
    if (step > kGrowthLimit * kGrowthLimit * c->smallest_step) {
      c->suspended = true;
      return;
    }
  }
  choose_extrapolation(&c->extrapolation, options, step, restart_sum);
  rotate_roles(c->extrapolation.kind, c);
  c->increment = static_cast<std::uint8_t>(1 - c->increment);
}

/// Errors of the solution that the kernels measured.
struct VfpiMeasure {
  double residual_squared = 0, force_squared = 0, load_squared = 0;  ///< inverse-mass norms
  double contact_error = 0;  ///< natural map, scaled; 0 if each row has at most one contact
  double force = 0;          ///< sum |lambda_m| [N]; 0 if contact_error is not measured
  double inner_error = 0;    ///< contact_error with the present bias
  double bias_change = 0;    ///< change of the contact error by an update of the bias, scaled

  NODIA_HD double absolute() const { return ::sqrt(residual_squared); }
  NODIA_HD double relative() const {
    const double scale = ::sqrt(larger(force_squared, load_squared));
    return scale > 0 ? absolute() / scale : absolute();
  }
  NODIA_HD bool finite() const {
    return is_finite(residual_squared) && is_finite(force_squared) && is_finite(load_squared);
  }
};

/// Decides at the start. The starting point is the first best iterate.
NODIA_HD void decide_at_start(VfpiControl* c, const VfpiOptions& options, const VfpiMeasure& m) {
  c->best = infinity();
  if (options.stop == StopRule::residual && m.finite()) {
    c->best = larger(m.relative(), m.contact_error);
    if (!is_finite(c->best)) c->best = infinity();
  }
  c->smallest_step = infinity();
  c->progress_mark = c->best;
  c->keep_best = true;
  c->move_reference = m.finite();
}

/// Starts a safe iteration from the best solution, with a W for which lambda_max(WA) <= 1 holds
/// without an estimate. The first uses Nesterov with restart, the last no extrapolation, because an
/// extrapolated lambda may cycle if contacts share nodes.
NODIA_HD void fall_back(VfpiControl* c) {
  c->return_to_best = true;
  c->fall_back = true;
  c->lambda_max = 1;
  c->extrapolation = {safe_acceleration(c->extrapolation.kind)};
  c->alpha = 1;
  c->body_scale = kSafeBodyScale;
  ++c->restarts;
  c->tests_without_progress = 0;
  c->progress_mark = c->best;
  c->suspended = false;
}

/// True if the residual is within `multiple` times the tolerances of a stop.
NODIA_HD bool would_stop(const VfpiOptions& options, const VfpiMeasure& m, double multiple) {
  return options.stop == StopRule::residual && m.finite() &&
         (m.relative() <= multiple * options.tolerance ||
          m.absolute() <= multiple * kAbsoluteFloor);
}

/// Decides after a test: every check_every iterations, or after an out-of-bounds iteration.
/// @param load  VfpiEnvironment::load [N]
NODIA_HD void decide_after_test(VfpiControl* c, const VfpiOptions& options, const VfpiMeasure& m,
                                double load) {
  if (c->stage != VfpiControl::Stage::running) return;
  bool unsafe = c->suspended;
  if (!unsafe && options.stop == StopRule::residual) {
    const double error = m.finite() ? larger(m.relative(), m.contact_error) : infinity();
    // Until the residual is below kCarriedForce, large forces only show that W is small.
    if (m.force > kUnboundedForce * load && m.relative() < kCarriedForce) {
      stop(c, SolveStatus::infeasible, StopReason::forces_unbounded);
      return;
    }
    if (error < c->best) {
      c->best = error;
      c->keep_best = true;
    }
    if (error <= options.tolerance ||
        (m.absolute() <= kAbsoluteFloor && m.contact_error <= options.tolerance)) {
      c->absolute_floor = !(error <= options.tolerance);
      stop(c, SolveStatus::converged);
      return;
    }
    c->tests_without_progress =
        c->best < 0.99 * c->progress_mark ? 0 : c->tests_without_progress + 1;
    if (c->tests_without_progress == 0) c->progress_mark = c->best;
    unsafe = !m.finite() ||
             m.relative() > kGrowthLimit * larger(c->best, larger(options.tolerance, kGrowthFloor));
  }
  if (m.bias_change > 0) {
    const double inner = larger(m.relative(), m.inner_error);
    c->move_bias = ++c->tests_since_bias >= kBiasTests || inner < kBiasShare * m.bias_change;
    if (c->move_bias) c->tests_since_bias = 0;
  }
  const bool stalled =
      c->tests_without_progress >= (c->restarts > 0 ? kSafeStallTests : kStallTests);
  if (unsafe || stalled) {
    if (c->restarts == kFallbacks) {
      c->return_to_best = true;
      if (unsafe)
        stop(c, SolveStatus::diverged, StopReason::safe_iteration_grew);
      else
        stop(c, SolveStatus::stalled, StopReason::residual_stands_still);
      return;
    }
    fall_back(c);
  } else {
    c->move_reference = m.finite();
  }
  if (c->iterations >= options.max_iterations) {
    stop(c, SolveStatus::iteration_limit);
    c->return_to_best = options.stop == StopRule::residual && c->best < infinity();
  }
}

/// Scales W so that lambda_max(W A) <= kSpectralTarget, or <= 1 if the acceleration needs that.
/// @param smallest_mass_rate  VfpiEnvironment::smallest_mass_rate [kg/s]
NODIA_HD void choose_w_scale(VfpiControl* c, const VfpiOptions& options,
                             double smallest_mass_rate) {
  const double bound = kSpectralTarget / (kSpectralMargin * c->lambda_max);
  c->w_scale = smaller(1.0, bound);
  if (options.w == WKind::alpha_identity)
    c->w_scale = smaller(2 / (smallest_mass_rate + c->lambda_max), bound);
  if (needs_contraction(options.acceleration)) c->w_scale = 1 / (kSpectralMargin * c->lambda_max);
  if (!(c->lambda_max > 0)) c->w_scale = 1;
  c->lambda_max *= c->w_scale;
  c->body_scale = c->w_scale;
}

}  // namespace nodia

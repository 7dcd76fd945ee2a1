/// The decisions of the V-FPI loop: which step follows, when to stop and why. One value per
/// environment, changed by one thread between kernels; the same on every backend.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/core/macros.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "kernels/vfpi/acceleration.hpp"

namespace nodia {

/// The residual may grow by this much over its best before the safe iteration takes over.
inline constexpr double kGrowthLimit = 1e3;
inline constexpr double kGrowthFloor = 1e-6;  ///< a best below this counts as this
/// Tests of the residual without 1 % of progress before the safe iteration takes over, and before
/// that one gives up.
inline constexpr int kStallTests = 40;
inline constexpr int kSafeStallTests = 120;
/// Contact forces beyond what loads and gaps can call for: sum |lambda_m| > kUnboundedForce (sum
/// |b_i| + sum |phi_m| / d_m). Where contacts contradict each other the forces grow with every
/// iteration, and the scaled contact error falls although nothing is met. Far above what wedging
/// amplifies, far below what an infeasible problem reaches.
inline constexpr double kUnboundedForce = 100;
inline constexpr double kCarriedForce = 0.1;  ///< relative residual below which that is judged
/// The blocks of W on bodies in the safe iteration, see w/body_blocks.hpp.
inline constexpr double kSafeBodyScale = 0.25;
/// Safe iterations before giving up.
inline constexpr int kFallbacks = 2;
/// Tests of a solve beyond its iterations over check_every: iterations stop short of a test where
/// they go out of bounds, before each safe iteration and in the last. Some to spare.
inline constexpr int kSpareTests = kFallbacks + 8;
/// Absolute floor of the residual rule in the inverse-mass norm.
inline constexpr double kAbsoluteFloor = 1e-12;
/// The guard keeps lambda_max(W A) at or below this: Theorem 2 needs less than 2.
inline constexpr double kSpectralTarget = 1.9;
/// Products of the power iteration: for a new pattern, which are the most, and where the last solve
/// left a vector.
inline constexpr int kColdPowerProducts = 30;
inline constexpr int kWarmPowerProducts = 4;
/// Allowance for the power iteration, which estimates from below.
inline constexpr double kSpectralMargin = 1.05;

/// Bias cancellation (math.md section 4b): the bias moves on once the inner error is below this
/// share of the change that the move makes, or after so many tests.
inline constexpr double kBiasShare = 0.1;
inline constexpr int kBiasTests = 3;

/// Mixed precision: tests from one move of the reference to the next.
inline constexpr int kTestsPerReference = 4;
/// From this multiple of the tolerance on a test measures with both matrices.
inline constexpr double kNearTolerance = 2;

/// Why an environment stopped, where its status does not say it all.
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
  bool suspended = false;  ///< takes no step until the next test
  SolveStatus status = SolveStatus::iteration_limit;
  StopReason reason = StopReason::none;
  bool absolute_floor = false;  ///< the absolute floor decided

  // Orders to the kernel that copies vectors after a test.
  bool keep_best = false, return_to_best = false, fall_back = false;
  bool move_reference = false;  ///< mixed precision: the tested answer becomes the reference

  // Virtual nodes.
  bool move_bias = false;  ///< the tested lambda becomes the one whose bias is cancelled
  int tests_since_bias = 0;
  double body_scale = 1;  ///< of the W of bodies and chains, the guard's

  // Mixed precision: a test measures with the float matrix. The double one decides on a stop, and
  // moves the reference every kTestsPerReference tests.
  bool awaits_exact = false;    ///< takes no step until the next test, of the same answer
  bool near_tolerance = false;  ///< measures with both, so that a stop need not wait
  int tests_since_reference = kTestsPerReference;  ///< so many at the start, which has none

  std::uint8_t answer = 3;     ///< v** of the last iteration
  std::uint8_t increment = 0;  ///< mixed precision: the one of y

  Extrapolation extrapolation;
  double alpha = 1;

  int iterations = 0;
  int restarts = 0;
  double velocity_step = 0;  ///< the last |v_next - y| [m/s]
  double smallest_step = 0;
  double best = 0, progress_mark = 0;
  int tests_without_progress = 0;

  // Step size.
  int power_products = 0;  ///< products of the power iteration still to do
  bool new_w = false;      ///< W is computed anew in this solve
  double lambda_max = 0;   ///< estimate for the unguarded W, then for the guarded
  double power_scale = 0;  ///< of the next vector of the power iteration
  double w_scale = 1;      ///< of the guard

  std::int32_t ticket =
      0;  ///< chunks that have ended in the launch, see kernels/launch/decision.hpp

  NODIA_HD bool iterates(const VfpiOptions& options) const {
    return stage == Stage::running && !suspended && !awaits_exact &&
           iterations < options.max_iterations;
  }
  /// Whether an iteration leaves the answer of the next test.
  /// @param last  of a body
  NODIA_HD bool is_tested_next(const VfpiOptions& options, bool last) const {
    return last || iterations + 1 == options.max_iterations;
  }
};

/// The queue of a batch.
struct VfpiQueue {
  std::int32_t n_work = 0;        ///< chunks of environments that iterate
  std::int32_t n_env = 0;         ///< all of them
  std::int32_t ticket = 0;        ///< blocks that have ended in the launch, likewise
  std::int32_t next_waiting = 0;  ///< first environment that has not been admitted
  LoopCondition power;            ///< W of any environment needs another product
  LoopCondition loop;             ///< any environment iterates
};

/// The queue before the start. Its loop is bounded by what environments can need at most.
/// @param capacity  environments that iterate at a time, > 0
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

/// Whether an environment takes part in a measurement of its answer.
NODIA_HD bool is_measured(const VfpiControl& control) {
  return control.stage != VfpiControl::Stage::done && !control.suspended;
}
/// Mixed precision: whether a test looks at the float matrix, which may suffice.
NODIA_HD bool is_measured_in_float(const VfpiControl& control, const VfpiOptions& options) {
  return !control.awaits_exact && control.tests_since_reference + 1 < kTestsPerReference &&
         control.iterations < options.max_iterations;
}
/// Mixed precision: whether it measures with the double one.
NODIA_HD bool is_measured_exactly(const VfpiControl& control, const VfpiOptions& options) {
  return control.near_tolerance || !is_measured_in_float(control, options);
}

/// After an iteration.
/// @param step_squared  |v_next - y|^2
/// @param restart_sum   of restart_share
/// @param last          the residual is tested next
NODIA_HD void decide_after_iteration(VfpiControl* c, const VfpiOptions& options,
                                     double step_squared, double restart_sum, bool last) {
  ++c->iterations;
  const double step = ::sqrt(step_squared);
  c->velocity_step = step;
  c->answer = c->projected;
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

/// What the kernels measured at the answer.
struct VfpiMeasure {
  double residual_squared = 0, force_squared = 0, load_squared = 0;  ///< inverse-mass norms
  double contact_error = 0;  ///< natural map, scaled; 0 where every row meets its one contact
  double force = 0;          ///< sum |lambda_m| [N]; 0 where contact_error is not measured
  double inner_error = 0;    ///< as contact_error, with the bias as it stands
  double bias_change = 0;    ///< what moving the bias would change, scaled likewise

  NODIA_HD double absolute() const { return ::sqrt(residual_squared); }
  NODIA_HD double relative() const {
    const double scale = ::sqrt(larger(force_squared, load_squared));
    return scale > 0 ? absolute() / scale : absolute();
  }
  NODIA_HD bool finite() const {
    return is_finite(residual_squared) && is_finite(force_squared) && is_finite(load_squared);
  }
};

/// The starting point is the first candidate: an iterate that is worse is never returned to.
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

/// The safe iterations, from the best answer so far and on a W with lambda_max(WA) <= 1 that needs
/// no estimate: Nesterov with restart first, no extrapolation last (where contacts share nodes, an
/// extrapolated lambda may cycle).
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

/// Whether the residual is within a multiple of what a stop asks of it.
NODIA_HD bool would_stop(const VfpiOptions& options, const VfpiMeasure& m, double multiple) {
  return options.stop == StopRule::residual && m.finite() &&
         (m.relative() <= multiple * options.tolerance ||
          m.absolute() <= multiple * kAbsoluteFloor);
}

/// After a test: every check_every iterations, and where the iteration went out of bounds.
/// @param load  of VfpiEnvironment
NODIA_HD void decide_after_test(VfpiControl* c, const VfpiOptions& options, const VfpiMeasure& m,
                                double load) {
  if (c->stage != VfpiControl::Stage::running) return;
  bool unsafe = c->suspended;
  if (!unsafe && options.stop == StopRule::residual) {
    const double error = m.finite() ? larger(m.relative(), m.contact_error) : infinity();
    // Before the dynamics carry them, forces say how small W is and no more.
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

/// The guard on W: the factor that keeps lambda_max(W A) <= kSpectralTarget, or <= 1 where the
/// acceleration needs that.
/// @param smallest_mass_rate  of VfpiEnvironment
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

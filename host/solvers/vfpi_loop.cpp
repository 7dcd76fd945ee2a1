#include "host/solvers/vfpi_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>

#include "host/errors/errors.hpp"
#include "kernels/core/launch.hpp"

namespace nodia {
namespace {

constexpr int kColdPowerIterations = 30;
constexpr int kWarmPowerIterations = 4;
/// The residual may grow by this much over its best before the safe iteration takes over.
constexpr double kGrowthLimit = 1e3;
/// Tests of the residual without 1 % of progress before the safe iteration takes over, and before
/// that one gives up.
constexpr int kStallTests = 40;
constexpr int kSafeStallTests = 120;
/// Of forces_unbounded: far above what wedging amplifies, far below what an infeasible problem
/// reaches.
constexpr double kUnboundedForce = 100;
/// Safe iterations before giving up.
constexpr int kFallbacks = 2;
/// Absolute floor of the residual rule in the inverse-mass norm.
constexpr double kAbsoluteFloor = 1e-12;

Extrapolation extrapolation_of(Acceleration acceleration) {
  switch (acceleration) {
    case Acceleration::chebyshev:
      return Extrapolation::chebyshev;
    case Acceleration::nesterov:
      return Extrapolation::nesterov;
    case Acceleration::none:
      break;
  }
  return Extrapolation::none;
}

template <class To, class From>
void cast_all(const From* from, std::size_t n, std::vector<To>* to) {
  to->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_arithmetic_v<To>)
      (*to)[i] = static_cast<To>(from[i]);
    else
      (*to)[i] = cast<std::remove_reference_t<decltype((*to)[i].x)>>(from[i]);
  }
}

}  // namespace

/// Sums of one iteration over an environment, in the fixed order of kernels/core/launch.hpp.
template <class Real>
struct VfpiLoop<Real>::Iteration {
  double step_squared = 0;  ///< |v_next - y|^2
  double restart_dot = 0;   ///< (y - v**)^T W^-1 (v** - v**_prev), Nesterov only
};

/// Residual at (v**, lambda), inverse-mass norms.
template <class Real>
struct VfpiLoop<Real>::Residual {
  double absolute = 0, relative = 0;
  bool finite = true;
};

template <class Real>
VfpiView<Real> VfpiLoop<Real>::view() const {
  VfpiView<Real> view;
  const BlockCsrView<double> A = problem_->A.view();
  if constexpr (std::is_same_v<Real, double>)
    view.A = A;
  else
    view.A = {A.n_row, A.row_begin, A.column, value_.data()};
  view.b = b_.data();
  view.w = w_.data();
  view.projection = options_.projection;
  view.contact = contact_.data();
  view.lambda = const_cast<Vec3<Real>*>(lambda_.data());
  view.slot_begin = slots_.slot_begin.data();
  view.coupled_begin = slots_.coupled_begin.data();
  view.coupled_node = slots_.coupled_node.data();
  view.coupled_entry = slots_.coupled_entry.data();
  view.coupled_count = slots_.coupled_count.data();
  return view;
}

template <class Real>
void VfpiLoop<Real>::setup(const ContactProblem& problem, const WarmStart& warm) {
  problem_ = &problem;
  const auto n = static_cast<std::size_t>(problem.n_node());
  slots_.build(problem);
  if constexpr (!std::is_same_v<Real, double>)
    cast_all(problem.A.value.data(), problem.A.value.size(), &value_);
  cast_all(problem.b.data(), n, &b_);
  if (warm.v.empty())
    y_.assign(n, Vec3<Real>{});
  else
    cast_all(warm.v.data(), n, &y_);
  v_prev_ = y_;
  v_next_ = y_;
  projected_ = y_;
  best_v_ = y_;
  gradient_.resize(n);
  gradient_prev_.resize(n);
  inverse_mass_ = inverse_mass_weights(problem);

  contact_.resize(problem.contacts.size());
  lambda_.assign(problem.contacts.size(), Vec3<Real>{});
  for (std::size_t s = 0; s < contact_.size(); ++s) {
    const std::int32_t m = slots_.contact_of_slot[s];
    contact_[s] = cast<Real>(problem.contacts[m]);
    if (!warm.lambda.empty()) lambda_[s] = cast<Real>(warm.lambda[m]);
  }
  best_lambda_ = lambda_;

  const int n_env = problem.n_env();
  report_.assign(n_env, SolveReport{});
  if (!std::equal(env_first_node_.begin(), env_first_node_.end(), problem.env_node_begin.begin(),
                  problem.env_node_begin.end())) {
    env_first_node_.assign(problem.env_node_begin.begin(), problem.env_node_begin.end());
    w_.resize(n);
    w_unguarded_.resize(n);
    power_.resize(n);
    power_workspace_.resize(n);
    lambda_max_.assign(n_env, 0);
    steps_since_w_.assign(n_env, -1);
    partial_.resize(n_env);
  }
}

/// W by the rule of the options, then the guard: W times min(1, 1.9/(1.05 lambda_max)). Nesterov's
/// W is scaled to lambda_max <= 1.
template <class Real>
void VfpiLoop<Real>::prepare_step_size(int env, int n_thread) {
  int& age = steps_since_w_[env];
  if (age >= 0 && ++age < options_.w_recycle_steps) return;
  const RowRange rows{problem_->env_node_begin[env], problem_->env_node_begin[env + 1]};
  const BlockMatrix& A = problem_->A;
  double* w = w_unguarded_.data();
  fill_step_size(A, rows, options_.w, n_thread, w);
  if (age < 0) fill_power_start(rows, power_.data());
  const int products = age < 0 ? kColdPowerIterations : kWarmPowerIterations;
  const double lambda_max =
      estimate_lambda_max(A, rows, w, products, n_thread, power_.data(), power_workspace_.data());
  age = 0;

  double scale = std::min(1.0, kSpectralTarget / (kSpectralMargin * lambda_max));
  if (options_.w == WKind::alpha_identity) {
    double smallest = 0;  // sigma_min(A) is at least that of M/(theta t)
    if (!problem_->mass.empty())
      smallest = *std::min_element(problem_->mass.begin() + rows.begin,
                                   problem_->mass.begin() + rows.end) /
                 (problem_->theta * problem_->step_s);
    scale = std::min(2 / (smallest + lambda_max), kSpectralTarget / (kSpectralMargin * lambda_max));
  }
  if (options_.acceleration == Acceleration::nesterov) scale = 1 / (kSpectralMargin * lambda_max);
  if (!(lambda_max > 0)) scale = 1;
  for (int i = rows.begin; i < rows.end; ++i) w_[i] = static_cast<Real>(scale * w[i]);
  lambda_max_[env] = scale * lambda_max;
}

template <class Real>
typename VfpiLoop<Real>::Residual VfpiLoop<Real>::measure(int env, const Vec3<Real>* v,
                                                          int n_thread) {
  const int begin = problem_->env_node_begin[env], n = problem_->env_node_begin[env + 1] - begin;
  const VfpiView<Real> state = view();
  std::vector<Vec3<Real>>& force =
      gradient_;  // free between iterations: gradient_prev_ holds what Barzilai-Borwein keeps
  launch(
      n,
      [&](int k) {
        const int i = begin + k;
        Vec3<Real> f{};
        for (int s = state.slot_begin[i]; s < state.slot_begin[i + 1]; ++s)
          f += force_on_node(state.contact[s], state.lambda[s], false);
        force[i] = f;
      },
      n_thread);
  for (int k = slots_.coupled_node_begin[env]; k < slots_.coupled_node_begin[env + 1]; ++k) {
    Vec3<Real> f{};
    for (int e = state.coupled_begin[k]; e < state.coupled_begin[k + 1]; ++e) {
      const int slot = state.coupled_entry[e] >> 1;
      f +=
          force_on_node(state.contact[slot], state.lambda[slot], (state.coupled_entry[e] & 1) != 0);
    }
    force[state.coupled_node[k]] = f;
  }
  double* partial = partial_[env].data();
  const auto weighted = [&](int i, Vec3<Real> a) {
    return inverse_mass_[i] * squared_norm(cast<double>(a));
  };
  const double r = ordered_sum(
      n,
      [&](int k) {
        const int i = begin + k;
        return weighted(i, block_row_product(state.A, i, v) - b_[i] - force[i]);
      },
      partial, n_thread);
  const double f = ordered_sum(
      n, [&](int k) { return weighted(begin + k, force[begin + k]); }, partial, n_thread);
  const double b = ordered_sum(
      n, [&](int k) { return weighted(begin + k, b_[begin + k]); }, partial, n_thread);
  Residual residual;
  residual.absolute = std::sqrt(r);
  const double scale = std::sqrt(std::max(b, f));
  residual.relative = scale > 0 ? residual.absolute / scale : residual.absolute;
  residual.finite = std::isfinite(r) && std::isfinite(f) && std::isfinite(b);
  return residual;
}

/// Contact forces beyond what loads and gaps can call for: sum |lambda_m| > kUnboundedForce (sum
/// |b_i| + sum |phi_m| / d_m). Where contacts contradict each other the forces grow with every
/// iteration, and the scaled contact error falls although nothing is met.
template <class Real>
bool VfpiLoop<Real>::forces_unbounded(int env) const {
  if (!slots_.several[env]) return false;
  double force = 0, load = 0;
  for (int i = problem_->env_node_begin[env]; i < problem_->env_node_begin[env + 1]; ++i)
    load += norm(problem_->b[i]);
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(*problem_);
  for (std::size_t s = 0; s < contact_.size(); ++s) {
    const std::int32_t m = slots_.contact_of_slot[s];
    if (m < problem_->env_contact_begin[env] || m >= problem_->env_contact_begin[env + 1]) continue;
    force += norm(cast<double>(lambda_[s]));
    load += norm(problem_->contacts[m].phi) / diagonal[m].x;
  }
  return force > kUnboundedForce * load;
}

/// The contact part of the residual rule, at any (v, lambda).
template <class Real>
double VfpiLoop<Real>::contact_error(int env, const Vec3<Real>* v_env) const {
  std::vector<Vec3d> v(projected_.size()), lambda(contact_.size());
  for (int i = problem_->env_node_begin[env]; i < problem_->env_node_begin[env + 1]; ++i)
    v[i] = cast<double>(v_env[i]);
  const auto copy_slots = [&](int first, int last) {
    for (int s = first; s < last; ++s) lambda[slots_.contact_of_slot[s]] = cast<double>(lambda_[s]);
  };
  copy_slots(slots_.slot_begin[problem_->env_node_begin[env]],
             slots_.slot_begin[problem_->env_node_begin[env + 1]]);
  copy_slots(slots_.coupled_slot_begin[env], slots_.coupled_slot_begin[env + 1]);
  return natural_map_error(*problem_, env, v, lambda, delassus_diagonal_estimate(*problem_),
                           options_.projection);
}

/// The same at the iteration's own (v**, lambda): a node in one contact meets its conditions
/// exactly, so only environments with a node in several contacts have anything to measure.
template <class Real>
double VfpiLoop<Real>::iterate_contact_error(int env, const Vec3<Real>* v_projected) const {
  return slots_.several[env] ? contact_error(env, v_projected) : 0;
}

template <class Real>
void VfpiLoop<Real>::solve(int env, int n_thread) {
  const auto start = std::chrono::steady_clock::now();
  const int n = problem_->env_node_begin[env + 1] - problem_->env_node_begin[env];
  partial_[env].resize(2 * chunk_count(n));
  prepare_step_size(env, n_thread);
  const Vec3<Real>* v = iterate(env, n_thread);
  if (v != projected_.data()) {
    const int begin = problem_->env_node_begin[env];
    std::copy(v + begin, v + begin + n, projected_.begin() + begin);
  }
  report_[env].lambda_max_WA = lambda_max_[env];
  report_[env].time_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Real>
const Vec3<Real>* VfpiLoop<Real>::iterate(int env, int n_thread) {
  const int begin = problem_->env_node_begin[env], end = problem_->env_node_begin[env + 1],
            n = end - begin;
  const int coupled_first = slots_.coupled_node_begin[env];
  const int n_coupled = slots_.coupled_node_begin[env + 1] - coupled_first;
  const int slot_first = slots_.coupled_slot_begin[env];
  const int n_coupled_slot = slots_.coupled_slot_begin[env + 1] - slot_first;
  const int slot_begin = slots_.slot_begin[begin], slot_end = slots_.slot_begin[end];
  const bool barzilai_borwein =
      options_.w == WKind::bb1 || options_.w == WKind::bb2 || options_.w == WKind::bb_alternating;
  const bool fused = n_coupled == 0 && !barzilai_borwein;
  const bool one_contact_a_node = !slots_.several[env];
  const bool residual_rule = options_.stop == StopRule::residual;
  const VfpiView<Real> state = view();
  SolveReport& report = report_[env];

  Vec3<Real>* y = y_.data();
  Vec3<Real>* v_prev = v_prev_.data();
  Vec3<Real>* v_next = v_next_.data();
  Vec3<Real>* projected = projected_.data();
  double* partial = partial_[env].data();
  const int n_chunk = chunk_count(n);

  Acceleration acceleration = options_.acceleration;
  Real alpha = 1, nu = 1, momentum = 0;
  double nesterov_t = 1;
  const auto under_relaxation = acceleration == Acceleration::chebyshev
                                    ? static_cast<Real>(options_.under_relaxation)
                                    : Real(1);

  const auto extrapolate = [&] {
    return Extrapolate<Real>{extrapolation_of(acceleration),
                             nu,
                             under_relaxation,
                             momentum,
                             state.w,
                             y,
                             v_prev,
                             projected,
                             v_next};
  };
  const auto sum_chunks = [&] {
    Iteration sums;
    for (int c = 0; c < n_chunk; ++c) {
      sums.step_squared += partial[2 * c];
      sums.restart_dot += partial[2 * c + 1];
    }
    return sums;
  };
  // One pass over chunks of rows: gradient, contacts with the world, extrapolation and sums while
  // the chunk is in the nearest cache.
  const auto iteration_fused = [&] {
    const GradientStep<Real> gradient_step{state, y, alpha};
    const WorldContactSolve<Real> solve_contacts{state, alpha};
    const Extrapolate<Real> accelerate = extrapolate();
    launch(
        n_chunk,
        [=](int c) {
          const int first = begin + c * kChunk, last = std::min(first + kChunk, end);
          Vec3<Real> v[kChunk];
          for (int i = first; i < last; ++i) v[i - first] = gradient_step(i);
          if (one_contact_a_node) {
            for (int s = state.slot_begin[first]; s < state.slot_begin[last]; ++s) {
              const int k = state.contact[s].node_i - first;
              v[k] = solve_contacts.one_shot(s, v[k]);
            }
          } else {
            for (int i = first; i < last; ++i) v[i - first] = solve_contacts(i, v[i - first]);
          }
          accelerate(first, last - first, v, &partial[2 * c], &partial[2 * c + 1]);
        },
        n_thread);
    return sum_chunks();
  };
  // The same in phases: coupled contacts need v* of both nodes, Barzilai-Borwein needs sums over
  // the gradient first.
  const auto iteration_in_phases = [&](int l) {
    const GradientStep<Real> gradient_step{state, y, alpha};
    launch(
        n, [&](int k) { gradient_[begin + k] = gradient_step.gradient(begin + k); }, n_thread);
    if (barzilai_borwein && l > 1) {
      // s = v^l - v^(l-1), z = A s, in the metric of the unscaled W: alpha_1 = s W^-1 s / s z,
      // alpha_2 = s z / z W z.
      const auto s_of = [&](int i) { return cast<double>(y[i] - v_prev[i]); };
      const auto z_of = [&](int i) { return cast<double>(gradient_[i] - gradient_prev_[i]); };
      const auto sum = [&](auto term) {
        return ordered_sum(
            n, [&](int k) { return term(begin + k); }, partial, n_thread);
      };
      const double s_z = sum([&](int i) { return dot(s_of(i), z_of(i)); });
      const bool first_kind =
          options_.w == WKind::bb1 || (options_.w == WKind::bb_alternating && l % 2 == 0);
      const double ratio =
          first_kind ? sum([&](int i) { return squared_norm(s_of(i)) / state.w[i]; }) / s_z
                     : s_z / sum([&](int i) { return squared_norm(z_of(i)) * state.w[i]; });
      // The guard: w is scaled to lambda_max(WA) <= 1.9 already, so alpha may not exceed one. A
      // step that shows no curvature is skipped.
      if (s_z > 0 && std::isfinite(ratio)) alpha = static_cast<Real>(std::clamp(ratio, 1e-3, 1.0));
    }
    const WorldContactSolve<Real> solve_contacts{state, alpha};
    launch(
        n,
        [&](int k) {
          const int i = begin + k;
          v_next[i] = y[i] - alpha * state.w[i] * gradient_[i];
          projected[i] = solve_contacts(i, v_next[i]);
        },
        n_thread);
    const CoupledNodeVelocity<Real> node_velocity{state, alpha, v_next, projected};
    const CoupledContactSolve<Real> contact_solve{state, alpha, projected};
    launch(
        n_coupled, [&](int k) { node_velocity(coupled_first + k); }, n_thread);
    launch(
        n_coupled_slot, [&](int k) { contact_solve(slot_first + k); }, n_thread);
    launch(
        n_coupled, [&](int k) { node_velocity(coupled_first + k); }, n_thread);
    if (barzilai_borwein)
      std::copy(gradient_.begin() + begin, gradient_.begin() + end, gradient_prev_.begin() + begin);
    const Extrapolate<Real> accelerate = extrapolate();
    launch(
        n_chunk,
        [=](int c) {
          const int first = begin + c * kChunk, last = std::min(first + kChunk, end);
          accelerate(first, last - first, projected + first, &partial[2 * c], &partial[2 * c + 1]);
        },
        n_thread);
    return sum_chunks();
  };
  const auto copy_slots = [&](std::vector<Vec3<Real>>& from, std::vector<Vec3<Real>>* to) {
    std::copy(from.begin() + slot_begin, from.begin() + slot_end, to->begin() + slot_begin);
    std::copy(from.begin() + slot_first, from.begin() + slot_first + n_coupled_slot,
              to->begin() + slot_first);
  };
  const auto keep_best = [&] {
    std::copy(projected + begin, projected + end, best_v_.begin() + begin);
    copy_slots(lambda_, &best_lambda_);
  };
  const auto return_to_best = [&] {
    for (Vec3<Real>* v : {y, v_prev, projected})
      std::copy(best_v_.begin() + begin, best_v_.begin() + end, v + begin);
    copy_slots(best_lambda_, &lambda_);
  };
  // The safe iterations, from the best answer so far and on a W with lambda_max(WA) <= 1 that needs
  // no estimate: Nesterov with restart first, no extrapolation last (where contacts share nodes, an
  // extrapolated lambda may cycle).
  const auto fall_back = [&] {
    return_to_best();
    fill_step_size(problem_->A, {begin, end}, WKind::inf_norm, n_thread, w_unguarded_.data());
    for (int i = begin; i < end; ++i) w_[i] = static_cast<Real>(w_unguarded_[i]);
    lambda_max_[env] = 1;
    steps_since_w_[env] = -1;  // the next solve computes W anew
    acceleration =
        acceleration == Acceleration::nesterov ? Acceleration::none : Acceleration::nesterov;
    alpha = 1;
    momentum = 0;
    nesterov_t = 1;
    ++report.restarts;
  };

  double step = 0, step_before = 0, smallest_step = std::numeric_limits<double>::infinity();
  double best = std::numeric_limits<double>::infinity();
  int tests_without_progress = 0, accelerated = 0;
  report.status = SolveStatus::iteration_limit;
  keep_best();
  if (residual_rule) {
    // The starting point is the first candidate: an iterate that is worse is never returned to.
    const Residual r = measure(env, projected, n_thread);
    if (r.finite) best = std::max(r.relative, contact_error(env, projected));
  }
  double progress_mark = best;
  for (int l = 1; l <= options_.max_iterations; ++l) {
    ++accelerated;
    const Iteration sums = fused ? iteration_fused() : iteration_in_phases(l);
    step_before = step;
    step = std::sqrt(sums.step_squared);
    report.iterations = l;
    report.velocity_step = step;
    if (l == 1 && !std::isfinite(step)) {
      report.status = SolveStatus::not_a_number;
      report.reason =
          "the first iteration is not finite: A, b, phi or the starting velocity is not";
      return_to_best();
      return projected;
    }

    const bool test =
        residual_rule && (l % options_.check_every == 0 || l == options_.max_iterations);
    bool unsafe = !std::isfinite(step);
    if (test && !unsafe) {
      const Residual r = measure(env, projected, n_thread);
      const double error = r.finite ? std::max(r.relative, iterate_contact_error(env, projected))
                                    : std::numeric_limits<double>::infinity();
      if (forces_unbounded(env)) {
        report.status = SolveStatus::infeasible;
        report.reason = "contact forces grow without bound: contacts contradict each other";
        return projected;
      }
      if (error < best) {
        best = error;
        keep_best();
      }
      if (error <= options_.tolerance) {
        report.status = SolveStatus::converged;
        return projected;
      }
      if (r.absolute <= kAbsoluteFloor &&
          iterate_contact_error(env, projected) <= options_.tolerance) {
        report.absolute_floor = true;
        report.status = SolveStatus::converged;
        return projected;
      }
      tests_without_progress = best < 0.99 * progress_mark ? 0 : tests_without_progress + 1;
      if (tests_without_progress == 0) progress_mark = best;
      unsafe = !r.finite || r.relative > kGrowthLimit * std::max(best, options_.tolerance);
    } else if (!residual_rule && !unsafe) {
      if (step <= options_.tolerance) {
        report.status = SolveStatus::converged;
        return projected;
      }
      if (step < smallest_step) {
        smallest_step = step;
        if (l % options_.check_every == 0) keep_best();
      }
      unsafe = step > kGrowthLimit * kGrowthLimit * smallest_step;
    }

    const bool stalled =
        tests_without_progress >= (report.restarts > 0 ? kSafeStallTests : kStallTests);
    if (unsafe || stalled) {
      if (report.restarts == kFallbacks) {
        return_to_best();
        report.status = unsafe ? SolveStatus::diverged : SolveStatus::stalled;
        report.reason =
            unsafe ? "the residual grew in the safe iteration too" : "the residual no longer falls";
        return projected;
      }
      fall_back();
      tests_without_progress = 0;
      progress_mark = best;
      accelerated = 0;
      step = 0;
      continue;
    }

    // Parameters of the next extrapolation.
    if (acceleration == Acceleration::chebyshev) {
      const double rho =
          step_before > 0 ? std::min(step / step_before, 1.0) : 1.0;  // (39), 0/0 guarded
      const int next = accelerated + 1;
      if (next < options_.slow_start)
        nu = 1;
      else if (next == options_.slow_start)
        nu = static_cast<Real>(2 / (2 - rho * rho));
      else
        nu = static_cast<Real>(4 / (4 - rho * rho * static_cast<double>(nu)));
    } else if (acceleration == Acceleration::nesterov) {
      if (sums.restart_dot > 0) {
        nesterov_t = 1;
        momentum = 0;
        std::copy(projected + begin, projected + end, v_next + begin);
      } else {
        const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * nesterov_t * nesterov_t));
        momentum = static_cast<Real>((nesterov_t - 1) / t_next);
        nesterov_t = t_next;
      }
    }
    // v_prev <- y (Nesterov: v**), y <- v_next.
    std::swap(v_prev, acceleration == Acceleration::nesterov ? projected : y);
    std::swap(y, v_next);
  }
  if (residual_rule && best < std::numeric_limits<double>::infinity()) return_to_best();
  return projected;
}

template <class Real>
void VfpiLoop<Real>::take(Solution* out) const {
  cast_all(projected_.data(), projected_.size(), &out->v);
  out->lambda.resize(lambda_.size());
  for (std::size_t s = 0; s < lambda_.size(); ++s)
    out->lambda[slots_.contact_of_slot[s]] = cast<double>(lambda_[s]);
  out->env = report_;
}

template class VfpiLoop<double>;
template class VfpiLoop<float>;

}  // namespace nodia

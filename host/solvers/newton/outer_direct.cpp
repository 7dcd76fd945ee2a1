/// The outer iteration with factors: elimination along cables, dense or sparse Cholesky.
#include <algorithm>
#include <cmath>
#include <utility>

#include "host/solvers/newton/outer_iteration.hpp"

namespace nodia {
namespace {

/// Maximum number of products for a lower bound of |A^-1 r|_A.
constexpr int kResidualProducts = 40;
/// Sweeps of the safeguard, their start, and the Newton steps after each, while they converge.
enum class SweepFrom { best, zero, last };
constexpr std::pair<int, SweepFrom> kSafeguardSweeps[] = {{100, SweepFrom::best},
                                                          {400, SweepFrom::zero},
                                                          {1600, SweepFrom::last},
                                                          {6400, SweepFrom::last}};
constexpr int kFreeSteps = 12;
constexpr double kDivergence = 10;

}  // namespace

/// Error of (y, lambda) in the A-norm by the last factor: Newton decrement and missing forces.
double OuterIteration::estimate() {
  step_.solve(r_, &d_);
  decrement_ = std::sqrt(std::max(dot(r_, d_), 0.0));
  force_change_ = step_.force_change(y_, lambda_);
  return std::max({decrement_, smoothing_.sweep_change(), force_change_});
}

/// Error of A^-1 (b + J^T lambda), the velocity that the forces cause, in the norm of A: |A^-1 r -
/// d|_A, because the exact velocity is y + d to first order.
double OuterIteration::error_of_forces() {
  std::vector<Vec3d> r(y_.size());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = -g_[i];
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, lambda_[m], &r);
  system_.multiply(d_, &Kd_);
  return std::sqrt(
      std::max(energy_.squared(r, kResidualProducts) - 2 * dot(r, d_) + dot(d_, Kd_), 0.0));
}

bool OuterIteration::is_small(double error, SolveReport* report) {
  system_.multiply(y_, &Kd_);
  const double scale = std::sqrt(dot(y_, Kd_));
  const double bound = options_.tolerance * scale;
  const auto may_stop = [&] { return error <= bound || error <= rounding(); };
  if (may_stop()) error = std::max(error, error_of_forces());
  report->error_estimate = scale > 0 ? error / scale : (error > 0 ? 1.0 : 0.0);
  if (!may_stop() || !(imbalance() <= options_.tolerance)) return false;
  report->absolute_floor = error > bound;
  return true;
}

void OuterIteration::solve_without_contacts(SolveReport* report) {
  step_.factorise();
  step_.solve(system_.b, &y_);
  report->status = SolveStatus::converged;
  report->iterations = 1;
  report->error_estimate = 0;
}

/// Starts safeguard sweeps from the best iterate, then Newton steps; repeats with more sweeps.
/// @return true if it converged
bool OuterIteration::run_safeguard(SolveReport* report) {
  step_.keep_all_multipliers();
  smoothing_.forget_sweeps();
  std::vector<Vec3d> swept;
  for (const auto& [n_sweep, from] : kSafeguardSweeps) {
    if (from == SweepFrom::best) swept = best_lambda_;
    if (from == SweepFrom::zero) swept.assign(swept.size(), Vec3d{});
    if (!safeguard_.sweep(n_sweep, &y_, &swept)) return false;
    lambda_ = swept;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kFreeSteps; ++k) {
      system_.gradient(y_, &g_);
      step_.linearise(y_, lambda_, false);
      step_.residual(g_, &r_);
      if (!is_finite(r_)) break;
      step_.factorise();
      const double error = estimate();
      if (is_small(error, report)) {
        report->status = SolveStatus::converged;
        return true;
      }
      keep_best(error, report->error_estimate);
      if (error > kDivergence * least) break;
      least = std::min(least, error);
      if (!step_.solve_free_sections(r_, &d_)) break;
      for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += d_[i];
      step_.update_multipliers(y_, &lambda_);
      ++report->iterations;
    }
  }
  return false;
}

void OuterIteration::run_direct(SolveReport* report) {
  if (problem_.contacts.empty()) {
    solve_without_contacts(report);
    return;
  }
  system_.gradient(y_, &g_);
  for (bool first = true;; first = false) {
    smooth();
    linearise();
    if (refuse_what_is_not_finite(report)) break;
    if (!first) {
      const double error = estimate();
      if (is_small(error, report)) {
        report->status = SolveStatus::converged;
        return;
      }
      keep_best(error, report->error_estimate);
      if (!watch_progress(error)) {
        if (run_safeguard(report)) return;
        report->status = SolveStatus::stalled;
        report->reason = "the error no longer falls, with soft penalties and by sweeps too";
        break;
      }
      if (decrement_ < kInnerShare * force_change_) {
        step_.update_multipliers(y_, &lambda_);
        linearise();
      }
    }
    if (report->iterations >= options_.max_iterations) break;
    step_.factorise();
    step_.solve(r_, &d_);
    system_.multiply(d_, &Kd_);
    const double a = step_.line_search(g_, d_, Kd_);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] += a * d_[i];
      g_[i] += a * Kd_[i];
    }
    report->velocity_step = a * std::sqrt(dot(d_, d_));
    if (a > kWholeStep) step_.update_multipliers(y_, &lambda_);
    ++report->iterations;
  }
  take_best(report);
}

}  // namespace nodia

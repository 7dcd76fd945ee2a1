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
constexpr int kMostAfterSweeps = 1600;  ///< largest entry that runs after run_bodies()
constexpr int kFreeSteps = 12;
constexpr double kDivergence = 10;
/// In piles the line search cuts most steps. After kCutSteps consecutive steps below kCutBelow, the
/// solver restarts from sweeps, if more than kSlipping of the closed contacts slip. Towers and
/// walls at rest slip less; sweeps would distribute their forces wrongly. Sweeps also converge too
/// slowly if masses differ much.
constexpr int kCutSteps = 8;
constexpr double kCutBelow = 0.2, kSlipping = 0.05;

/// Share of the closed contacts that slip.
double slipping_share(const std::vector<ContactState>& states) {
  const auto count = [&](ContactState state) {
    return static_cast<double>(std::count(states.begin(), states.end(), state));
  };
  const double slip = count(ContactState::slip), closed = slip + count(ContactState::stick);
  return closed > 0 ? slip / closed : 0;
}

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

bool OuterIteration::is_small_with_forces(double error, SolveReport* report) {
  system_.multiply(y_, &Kd_);
  const double scale = std::sqrt(dot(y_, Kd_));
  if (error <= options_.tolerance * scale || error <= rounding())
    error = std::max(error, error_of_forces());
  return is_small(error, scale, report);
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
    if (sweeps_ && n_sweep > kMostAfterSweeps) break;
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
      if (is_small_with_forces(error, report)) {
        report->status = SolveStatus::converged;
        return true;
      }
      keep_best(*report);
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
  if (!balance_) begin_balance();
  const std::vector<Vec3d> start = lambda_;
  const bool can_sweep = BodySweeps::fits(system_, options_.projection);
  const bool by_load = can_sweep && balance_->has_unequal_masses();
  bool may_restart = can_sweep && !by_load;
  int n_cut = 0;
  for (bool first = true;; first = false) {
    smooth();
    if (may_restart && n_cut >= kCutSteps && slipping_share(step_.states()) > kSlipping) {
      may_restart = false;
      restart_from_sweeps(start);
      first = true;
    }
    linearise();
    if (refuse_what_is_not_finite(report)) break;
    if (!first) {
      const double error = estimate();
      if (is_small_with_forces(error, report)) {
        report->status = SolveStatus::converged;
        return;
      }
      keep_best(*report);
      if (!makes_progress(error) && !change_way()) {
        if (can_sweep && run_bodies(report)) return;
        if (!by_load && run_safeguard(report)) return;
        report->status = SolveStatus::stalled;
        report->reason = "the error no longer falls, with soft penalties and by sweeps too";
        break;
      }
      if (decrement_ < kInnerShare * force_change_) {
        step_.update_multipliers(y_, &lambda_);
        linearise();
      }
    }
    if (report->iterations >= most_steps()) break;
    step_.factorise();
    step_.solve(r_, &d_);
    system_.multiply(d_, &Kd_);
    const double a = step_.line_search(g_, d_, Kd_);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] += a * d_[i];
      g_[i] += a * Kd_[i];
    }
    n_cut = a < kCutBelow ? n_cut + 1 : 0;
    report->velocity_step = a * std::sqrt(dot(d_, d_));
    if (a > kWholeStep) step_.update_multipliers(y_, &lambda_);
    ++report->iterations;
  }
  take_best(report);
}

}  // namespace nodia

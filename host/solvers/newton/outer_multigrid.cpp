/// The outer iteration with multigrid: conjugate gradients stop early, and the first step of the
/// next solve gives the size of the error.
#include <algorithm>
#include <cmath>

#include "host/solvers/newton/outer_iteration.hpp"

namespace nodia {
namespace {

/// Conjugate gradients stop with a step that adds this share of the energy found.
constexpr double kEnoughEnergy = 0.09;
/// After kWholeSteps uncut steps, only early stops and held sections slow the convergence: steps
/// then use kLittleEnergy, and sections are released, once.
constexpr double kLittleEnergy = 0.01;
constexpr int kWholeSteps = 2;
/// Without contacts the last step has this share of the tolerance.
constexpr double kWithoutContacts = 1e-2;
/// kShortSteps steps below kShort, or kManySteps steps, end a start from 2 v - v_before.
constexpr double kShort = 0.05;
/// Directions are clipped if shorter than this share of |v|_A: further away, for example when a
/// body lands, single contacts do not predict the solution.
constexpr double kNear = 0.1;
/// The smoothing doubles after a step below this length.
constexpr double kCut = 0.6;
/// Where no contact force is known, contacts close layer by layer if the line search cuts the
/// steps; the first steps are therefore not cut.
constexpr int kUncutSteps = 15;
constexpr int kShortSteps = 3, kManySteps = 20;
/// If contacts close one by one, progress is slow, and factors cost more than kStepsBeforeFactors;
/// without factors the alternative is no solution.
constexpr int kStepsBeforeFactors = 120;

}  // namespace

double OuterIteration::velocity_scale() const {
  return std::sqrt(std::max(dot(y_, g_) + dot(y_, system_.b), 0.0));
}

/// Takes the first step towards K^-1 r; decrement_ is its size. @return false if it fails
bool OuterIteration::begin_step() {
  step_.assemble();
  if (!work_.multigrid.begin(step_, problem_.position, r_)) return false;
  decrement_ = work_.multigrid.decrement();
  force_change_ = step_.force_change(y_, lambda_);
  return true;
}

void OuterIteration::take_step(SolveReport* report) {
  if (std::vector<Vec3d> clipped = d_;
      decrement_ < kNear * velocity_scale() && step_.clip(&clipped) && step_.slope(g_, clipped) < 0)
    d_.swap(clipped);
  system_.multiply(d_, &Kd_);
  const bool whole = is_from_nothing_ && report->iterations < kUncutSteps;
  share_ = whole ? 1 : step_.line_search(g_, d_, Kd_);
  for (std::size_t i = 0; i < y_.size(); ++i) {
    y_[i] += share_ * d_[i];
    g_[i] += share_ * Kd_[i];
  }
  report->velocity_step = share_ * std::sqrt(dot(d_, d_));
  if (share_ > kWholeStep) step_.update_multipliers(y_, &lambda_);
  ++report->iterations;
}

/// Error of the velocity that the forces cause, in motions of whole bodies.
double OuterIteration::error_of_whole_bodies() {
  std::vector<Vec3d> residual(y_.size());
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = -g_[i];
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, lambda_[m], &residual);
  system_.relative.scatter(&residual);
  return std::sqrt(whole_body_energy()(residual));
}

/// Starts from 2 v - v_before if its augmented energy is less than that of the last v.
bool OuterIteration::extrapolate() {
  if (work_.before.size() != y_.size()) return false;
  std::vector<Vec3d> y = work_.before, g;
  system_.relative.to_relative(&y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2.0 * y_[i] - y[i];
  system_.gradient(y, &g);
  if (!(step_.energy(y, g, lambda_) < step_.energy(y_, g_, lambda_))) return false;
  y_.swap(y);
  g_.swap(g);
  return true;
}

bool OuterIteration::solve_smooth_problem(SolveReport* report) {
  const double share = kWithoutContacts * options_.tolerance, scale = velocity_scale();
  linearise();
  if (!begin_step() || !work_.multigrid.finish(share * share, share * share * scale * scale, &d_))
    return false;
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += d_[i];
  report->status = SolveStatus::converged;
  report->iterations = 1;
  report->error_estimate = share;
  return true;
}

/// @return true if the solve ends; otherwise the direct form continues from the best iterate
bool OuterIteration::run_multigrid(SolveReport* report) {
  work_.multigrid.start(system_, system_.n_thread());
  system_.gradient(y_, &g_);
  if (problem_.contacts.empty()) return solve_smooth_problem(report);
  begin_balance();
  const std::vector<Vec3d> last_y = y_, start_lambda = lambda_;
  is_from_nothing_ = std::all_of(lambda_.begin(), lambda_.end(),
                                 [](const Vec3d& force) { return squared_norm(force) == 0; });
  bool may_return = extrapolate(), may_let_go = true;
  int n_short = 0, n_whole = 0;
  smooth();
  linearise();
  while (!refuse_what_is_not_finite(report)) {
    if (!begin_step()) break;
    const double error = std::max({decrement_, smoothing_.sweep_change(), force_change_,
                                   step_.multiplier_lag(lambda_), error_of_whole_bodies()});
    if (is_small(error, velocity_scale(), report)) {
      report->status = SolveStatus::converged;
      return true;
    }
    keep_best(*report);
    if (report->iterations >= options_.max_iterations) {
      take_best(report);
      return true;
    }
    if (may_return && (n_short >= kShortSteps || report->iterations >= kManySteps)) {
      may_return = false;
      y_ = last_y;
      lambda_ = start_lambda;
      errors_.clear();
      system_.gradient(y_, &g_);
      smooth();
      linearise();
      continue;
    }
    if (!makes_progress(error) && !change_way()) {
      if (report->iterations >= (has_factors() ? kStepsBeforeFactors : kMostSteps)) break;
      errors_.clear();
    }
    if (decrement_ < kInnerShare * force_change_) {
      step_.update_multipliers(y_, &lambda_);
      linearise();
      if (!begin_step()) break;
    }
    if (!work_.multigrid.finish(n_whole < kWholeSteps ? kEnoughEnergy : kLittleEnergy, 0, &d_))
      break;
    take_step(report);
    n_short += share_ < kShort ? 1 : 0;
    n_whole = share_ == 1 ? n_whole + 1 : 0;
    if (hold_sections_ && n_whole >= kWholeSteps && may_let_go) {
      may_let_go = false;
      hold_sections_ = false;
    }
    smooth();
    if (share_ < kCut) smooth();
    linearise();
  }
  if (report->status == SolveStatus::not_a_number) return true;
  take_best(report);
  errors_.clear();
  return false;
}

}  // namespace nodia

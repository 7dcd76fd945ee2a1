/// The outer iteration where A is one block per body: sweeps over the contacts, and Newton steps of
/// the strict law in the forces, in turn (docs/solver.md, "Piles").
#include <algorithm>
#include <cmath>

#include "host/solvers/newton/outer_iteration.hpp"

namespace nodia {
namespace {

/// Sweeps before the soft penalties, and the change of the forces that ends them.
constexpr int kSweeps = 200;
constexpr double kSmallChange = 1e-6;
/// Sweeps between strict steps: the first number, which doubles, and the largest sum.
constexpr int kFirstSweeps = 20, kMostSweeps = 5100;
constexpr double kTinyChange = 1e-10;
constexpr int kStrictSteps = 15, kHalvings = 4;
/// A cut step must reduce the natural map by a tenth of its length, and to kEnoughDrop to go on.
constexpr double kSufficient = 0.1, kEnoughDrop = 0.7;

}  // namespace

BodySweeps& OuterIteration::sweeps() {
  if (!sweeps_) sweeps_.emplace(system_, options_.invertible_omega_m_Ns);
  return *sweeps_;
}

void OuterIteration::restart_from_sweeps(const std::vector<Vec3d>& start) {
  step_.continue_from_sweeps();
  errors_.clear();
  hold_sections_ = false;
  lambda_ = start;
  sweeps().run(kSweeps, kSmallChange, &y_, &lambda_);
  system_.gradient(y_, &g_);
}

/// Strict steps from (y, lambda), while they reduce the natural map. @return true if it converged
bool OuterIteration::take_strict_steps(SolveReport* report) {
  double natural = step_.natural_map(y_, lambda_);
  for (int k = 0; k < kStrictSteps; ++k) {
    system_.gradient(y_, &g_);
    step_.linearise(y_, lambda_, false);
    step_.residual(g_, &r_);
    if (!is_finite(r_)) return false;
    step_.factorise();
    if (is_small_with_forces(estimate(), report)) {
      report->status = SolveStatus::converged;
      return true;
    }
    keep_best(*report);
    if (report->iterations >= most_steps() || !step_.solve_free_sections(r_, &d_)) return false;
    ++report->iterations;
    const std::vector<Vec3d> before = lambda_;
    std::vector<Vec3d> y = y_, after = lambda_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += d_[i];
    step_.update_multipliers(y, &after);
    const double last = natural;
    double a = 1;
    for (int halving = 0;; ++halving, a /= 2) {
      const bool is_taken = halving <= kHalvings;
      for (std::size_t m = 0; m < before.size(); ++m)
        lambda_[m] = is_taken ? before[m] + a * (after[m] - before[m]) : before[m];
      sweeps().set_velocity(lambda_, &y_);
      if (!is_taken) return false;
      natural = step_.natural_map(y_, lambda_);
      if (natural < (1 - kSufficient * a) * last) break;
    }
    if (a < 1 && natural > kEnoughDrop * last) return false;
  }
  return false;
}

/// @return true if it converged
bool OuterIteration::run_bodies(SolveReport* report) {
  take_best(report);
  step_.keep_all_multipliers();
  sweeps().set_velocity(lambda_, &y_);
  if (take_strict_steps(report)) return true;
  int n_all = 0;
  for (int n = kFirstSweeps; n_all < kMostSweeps && report->iterations < most_steps(); n *= 2) {
    n = std::min(n, kMostSweeps - n_all);
    sweeps().run(n, kTinyChange, &y_, &lambda_);
    n_all += n;
    if (take_strict_steps(report)) return true;
  }
  return false;
}

}  // namespace nodia

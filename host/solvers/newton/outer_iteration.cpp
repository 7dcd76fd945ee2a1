#include "host/solvers/newton/outer_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nodia {
namespace {

constexpr int kSmoothings = 2, kManySmoothings = 8;
/// Progress is evaluated over this number of outer steps.
constexpr int kWindow = 4;
constexpr double kEnoughProgress = 0.5;
/// Maximum number of products for a lower bound of |A^-1 b|_A.
constexpr int kFloorProducts = 10;
/// An error below min(kFloor, kFloorByTolerance tolerance) |A^-1 b|_A is rounding.
constexpr double kFloor = 1e-6, kFloorByTolerance = 1e-2;

/// With more rows, factors take minutes per step.
constexpr int kMostRowsOfFactors = 15000;

}  // namespace

OuterIteration::OuterIteration(const ContactProblem& problem, const CommonOptions& options,
                               bool with_multigrid, const VelocityAndForce& start, int n_thread,
                               NewtonWork* work)
    : problem_(problem),
      options_(options),
      lambda_(start.lambda.size() > 0 ? split(start.lambda)
                                      : std::vector<Vec3d>(problem.contacts.size())),
      system_(problem, weights(), n_thread),
      smoothing_(system_, options.projection, options.invertible_omega_m_Ns, &work->direction),
      step_(system_, smoothing_, options.projection, options.invertible_omega_m_Ns, &work->solve,
            &work->K),
      energy_(system_, &work->chains),
      safeguard_(system_, options),
      work_(*work),
      with_multigrid_(with_multigrid),
      y_(start.v.size() > 0 ? split(start.v) : std::vector<Vec3d>(problem.b.size())),
      n_smoothing_(kSmoothings) {
  system_.relative.to_relative(&y_);
}

double OuterIteration::work_units() const {
  const double multiply_adds = step_.multiply_adds() + energy_.multiply_adds() +
                               safeguard_.multiply_adds() +
                               (sweeps_ ? sweeps_->multiply_adds() : 0) +
                               (with_multigrid_ ? work_.multigrid.multiply_adds() : 0);
  return system_.n_product() + multiply_adds / system_.multiply_adds_of_product();
}

VelocityAndForce OuterIteration::solution() {
  std::vector<Vec3d> v = y_;
  system_.relative.to_velocity(&v);
  return {stacked(v), stacked(lambda_)};
}

std::vector<double> OuterIteration::weights() const {
  std::vector<double> weight;
  for (const Vec3d& force : lambda_) weight.push_back(force.x);
  return weight;
}

void OuterIteration::smooth() {
  if (!system_.relative.smooths()) return;
  const bool there =
      with_multigrid_ && work_.multigrid.smooth(&smoothing_, n_smoothing_, &y_, &g_, &lambda_);
  for (int k = 0; !there && k < n_smoothing_; ++k) smoothing_.run(&y_, &g_, &lambda_);
  system_.count_products(n_smoothing_);
}

void OuterIteration::linearise() {
  step_.linearise(y_, lambda_, hold_sections_);
  step_.residual(g_, &r_);
}

bool OuterIteration::refuse_what_is_not_finite(SolveReport* report) const {
  if (is_finite(r_)) return false;
  report->status = SolveStatus::not_a_number;
  report->reason = "the problem or its numbers are too large";
  return true;
}

double OuterIteration::rounding() {
  if (floor_ < 0)
    floor_ = std::min(kFloor, kFloorByTolerance * options_.tolerance) *
             std::sqrt(with_multigrid_ ? whole_body_energy()(problem_.b)
                                       : energy_.squared(system_.b, kFloorProducts));
  return floor_;
}

const WholeBodyEnergy& OuterIteration::whole_body_energy() {
  if (!whole_body_energy_) whole_body_energy_.emplace(problem_);
  return *whole_body_energy_;
}

void OuterIteration::begin_balance() {
  std::vector<Vec3d> v = y_, free = g_;
  for (Vec3d& f : free) f = -f;
  system_.relative.to_velocity(&v);
  system_.relative.scatter(&free);
  balance_.emplace(problem_, v, free);
  step_.set_load_speeds(*balance_);
}

BodyError OuterIteration::body_error() {
  std::vector<Vec3d> residual = g_, v = y_;
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, -lambda_[m], &residual);
  system_.relative.scatter(&residual);
  system_.relative.to_velocity(&v);
  return balance_->worst(options_, v, lambda_, residual);
}

bool OuterIteration::is_small(double error, double scale, SolveReport* report) {
  const double bound = options_.tolerance * scale;
  const BodyError worst = body_error();
  const bool holds = worst.share <= options_.tolerance;
  report->error_estimate = scale > 0 ? error / scale : (error > 0 ? 1.0 : 0.0);
  report->worst_body = holds ? -1 : worst.body;
  last_error_ = std::max(error, worst.share * scale);
  if (!holds || !(error <= bound || error <= rounding())) return false;
  report->absolute_floor = error > bound;
  return true;
}

void OuterIteration::keep_best(const SolveReport& report) {
  if (!(last_error_ < best_error_)) return;
  best_error_ = last_error_;
  best_estimate_ = report.error_estimate;
  best_body_ = report.worst_body;
  best_y_ = y_;
  best_lambda_ = lambda_;
}

void OuterIteration::take_best(SolveReport* report) {
  if (best_y_.empty()) return;
  y_ = best_y_;
  lambda_ = best_lambda_;
  report->error_estimate = best_estimate_;
  report->worst_body = best_body_;
}

/// If friction is large, sliding can cycle between two states; only more smoothing and sections
/// that move half way end the cycle. Without further progress the penalties get softer.
/// @return false if all of this was tried
bool OuterIteration::change_way() {
  if (hold_sections_ && !step_.soften()) return false;
  hold_sections_ = true;
  n_smoothing_ = kManySmoothings;
  errors_.clear();
  return true;
}

/// True if the smallest error of the last steps is well below that of the steps before.
bool OuterIteration::makes_progress(double error) {
  errors_.push_back(error);
  const std::size_t n = errors_.size();
  if (n < 2 * kWindow) return true;
  const auto least = [&](std::size_t end) {
    return *std::min_element(errors_.begin() + static_cast<std::ptrdiff_t>(end - kWindow),
                             errors_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return least(n) <= kEnoughProgress * least(n - kWindow);
}

bool OuterIteration::has_factors() const {
  return system_.n_row() <= kMostRowsOfFactors;
}

void OuterIteration::run(SolveReport* report) {
  report->status = SolveStatus::iteration_limit;
  if (with_multigrid_) {
    if (run_multigrid(report)) return;
    if (!has_factors()) {
      report->status = SolveStatus::stalled;
      report->reason = fmt::format(
          "multigrid makes no progress, and {} rows are more than the {} that are factorised for "
          "it (solver.newton.linear_solver=direct factorises any)",
          system_.n_row(), kMostRowsOfFactors);
      return;
    }
  }
  run_direct(report);
}

}  // namespace nodia

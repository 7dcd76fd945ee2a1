#include "host/solvers/newton/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "host/solvers/newton/inverse_energy.hpp"
#include "host/solvers/newton/newton_step.hpp"
#include "host/solvers/newton/safeguard.hpp"
#include "host/solvers/solve_by_environment.hpp"

namespace nodia {
namespace {

constexpr int kSmoothings = 2, kManySmoothings = 8;
/// Progress is looked at over this many outer steps.
constexpr int kWindow = 4;
constexpr double kEnoughProgress = 0.5;
/// The multipliers of contacts that are not single follow a step that was not cut.
constexpr double kWholeStep = 0.9, kInnerShare = 0.2;
/// Where |A^-1 b|_A and |A^-1 r|_A are known from below, of so many products at most.
constexpr int kFloorProducts = 10, kResidualProducts = 40;
/// Sweeps of the safeguard and where they start, and Newton steps after each of these, while they
/// do not diverge.
enum class SweepFrom { best, zero, last };
constexpr std::pair<int, SweepFrom> kSafeguardSweeps[] = {{100, SweepFrom::best},
                                                          {400, SweepFrom::zero},
                                                          {1600, SweepFrom::last},
                                                          {6400, SweepFrom::last}};
constexpr int kFreeSteps = 12;
constexpr double kDivergence = 10;
/// An error of this share of |A^-1 b|_A is rounding, and this share of it by the tolerance.
constexpr double kFloor = 1e-6, kFloorByTolerance = 1e-2;

/// What one environment keeps between its solves.
struct NewtonWork {
  explicit NewtonWork(Factoriser factoriser) : solve(factoriser) {}

  DirectSolve solve;             ///< the analysis of the last pattern; changes no bits
  ChainSolve chains;             ///< likewise
  std::vector<Vec3d> direction;  ///< of the power iteration; part of the solver's memory
};

/// One environment's solve.
class OuterIteration {
 public:
  OuterIteration(const ContactProblem& problem, const CommonOptions& options,
                 const EnvironmentAnswer& start, NewtonWork* work)
      : problem_(problem),
        options_(options),
        lambda_(start.lambda.size() > 0 ? split(start.lambda)
                                        : std::vector<Vec3d>(problem.contacts.size())),
        system_(problem, weights()),
        smoothing_(system_, options.projection, options.invertible_omega_m_Ns, &work->direction),
        step_(system_, smoothing_, options.projection, options.invertible_omega_m_Ns, &work->solve),
        energy_(system_, &work->chains),
        safeguard_(system_, options),
        y_(start.v.size() > 0 ? split(start.v) : std::vector<Vec3d>(problem.b.size())) {
    system_.relative.to_relative(&y_);
  }

  void run(SolveReport* report);
  /// All that was done, in products with K.
  double work_units() const {
    return system_.n_product() +
           (step_.multiply_adds() + energy_.multiply_adds() + safeguard_.multiply_adds()) /
               system_.multiply_adds_of_product();
  }
  EnvironmentAnswer answer() {
    std::vector<Vec3d> v = y_;
    system_.relative.to_velocity(&v);
    return {stacked(v), stacked(lambda_)};
  }

 private:
  std::vector<double> weights() const {
    std::vector<double> weight;
    for (const Vec3d& force : lambda_) weight.push_back(force.x);
    return weight;
  }
  void smooth() {
    if (!system_.relative.smooths()) return;
    for (int k = 0; k < n_smoothing_; ++k) smoothing_.run(&y_, &g_, &lambda_);
  }
  void solve_without_contacts(SolveReport* report);
  double estimate();
  double error_of_forces();
  /// The smaller share of |A^-1 b|_A (kFloor).
  double rounding();
  bool is_small(double error, SolveReport* report);
  double imbalance() const;
  bool watch_progress(double error);
  bool run_safeguard(SolveReport* report);
  void keep_best(double error, double estimate);

  const ContactProblem& problem_;
  const CommonOptions& options_;
  std::vector<Vec3d> lambda_;
  RelativeSystem system_;
  Smoothing smoothing_;
  NewtonStep step_;
  InverseEnergy energy_;
  Safeguard safeguard_;
  std::vector<Vec3d> y_, g_, r_, d_, Kd_;
  std::vector<Vec3d> best_y_, best_lambda_;
  double best_error_ = std::numeric_limits<double>::infinity(), best_estimate_ = 0;
  std::vector<double> errors_;
  int n_smoothing_ = kSmoothings;
  bool hold_sections_ = false;
  double decrement_ = 0, force_change_ = 0;  ///< of the last estimate
  double floor_ = -1;                        ///< rounding(); < 0: not known yet
};

/// Error of (y, lambda) in the norm of A, by the last factor: the Newton decrement, and what the
/// coupled contacts lack.
double OuterIteration::estimate() {
  step_.solve(r_, &d_);
  decrement_ = std::sqrt(std::max(dot(r_, d_), 0.0));
  force_change_ = step_.force_change(y_, lambda_);
  return std::max({decrement_, smoothing_.sweep_change(), force_change_});
}

/// Error of A^-1 (b + J^T lambda), the velocity that the forces cause, in the norm of A:
/// |A^-1 r - d|_A, as the exact velocity is y + d to first order.
double OuterIteration::error_of_forces() {
  std::vector<Vec3d> r(y_.size());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = -g_[i];
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, lambda_[m], &r);
  system_.multiply(d_, &Kd_);
  return std::sqrt(
      std::max(energy_.squared(r, kResidualProducts) - 2 * dot(r, d_) + dot(d_, Kd_), 0.0));
}

bool OuterIteration::is_small(double error, SolveReport* report) {
  std::vector<Vec3d>& product = Kd_;
  system_.multiply(y_, &product);
  const double scale = std::sqrt(dot(y_, product));
  const double bound = options_.tolerance * scale;
  const auto may_stop = [&] { return error <= bound || error <= rounding(); };
  if (may_stop()) error = std::max(error, error_of_forces());
  report->error_estimate = scale > 0 ? error / scale : (error > 0 ? 1.0 : 0.0);
  if (!may_stop() || !(imbalance() <= options_.tolerance)) return false;
  report->absolute_floor = error > bound;
  return true;
}

double OuterIteration::rounding() {
  if (floor_ < 0)
    floor_ = std::min(kFloor, kFloorByTolerance * options_.tolerance) *
             std::sqrt(energy_.squared(system_.b, kFloorProducts));
  return floor_;
}

/// Radius of gyration of a rigid body's blocks of A [m]: what a torque is compared with a force by.
double radius_of_gyration(const ContactProblem& problem, const Body& body) {
  const auto of = [&](int row) { return trace(problem.A.block(problem.A.pattern->diagonal[row])); };
  return std::sqrt(of(body.first_row + 1) / of(body.first_row));
}

/// Largest error of the force on a body, over the net contact force on it, or over a thousandth of
/// all that presses on it; of a rigid body that of the torque too, over the net torque, or over
/// that force at the radius of gyration.
double OuterIteration::imbalance() const {
  std::vector<Vec3d> force(y_.size()), residual = g_;
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, lambda_[m], &force);
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= force[i];
  system_.relative.scatter(&force);
  system_.relative.scatter(&residual);
  const Topology& topology = *problem_.topology[0];
  double worst = 0;
  for (const Body& body : topology.bodies) {
    if (body.kind == BodyKind::robot) continue;
    Vec3d net{}, error{};
    double pressing = 0;
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i) {
      if (topology.kind[i] == RowKind::angular) continue;
      net += force[i];
      error += residual[i];
      pressing += norm(force[i]);
    }
    const double scale = std::max(norm(net), 1e-3 * pressing);
    if (!(scale > 0)) continue;
    worst = std::max(worst, norm(error) / scale);
    if (body.kind != BodyKind::rigid) continue;
    const int angular = body.first_row + 1;
    worst = std::max(
        worst, norm(residual[angular]) /
                   std::max(norm(force[angular]), scale * radius_of_gyration(problem_, body)));
  }
  return worst;
}

void OuterIteration::keep_best(double error, double estimate) {
  if (!(error < best_error_)) return;
  best_error_ = error;
  best_estimate_ = estimate;
  best_y_ = y_;
  best_lambda_ = lambda_;
}

/// Sliding where friction is large can cycle between two states: more smoothing and sections that
/// move half way only end that. What still makes no progress gets softer penalties.
/// @return false where all that has been tried
bool OuterIteration::watch_progress(double error) {
  errors_.push_back(error);
  const std::size_t n = errors_.size();
  if (n < 2 * kWindow) return true;
  const auto least = [&](std::size_t end) {
    return *std::min_element(errors_.begin() + static_cast<std::ptrdiff_t>(end - kWindow),
                             errors_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  if (least(n) <= kEnoughProgress * least(n - kWindow)) return true;
  if (hold_sections_ && !step_.soften()) return false;
  hold_sections_ = true;
  n_smoothing_ = kManySmoothings;
  errors_.clear();
  return true;
}

void OuterIteration::solve_without_contacts(SolveReport* report) {
  step_.factorise();
  step_.solve(system_.b, &y_);
  report->status = SolveStatus::converged;
  report->iterations = 1;
  report->error_estimate = 0;
}

/// Sweeps from the best answer, and Newton steps from where they end; more sweeps where those lead
/// nowhere. @return whether it converged
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

void OuterIteration::run(SolveReport* report) {
  report->status = SolveStatus::iteration_limit;
  if (problem_.contacts.empty()) {
    solve_without_contacts(report);
    return;
  }
  system_.gradient(y_, &g_);
  for (int k = 0;; ++k) {
    smooth();
    step_.linearise(y_, lambda_, hold_sections_);
    step_.residual(g_, &r_);
    if (!is_finite(r_)) {
      report->status = SolveStatus::not_a_number;
      report->reason = "the problem or its numbers are too large";
      break;
    }
    if (k > 0) {
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
        step_.linearise(y_, lambda_, hold_sections_);
        step_.residual(g_, &r_);
      }
    }
    if (k >= options_.max_iterations) break;
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
    report->iterations = k + 1;
  }
  if (!best_y_.empty()) {
    y_ = best_y_;
    lambda_ = best_lambda_;
    report->error_estimate = best_estimate_;
  }
}

const char* const kDirection = "power_iteration";

class NewtonSolver final : public ContactSolver {
 public:
  explicit NewtonSolver(const CommonOptions& options) : options_(options) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const auto n_env = static_cast<std::size_t>(problem.n_env());
    if (work_.size() > n_env) work_.clear();
    while (work_.size() < n_env) work_.emplace_back(options_.factor.factoriser);
    solve_by_environment(problem, warm, options_, out,
                         [&](int env, const ContactProblem& own, const EnvironmentAnswer& start,
                             EnvironmentAnswer* answer, SolveReport* report) {
                           OuterIteration iteration(own, options_, start, &work_[env]);
                           iteration.run(report);
                           report->work_units = iteration.work_units();
                           *answer = iteration.answer();
                         });
  }

  SolverMemory memory() override {
    SolverMemory all;
    for (const NewtonWork& work : work_) {
      EnvironmentMemory& own = all.emplace_back();
      std::vector<double>& numbers = own[kDirection];
      for (const Vec3d& x : work.direction) numbers.insert(numbers.end(), {x.x, x.y, x.z});
    }
    return all;
  }
  void set_memory(const SolverMemory& memory) override {
    work_.clear();
    for (const EnvironmentMemory& own : memory) {
      NewtonWork& work = work_.emplace_back(options_.factor.factoriser);
      const auto found = own.find(kDirection);
      if (found == own.end()) continue;
      for (std::size_t k = 0; k + 2 < found->second.size(); k += 3)
        work.direction.push_back({found->second[k], found->second[k + 1], found->second[k + 2]});
    }
  }
  void forget(int env) override {
    if (env < static_cast<int>(work_.size())) work_[env].direction.clear();
  }

 private:
  CommonOptions options_;
  std::vector<NewtonWork> work_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_newton_solver(const SolverOptions& options) {
  return std::make_unique<NewtonSolver>(options);
}

}  // namespace nodia

#include "host/solvers/proximal_newton/proximal_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/solvers/proximal_newton/block_gauss_seidel.hpp"
#include "host/solvers/proximal_newton/newton_direction.hpp"

namespace nodia {
namespace {

/// Limit of sweeps, and sweeps between recomputations of u from lambda against drift.
constexpr int kSweeps = 100, kRefresh = 16;
/// Range of alpha, over the largest compliance of a contact.
constexpr double kFirstAlpha = 1e-2, kLeastAlpha = 1e-12, kLargestAlpha = 1e3;
constexpr double kFall = 0.1, kSlowFall = 0.3, kRise = 5;
/// Newton steps of a proximal point: up to kFewSteps reduce alpha fast, after kMostSteps it fails.
constexpr int kFewSteps = 6, kManySteps = 12, kMostSteps = 15;
/// Value of rho sqrt(alpha).
constexpr double kShare = 3;
/// |F| of a proximal point over its initial value: for alpha above kLooseAlpha, and below.
constexpr double kLoose = 1e-2, kTight = 1e-4, kLooseAlpha = 1e-6;
/// |F| of a step is compared with the largest of this number of earlier values.
constexpr std::size_t kMemory = 6;
constexpr double kDecrease = 1e-4;
constexpr int kHalvings = 8;
/// Proximal points in a row without a smaller error before the method counts as stalled.
constexpr int kIdlePoints = 12;
/// Forces beyond kLargeForce times the demand of the free velocities, with a law error of more than
/// kMissed of these velocities, diverge.
constexpr double kLargeForce = 1e6, kMissed = 1e-3;

class ProximalNewton {
 public:
  ProximalNewton(const LocalProblem& problem, const Eigen::VectorXd& start, int max_iterations,
                 const LocalObserver& observe)
      : scaled_(equilibrate(problem)),
        direction_(scaled_.problem),
        max_iterations_(max_iterations),
        observe_(observe),
        x_(start.cwiseQuotient(scaled_.s)) {}

  LocalSolution run() {
    if (!scaled_.problem.is_finite() || !x_.allFinite())
      return end(SolveStatus::not_a_number, "the problem is not finite");
    if (!sweep_states()) follow_proximal_points();
    return solution_;
  }

 private:
  LocalSolution end(SolveStatus status, const char* reason) {
    solution_.status = status;
    solution_.reason = reason;
    return solution_;
  }
  int iterations() const { return solution_.sweeps + solution_.newton_steps; }
  bool observed(const Eigen::VectorXd& u) const {
    return observe_(scaled_.s.cwiseProduct(x_), u.cwiseQuotient(scaled_.s));
  }

  /// @return true if it found the solution
  bool sweep_states() {
    Eigen::VectorXd u = scaled_.problem.velocity(x_);
    while (solution_.sweeps < std::min(kSweeps, max_iterations_)) {
      sweep(scaled_.problem, &x_, &u);
      ++solution_.sweeps;
      if (solution_.sweeps % kRefresh == 0) u = scaled_.problem.velocity(x_);
      if (!observed(u)) continue;
      end(SolveStatus::converged, "");
      return true;
    }
    return false;
  }

  void follow_proximal_points() {
    double alpha = kFirstAlpha, least = std::numeric_limits<double>::infinity();
    int idle = 0;
    while (true) {
      if (iterations() >= max_iterations_) {
        end(SolveStatus::iteration_limit, "");
        return;
      }
      proximal_ = {alpha, kShare / std::sqrt(alpha), x_};
      ++solution_.proximal_steps;
      const int before = solution_.newton_steps;
      const Step step = newton();
      // |F| without regularisation, with one parameter for every alpha.
      const double error = direction_.residual({0, 1, x_}, x_);
      const double q = scaled_.problem.q.norm();
      if (x_.norm() > kLargeForce * q && error > kMissed * q) {
        end(SolveStatus::infeasible,
            "forces grow without end: no velocity meets all contact conditions");
        return;
      }
      if (step == Step::solution) {
        end(SolveStatus::converged, "");
        return;
      }
      idle = error < 0.9 * least ? 0 : idle + 1;
      least = std::min(least, error);
      if (idle >= kIdlePoints) {
        end(SolveStatus::stalled, "proximal points no longer lower the error");
        return;
      }
      const int steps = solution_.newton_steps - before;
      if (step == Step::none) {
        alpha *= kRise;
        if (alpha > kLargestAlpha) {
          end(SolveStatus::stalled, "Newton's method finds no proximal point next to the last one");
          return;
        }
      } else if (steps <= kManySteps) {
        alpha = std::max(kLeastAlpha, alpha * (steps <= kFewSteps ? kFall : kSlowFall));
      }
    }
  }

  enum class Step { point, none, solution };

  /// Steps from x_k to the proximal point; returns to x_k on failure.
  Step newton() {
    double F = direction_.linearise(proximal_, x_);
    const double goal = F * (proximal_.alpha > kLooseAlpha ? kLoose : kTight);
    std::vector<double> before;
    for (int k = 0; k < kMostSteps && iterations() < max_iterations_; ++k) {
      before.push_back(F);
      const std::size_t from = before.size() > kMemory ? before.size() - kMemory : 0;
      const double largest =
          *std::max_element(before.begin() + static_cast<std::ptrdiff_t>(from), before.end());
      ++solution_.newton_steps;
      Eigen::VectorXd d;
      if (!direction_.solve(&d)) break;
      x_ += length(d, largest) * d;
      F = direction_.linearise(proximal_, x_);
      if (!std::isfinite(F)) break;
      if (observed(scaled_.problem.velocity(x_))) return Step::solution;
      if (F <= goal) return Step::point;
    }
    x_ = proximal_.at;
    return Step::none;
  }

  /// Length of a step along d: the first that decreases |F|, otherwise that of the smallest |F|.
  double length(const Eigen::VectorXd& d, double largest) const {
    double share = 1, best = 1, least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kHalvings; ++k, share /= 2) {
      const double F = direction_.residual(proximal_, x_ + share * d);
      if (F <= (1 - kDecrease * share) * largest) return share;
      if (F < least) {
        least = F;
        best = share;
      }
    }
    return best;
  }

  ScaledLocalProblem scaled_;
  NewtonDirection direction_;
  int max_iterations_;
  const LocalObserver& observe_;
  Eigen::VectorXd x_;
  Proximal proximal_;
  LocalSolution solution_;
};

}  // namespace

LocalSolution proximal_newton(const LocalProblem& problem, const Eigen::VectorXd& start,
                              int max_iterations, const LocalObserver& observe) {
  return ProximalNewton(problem, start, max_iterations, observe).run();
}

}  // namespace nodia

#include "host/solvers/complementarity/prox_iteration.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "fem/matrix/symmetric_eigen.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// An iterate larger than this times the first step has diverged.
constexpr double kGrowth = 1e12;
/// Curvature r |A dx|/|dx| of the adaptive factor: a step above kTooLong is repeated with the
/// factor that gives kAimed; below kShort the factor grows by kLonger.
constexpr double kTooLong = 1.6, kAimed = 1.2, kShort = 0.9, kLonger = 1.1;
constexpr int kMostRetries = 60;
/// Eigenvalues below this share of the largest are zero.
constexpr double kZeroEigenvalue = 1e-9;

void require_options(const ProxOptions& o) {
  require(o.factor != ProxFactor::given || (o.r > 0 && std::isfinite(o.r)), "prox, r", o.r,
          "finite and > 0", "");
  require(o.zeta >= 0 && std::isfinite(o.zeta), "prox, zeta", o.zeta, "finite and >= 0", "");
  require(o.max_iterations >= 1, "prox, max_iterations", o.max_iterations, ">= 1", "");
}

double first_factor(const Mlcp& mlcp, const ProxOptions& options) {
  if (options.factor == ProxFactor::given) return options.r;
  Eigen::MatrixXd A = mlcp.A;
  A.diagonal().array() += options.zeta;
  if (options.factor == ProxFactor::eigenvalues) return factor_from_eigenvalues(A);
  const double largest = A.size() > 0 ? A.cwiseAbs().diagonal().maxCoeff() : 0;
  return largest > 0 && std::isfinite(largest) ? 1 / largest : 1;
}

}  // namespace

double factor_from_eigenvalues(const Eigen::MatrixXd& A) {
  if (A.size() == 0 || !A.allFinite()) return 1;
  const bool symmetric = (A - A.transpose()).norm() <= 1e-12 * A.norm();
  const Eigen::VectorXd eta =
      symmetric
          ? symmetric_eigenvalues(A).values
          : Eigen::VectorXd(Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues().real());
  const double largest = eta.maxCoeff();
  if (!(largest > 0)) return 1;
  double least = largest;
  for (const double e : eta)
    if (e > kZeroEigenvalue * largest) least = std::min(least, e);
  return 2 / (largest + least);
}

ProxSolution prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                              const ProxStop& stop) {
  mlcp.validate();
  require_options(options);
  require(start.size() == mlcp.size(), "prox, start", static_cast<double>(start.size()),
          "of the problem's size", "");
  ProxSolution solution;
  solution.x = std::move(start);
  const auto end = [&](SolveStatus status, const char* reason) {
    solution.status = status;
    solution.reason = reason;
    return solution;
  };
  if (!mlcp.A.allFinite() || !mlcp.b.allFinite() || !solution.x.allFinite())
    return end(SolveStatus::not_a_number, "the problem is not finite");

  solution.r = first_factor(mlcp, options);
  Eigen::VectorXd& x = solution.x;
  Eigen::VectorXd w = mlcp.A * x + mlcp.b, next, step, dw;
  double bound = 0, step_at_half = 0, last_step = 0;
  int n_unchanged = 0;
  while (solution.iterations < options.max_iterations) {
    for (int k = 0;; ++k) {
      next = x - solution.r * (w + options.zeta * x);
      project(mlcp.sets, &next);
      step = next - x;
      dw.noalias() = mlcp.A * step;
      if (options.factor != ProxFactor::adaptive || k >= kMostRetries) break;
      const double curvature =
          step.norm() > 0 ? solution.r * (dw + options.zeta * step).norm() / step.norm() : 1;
      if (curvature > kTooLong) {
        solution.r *= kAimed / curvature;
        continue;
      }
      if (curvature < kShort) solution.r *= kLonger;
      break;
    }
    ++solution.iterations;
    last_step = step.norm();
    if (solution.iterations == 1)
      bound = kGrowth * std::max({last_step, x.norm(), solution.r * mlcp.b.norm()});
    x = next;
    w.noalias() = mlcp.A * x;
    w += mlcp.b;
    if (!x.allFinite() || (bound > 0 && x.norm() > bound))
      return end(SolveStatus::diverged, "impulses grew beyond all bounds");
    if (stop(x, w)) return end(SolveStatus::converged, "");
    n_unchanged = last_step == 0 ? n_unchanged + 1 : 0;
    if (n_unchanged >= 2) return end(SolveStatus::stalled, "impulses no longer change");
    if (solution.iterations == options.max_iterations / 2) step_at_half = last_step;
  }
  // An adaptive factor produces steps of any length.
  return options.factor != ProxFactor::adaptive && step_at_half > 0 && last_step > 2 * step_at_half
             ? end(SolveStatus::diverged, "impulses move further and further apart")
             : end(SolveStatus::iteration_limit, "");
}

ProxSolution prox_fixed_point(const Mlcp& mlcp, const ProxOptions& options, Eigen::VectorXd start,
                              double tolerance) {
  require(tolerance > 0, "prox, tolerance", tolerance, "> 0", "try 1e-6");
  if (start.size() == mlcp.size() && start.allFinite()) {
    mlcp.validate();
    Eigen::VectorXd nearest = start;
    project(mlcp.sets, &nearest);
    // An infeasible start is no solution, whatever its error.
    if (nearest == start && cck_error(mlcp, start, mlcp.A * start + mlcp.b) <= tolerance) {
      ProxSolution solution;
      solution.x = std::move(start);
      solution.status = SolveStatus::converged;
      return solution;
    }
  }
  return prox_fixed_point(mlcp, options, std::move(start),
                          [&](const Eigen::VectorXd& x, const Eigen::VectorXd& w) {
                            return cck_error(mlcp, x, w) <= tolerance;
                          });
}

}  // namespace nodia

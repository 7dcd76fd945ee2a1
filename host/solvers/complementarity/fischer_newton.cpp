#include "host/solvers/complementarity/fischer_newton.hpp"

#include <cmath>
#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// A point with |V^T Psi| below this share of |V| |Psi| is stationary.
constexpr double kStationary = 1e-12;
constexpr int kMostShortenings = 60;
/// A point is also stationary after kMostSlow steps that decrease |Psi| by less than this share.
constexpr double kSlow = 1e-9;
constexpr int kMostSlow = 10;

/// sqrt(a^2 + b^2) - a - b without cancellation where a + b > 0.
double fischer(double a, double b) {
  const double length = std::hypot(a, b), sum = a + b;
  return sum > 0 ? -2 * a * b / (length + sum) : length - sum;
}

struct Point {
  Eigen::VectorXd x, y, psi;
  double norm = 0;
};

Point at(const Lcp& lcp, Eigen::VectorXd x) {
  Point p;
  p.y = lcp.M * x + lcp.q;
  p.x = std::move(x);
  p.psi.resize(lcp.size());
  for (int i = 0; i < lcp.size(); ++i) p.psi[i] = fischer(p.x[i], p.y[i]);
  p.norm = p.psi.norm();
  return p;
}

Eigen::MatrixXd generalised_jacobian(const Lcp& lcp, const Point& p) {
  Eigen::MatrixXd V = lcp.M;
  for (int i = 0; i < lcp.size(); ++i) {
    const double length = std::hypot(p.x[i], p.y[i]);
    const double kink = 1 / std::sqrt(2.0);
    const double a = (length > 0 ? p.x[i] / length : kink) - 1;
    const double b = (length > 0 ? p.y[i] / length : kink) - 1;
    V.row(i) *= b;
    V(i, i) += a;
  }
  return V;
}

void require_options(const FischerOptions& o) {
  require(o.tolerance > 0, "fischer, tolerance", o.tolerance, "> 0", "try 1e-10");
  require(o.max_iterations >= 1, "fischer, max_iterations", o.max_iterations, ">= 1", "try 200");
  require(o.damping > 0 && std::isfinite(o.damping), "fischer, damping", o.damping,
          "finite and > 0", "try 1e-3");
  require(o.sigma > 0 && o.sigma < 1, "fischer, sigma", o.sigma, "in (0, 1)", "try 0.5");
  require(o.beta > 0 && o.beta < 1, "fischer, beta", o.beta, "in (0, 1)", "try 1e-4");
  require(o.gamma > 0 && o.gamma < 1, "fischer, gamma", o.gamma, "in (0, 1)", "try 0.9");
}

}  // namespace

LcpSolution fischer_newton(const Lcp& lcp, const FischerOptions& options,
                           const Eigen::VectorXd& start,
                           const std::function<void(const Eigen::VectorXd&, double)>& observe) {
  lcp.validate();
  require_options(options);
  const int n = lcp.size();
  require(start.size() == 0 || start.size() == n, "fischer, start",
          static_cast<double>(start.size()), "empty or of the problem's size", "");
  LcpSolution solution;
  solution.z = Eigen::VectorXd::Zero(n);
  const auto end = [&](SolveStatus status, const char* reason) {
    solution.status = status;
    solution.reason = reason;
    return solution;
  };
  if (!lcp.is_finite() || !start.allFinite())
    return end(SolveStatus::not_a_number, "the problem is not finite");
  if (n == 0) return end(SolveStatus::converged, "");

  const ScaledLcp scaled = equilibrate(lcp);
  const Lcp& s = scaled.lcp;
  Point p = at(s, start.size() == 0 ? Eigen::VectorXd::Zero(n)
                                    : Eigen::VectorXd(start.cwiseQuotient(scaled.column)));
  const double at_zero = at(s, Eigen::VectorXd::Zero(n)).norm;
  const double goal = options.tolerance * (at_zero > 0 ? at_zero : 1);
  int n_slow = 0;
  while (true) {
    if (observe) observe(p.x, p.norm);
    solution.z = scaled.column.cwiseProduct(p.x);
    if (p.norm <= goal) return end(SolveStatus::converged, "");
    if (solution.iterations >= options.max_iterations) return end(SolveStatus::iteration_limit, "");
    const Eigen::MatrixXd V = generalised_jacobian(s, p);
    const Eigen::VectorXd gradient = V.transpose() * p.psi;
    if (gradient.norm() <= kStationary * V.norm() * p.norm)
      return end(SolveStatus::stalled, "a stationary point of the merit function, no solution");
    Eigen::MatrixXd H = V.transpose() * V;
    // Redundant contacts make V singular at the solution, so mu exceeds the rounding of V^T V.
    const double rounding = n * std::numeric_limits<double>::epsilon() * H.diagonal().maxCoeff();
    H.diagonal().array() += std::max(options.damping * p.norm * p.norm, rounding);
    const Eigen::VectorXd d = -H.ldlt().solve(gradient);
    ++solution.iterations;
    Point next = at(s, p.x + d);
    if (!(next.norm <= options.gamma * p.norm)) {
      const double slope = gradient.dot(d), f = p.norm * p.norm / 2;
      double share = 1;
      int k = 0;
      while (!(next.norm * next.norm / 2 <= f + options.beta * share * slope)) {
        if (++k > kMostShortenings || !(slope < 0))
          return end(SolveStatus::stalled,
                     "no step decreases the merit function: stationary, but no solution");
        share *= options.sigma;
        next = at(s, p.x + share * d);
      }
    }
    n_slow = next.norm > (1 - kSlow) * p.norm ? n_slow + 1 : 0;
    if (n_slow == kMostSlow)
      return end(SolveStatus::stalled,
                 "steps no longer decrease the merit function: stationary, but no solution");
    p = std::move(next);
  }
}

}  // namespace nodia

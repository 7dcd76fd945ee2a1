#include "host/solvers/delassus/apgd.hpp"

#include <cmath>

#include "kernels/contact/law.hpp"

namespace nodia {
namespace {

/// Limit of doublings of the curvature estimate in one backtracking, far beyond any eigenvalue.
constexpr int kMaxBacktracks = 200;

void project_all(Projection kind, const ContactProblem& problem, Eigen::VectorXd* lambda) {
  for (int m = 0; m < problem.n_contact(); ++m) {
    const Contact<double>& c = problem.contacts[m];
    const int k = 3 * m;
    const Vec3d trial{(*lambda)[k], (*lambda)[k + 1], (*lambda)[k + 2]};
    const Vec3d projected = project(kind, trial, c.mu1, c.mu2);
    for (int axis = 0; axis < 3; ++axis) (*lambda)[k + axis] = projected[axis];
  }
}

/// First estimate of the curvature: |D (lambda - 1)|/|lambda - 1|.
double initial_curvature(const Eigen::MatrixXd& D, const Eigen::VectorXd& lambda) {
  Eigen::VectorXd direction = lambda.array() - 1;
  if (direction.squaredNorm() == 0) direction.setOnes();
  return (D * direction).norm() / direction.norm();
}

}  // namespace

void ApgdSolver::iterate(const DelassusOperator& op, const ContactProblem& problem,
                         Eigen::VectorXd lambda, ForceMonitor* monitor) const {
  const Eigen::MatrixXd& D = op.matrix();
  project_all(options().projection, problem, &lambda);
  double curvature = initial_curvature(D, lambda);
  double theta = 1;
  Eigen::VectorXd u = D * lambda + op.bias();
  Eigen::VectorXd y = lambda, gradient = u;  // gradient = D y + d
  Eigen::VectorXd next, next_u, step;
  do {
    for (int k = 0; k < kMaxBacktracks; ++k) {
      next = y - gradient / curvature;
      project_all(options().projection, problem, &next);
      next_u.noalias() = D * next;
      next_u += op.bias();
      step = next - y;
      // f(next) <= f(y) + gradient . step + curvature/2 |step|^2, in a form without cancellation
      if (!(step.dot(next_u - gradient) > curvature * step.squaredNorm())) break;
      curvature *= 2;
    }
    const double next_theta = (-theta * theta + theta * std::sqrt(theta * theta + 4)) / 2;
    const double beta = theta * (1 - theta) / (theta * theta + next_theta);
    const bool uphill = gradient.dot(next - lambda) > 0;
    if (uphill) {
      y = next;
      gradient = next_u;
      theta = 1;
    } else {
      y = next + beta * (next - lambda);
      gradient = next_u + beta * (next_u - u);
      theta = next_theta;
    }
    lambda.swap(next);
    u.swap(next_u);
    curvature *= 0.9;
  } while (!monitor->stop(lambda, u));
}

std::unique_ptr<ContactSolver> make_apgd_solver(const SolverOptions& options) {
  return std::make_unique<ApgdSolver>(options);
}

}  // namespace nodia

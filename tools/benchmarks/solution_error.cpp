#include "tools/benchmarks/solution_error.hpp"

#include <cmath>

#include "host/errors/errors.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/core/error.hpp"

namespace nodia::studies {
namespace {

constexpr double kSquaredTolerance = 1e-12;  // of the energy of the preconditioned residual
constexpr int kMostCgIterations = 200;

Eigen::VectorXd product(const ContactProblem& problem, const Eigen::VectorXd& x) {
  return stacked(problem.A.multiply(split(x)));
}

double energy_norm(const ContactProblem& problem, const Eigen::VectorXd& x) {
  return std::sqrt(x.dot(product(problem, x)));
}

double relative(double error, double norm) {
  return norm == 0 || error == 0 ? error : error / norm;
}

}  // namespace

SolutionError::SolutionError(const ContactProblem& problem)
    : factor_(make_sparse_cholesky(fastest_factoriser())) {
  if (!factor_->factorise(problem.A.to_eigen()))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
}

double SolutionError::of_velocity(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                                  const std::vector<Vec3d>& v) {
  const Eigen::VectorXd exact = stacked(v_ref);
  return relative(energy_norm(problem, stacked(v) - exact), energy_norm(problem, exact));
}

double SolutionError::of_forces(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                                const std::vector<Vec3d>& lambda) const {
  // |A^-1 r|_A, r = A v_ref - b - Jc^T lambda
  Eigen::VectorXd r = stacked(dynamics_residual(problem, v_ref, lambda));
  Eigen::VectorXd x = Eigen::VectorXd::Zero(r.size()), z = factor_->solve(r), p = z;
  double rz = r.dot(z);
  const double enough = kSquaredTolerance * rz;
  for (int k = 0; rz > enough && k < kMostCgIterations; ++k) {
    const Eigen::VectorXd Ap = product(problem, p);
    const double step = rz / p.dot(Ap);
    x += step * p;
    r -= step * Ap;
    z = factor_->solve(r);
    const double next = r.dot(z);
    p = z + next / rz * p;
    rz = next;
  }
  if (!(rz <= enough))
    throw RuntimeError(
        "true error: conjugate gradients do not converge, the matrices of the averaged steps are "
        "too far apart (take fewer)");
  return relative(energy_norm(problem, x), energy_norm(problem, stacked(v_ref)));
}

}  // namespace nodia::studies

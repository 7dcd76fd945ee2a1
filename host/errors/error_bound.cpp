#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/problem/contact_jacobian.hpp"
#include "kernels/contact/law.hpp"

namespace nodia {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Eigen::VectorXd;

/// Relative compliance of the conditions J w = delta in the search for w, as a share of the
/// contact's compliance [-].
constexpr double kGivesWay = 1e-9;
/// Relative violation of J w = delta above which no motion w counts as found [-].
constexpr double kUnmet = 1e-3;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

VectorXd stack(const std::vector<Vec3d>& a) {
  VectorXd x(3 * static_cast<Eigen::Index>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    x.segment<3>(3 * static_cast<Eigen::Index>(i)) << a[i].x, a[i].y, a[i].z;
  return x;
}

/// |w|_A of the smallest motion with J w = delta; NaN if there is none.
double norm_of_least_motion(const Sparse& A, const Sparse& J, const VectorXd& delta,
                            const VectorXd& compliance) {
  if (delta.isZero(0)) return 0;
  const VectorXd weight = (kGivesWay * compliance).cwiseInverse();
  const Sparse K = A + Sparse(J.transpose() * weight.asDiagonal() * J);
  const Eigen::SimplicialLLT<Sparse> factor(K);
  if (factor.info() != Eigen::Success) return kNone;
  const VectorXd w = factor.solve(J.transpose() * weight.cwiseProduct(delta));
  if (!((J * w - delta).norm() <= kUnmet * delta.norm())) return kNone;
  return std::sqrt(w.dot(A * w));
}

}  // namespace

double velocity_error_bound(const ContactProblem& p, const std::vector<Vec3d>& v,
                            const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                            Projection model, double omega) {
  // (u + delta, lambda_hat) satisfies the law for the problem with phi + delta.
  const std::vector<Vec3d> u = contact_velocity(p, v);
  std::vector<Vec3d> lambda_hat(lambda.size()), delta(lambda.size());
  VectorXd compliance(3 * static_cast<Eigen::Index>(lambda.size()));
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    const double d = (diagonal[m].x + diagonal[m].y + diagonal[m].z) / 3;
    if (!(d > 0)) return kNone;
    const Vec3d trial = lambda[m] - (1 / (d + omega)) * (u[m] + omega * lambda[m]);
    lambda_hat[m] = project(model, trial, p.contacts[m].mu1, p.contacts[m].mu2);
    delta[m] = d * (lambda_hat[m] - lambda[m]);
    compliance.segment<3>(3 * static_cast<Eigen::Index>(m)).setConstant(d);
  }
  const Sparse A = p.A.to_eigen(), J = contact_jacobian(p);
  const Eigen::SimplicialLLT<Sparse> factor(A);
  if (factor.info() != Eigen::Success) return kNone;
  const VectorXd r = stack(dynamics_residual(p, v, lambda_hat)), x = stack(v);
  const double R = std::sqrt(r.dot(factor.solve(r))), scale = std::sqrt(x.dot(A * x));
  const double W = norm_of_least_motion(A, J, stack(delta), compliance);
  const double bound = (R + W + std::sqrt((R + W) * (R + W) + 4 * R * W)) / 2;
  if (scale > 0) return bound / scale;
  return bound == 0 ? 0 : kNone;
}

}  // namespace nodia

#include "host/solvers/delassus/operator.hpp"

#include <algorithm>
#include <cmath>

#include "host/problem/contact_jacobian.hpp"
#include "host/solvers/linear/forward_substitution.hpp"
#include "host/solvers/linear/machine_memory.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

/// Upper bound of |J|^2: exact for multiples of the identity, else the Frobenius norm.
double squared_bound(const Mat3d& J) {
  const double s = J(0, 0);
  const Mat3d rest = J - s * Mat3d::identity();
  const auto squared = [](const Mat3d& m) {
    return squared_norm(m.row[0]) + squared_norm(m.row[1]) + squared_norm(m.row[2]);
  };
  return squared(rest) == 0 ? s * s : squared(J);
}

/// |Jc x|^2 = sum over contacts |sum over n parts of J x|^2 <= sum n |J|^2 |x|^2, for both sides.
double bound_of_jacobian(const ContactProblem& p) {
  std::vector<double> weight(static_cast<std::size_t>(p.n_node()), 0);
  for (const Contact<double>& c : p.contacts) {
    int n_part = 0;
    const auto count = [&](std::int32_t, const Mat3d&) { ++n_part; };
    p.for_parts(c.side_i, count);
    if (c.side_j != kWorld) p.for_parts(c.side_j, count);
    const auto add = [&](std::int32_t row, const Mat3d& J) {
      weight[row] += n_part * squared_bound(J);
    };
    p.for_parts(c.side_i, add);
    if (c.side_j != kWorld) p.for_parts(c.side_j, add);
  }
  return weight.empty() ? 0 : std::sqrt(*std::max_element(weight.begin(), weight.end()));
}

}  // namespace

DelassusOperator::DelassusOperator(const ContactProblem& problem, const FactorOptions& factor,
                                   double omega)
    : factor_(make_sparse_cholesky(factor.factoriser)) {
  const Stopwatch watch;
  require(problem.n_env() == 1, "problem, environments", problem.n_env(), "1",
          "take one with ContactProblem::environment");
  const double n = 3.0 * problem.n_node(), m = 3.0 * problem.n_contact();
  require_memory(8 * (m * m + (factor.sparse_rhs ? 0 : 3 * n * m)), "the Delassus operator");
  jacobian_bound_ = bound_of_jacobian(problem);
  J_ = contact_jacobian(problem);
  b_ = stacked(problem.b);
  if (!factor_->factorise(problem.A.to_eigen()))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");

  bias_ = J_ * factor_->solve(b_) + contact_offset(problem);
  if (factor.sparse_rhs) {
    assemble_sparse();
  } else {
    assemble_dense();
  }
  D_.diagonal().array() += omega;
  seconds_ = watch.seconds();
}

void DelassusOperator::assemble_dense() {
  if (J_.rows() == 0) return;
  response_ = factor_->solve(Eigen::MatrixXd(J_.transpose()));
  D_.noalias() = J_ * response_;
  // Makes both triangles equal to the bit, so that columns can replace rows.
  D_.triangularView<Eigen::StrictlyUpper>() = D_.transpose();
}

void DelassusOperator::assemble_sparse() {
  D_ = delassus_by_forward_substitution(factor_->lower(), J_);
}

std::vector<Vec3d> DelassusOperator::velocity(const Eigen::VectorXd& lambda) const {
  const Eigen::VectorXd x = factor_->solve(b_ + J_.transpose() * lambda);
  std::vector<Vec3d> v(static_cast<std::size_t>(n_node()));
  for (int i = 0; i < n_node(); ++i) v[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  return v;
}

double DelassusOperator::velocity_step(const Eigen::VectorXd& dlambda) const {
  if (dlambda.size() == 0) return 0;
  return response_.size() > 0 ? (response_ * dlambda).norm()
                              : factor_->solve(J_.transpose() * dlambda).norm();
}

}  // namespace nodia

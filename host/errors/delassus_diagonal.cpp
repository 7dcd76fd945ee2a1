#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "host/errors/errors.hpp"
#include "host/errors/factor.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

Eigen::Matrix3d to_eigen(const Mat3d& m) {
  Eigen::Matrix3d e;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e(i, j) = m(i, j);
  return e;
}

}  // namespace

void delassus_diagonal_estimate(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal) {
  for (int m = p.env_contact_begin[env]; m < p.env_contact_begin[env + 1]; ++m) {
    const Contact<double>& c = p.contacts[m];
    const Eigen::Matrix3d R = to_eigen(c.R);
    Vec3d sum{};
    for (const std::int32_t node : {c.node_i, c.node_j}) {
      if (node == kWorld) continue;
      const Eigen::Matrix3d block = to_eigen(p.A.block(p.A.pattern->diagonal[node]));
      const Eigen::Matrix3d compliance = R * block.inverse() * R.transpose();
      sum += Vec3d{compliance(0, 0), compliance(1, 1), compliance(2, 2)};
    }
    (*diagonal)[m] = sum;
  }
}

void delassus_diagonal_exact(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal) {
  const int first_contact = p.env_contact_begin[env];
  if (first_contact == p.env_contact_begin[env + 1]) return;
  const ContactProblem part = p.environment(env);
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor;
  factorise(part, &factor);
  Eigen::MatrixXd force(3 * part.n_node(), 3);
  for (int m = 0; m < part.n_contact(); ++m) {
    const Contact<double>& c = part.contacts[m];
    force.setZero();
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < 3; ++k) {
        force(3 * c.node_i + k, axis) = c.R(axis, k);
        if (c.node_j != kWorld) force(3 * c.node_j + k, axis) = -c.R(axis, k);
      }
    }
    // J A^-1 J^T = |L^-1 P J^T|^2
    Eigen::MatrixXd half = factor.permutationP() * force;
    factor.matrixL().solveInPlace(half);
    for (int axis = 0; axis < 3; ++axis)
      (*diagonal)[first_contact + m][axis] = half.col(axis).squaredNorm();
  }
}

std::vector<Vec3d> delassus_diagonal_estimate(const ContactProblem& p) {
  std::vector<Vec3d> diagonal(p.contacts.size());
  for (int e = 0; e < p.n_env(); ++e) delassus_diagonal_estimate(p, e, &diagonal);
  return diagonal;
}

std::vector<Vec3d> delassus_diagonal_exact(const ContactProblem& p) {
  std::vector<Vec3d> diagonal(p.contacts.size());
  for (int e = 0; e < p.n_env(); ++e) delassus_diagonal_exact(p, e, &diagonal);
  return diagonal;
}

}  // namespace nodia

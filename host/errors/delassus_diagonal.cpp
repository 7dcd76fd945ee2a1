#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "fem/matrix/eigen_block.hpp"
#include "host/errors/errors.hpp"
#include "host/errors/factor.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Blocks of A that belong to the same body are kept together: a group's rows, and the rows of a
/// point's parts.
class BlockCompliance {
 public:
  explicit BlockCompliance(const ContactProblem& p) : p_(p) {}

  /// J A_block^-1 J^T of a point, world frame.
  Eigen::Matrix3d of(std::int32_t side) {
    rows_.clear();
    p_.for_parts(side, [&](std::int32_t row, const Mat3d&) { rows_.push_back(row); });
    if (rows_ != factored_rows_) factorise();
    Eigen::MatrixXd J(3, 3 * rows_.size());
    Eigen::Index column = 0;
    p_.for_parts(side, [&](std::int32_t, const Mat3d& part) {
      J.middleCols<3>(column) = to_eigen(part);
      column += 3;
    });
    return J * factor_.solve(J.transpose());
  }

 private:
  void factorise() {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        if (const int k = p_.A.pattern->find(rows_[i], rows_[j]); k >= 0)
          block.block<3, 3>(3 * i, 3 * j) = to_eigen(p_.A.block(k));
    factor_.compute(block);
    factored_rows_ = rows_;
  }

  const ContactProblem& p_;
  std::vector<std::int32_t> rows_, factored_rows_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

}  // namespace

void delassus_diagonal_estimate(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal) {
  BlockCompliance block(p);
  for (int m = p.env_contact_begin[env]; m < p.env_contact_begin[env + 1]; ++m) {
    const Contact<double>& c = p.contacts[m];
    const Eigen::Matrix3d R = to_eigen(c.R);
    Vec3d sum{};
    for (const std::int32_t side : {c.side_i, c.side_j}) {
      if (side == kWorld) continue;
      if (!p.is_point(side)) {
        sum += node_compliance(p.A.block(p.A.pattern->diagonal[side]), c.R);
        continue;
      }
      const Eigen::Matrix3d compliance = R * block.of(side) * R.transpose();
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
      const auto add = [&](std::int32_t side, double sign) {
        part.for_parts(side, [&](std::int32_t row, const Mat3d& J) {
          const Vec3d f = transpose_times(J, c.R.row[axis]);
          for (int k = 0; k < 3; ++k) force(3 * row + k, axis) += sign * f[k];
        });
      };
      add(c.side_i, 1);
      if (c.side_j != kWorld) add(c.side_j, -1);
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

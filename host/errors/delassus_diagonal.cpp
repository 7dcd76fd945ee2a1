#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "fem/matrix/eigen_block.hpp"
#include "host/errors/errors.hpp"
#include "host/errors/factor.hpp"
#include "host/problem/scalar_part.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/contact/point_compliance.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Compliance of contacts from blocks of A. Rows of one body stay in one block: the rows of a
/// group, and the rows of a point.
class BlockCompliance {
 public:
  explicit BlockCompliance(const ContactProblem& p) : p_(p) {}

  /// diag(R J A_block^-1 J^T R^T) of a point.
  Vec3d of(std::int32_t side, const Mat3d& R) {
    rows_.clear();
    bool scalar = true;
    double weight[kSoftParts] = {};
    p_.for_parts(side, [&](std::int32_t row, const Mat3d& part) {
      scalar = scalar && rows_.size() < kSoftParts && is_scalar(part);
      if (scalar) weight[rows_.size()] = part(0, 0);
      rows_.push_back(row);
    });
    if (scalar && !rows_.empty())
      return point_compliance(static_cast<int>(rows_.size()), weight, R,
                              [&](int a, int b) { return block(rows_[a], rows_[b]); });
    const Eigen::Matrix3d axes = to_eigen(R), compliance = axes * in_world(side) * axes.transpose();
    return {compliance(0, 0), compliance(1, 1), compliance(2, 2)};
  }

 private:
  static constexpr std::size_t kSoftParts = 3;  ///< most terms of a point between soft nodes

  Mat3d block(std::int32_t i, std::int32_t j) const {
    const int k = p_.A.pattern->find(i, j);
    return k >= 0 ? p_.A.block(k) : Mat3d{};
  }

  /// J A_block^-1 J^T of a point with listed rows.
  Eigen::Matrix3d in_world(std::int32_t side) {
    if (rows_ != factored_rows_) factorise();
    Eigen::MatrixXd J(3, 3 * rows_.size());
    Eigen::Index column = 0;
    p_.for_parts(side, [&](std::int32_t, const Mat3d& part) {
      J.middleCols<3>(column) = to_eigen(part);
      column += 3;
    });
    return J * factor_.solve(J.transpose());
  }

  void factorise() {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    Eigen::MatrixXd whole(3 * n, 3 * n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        whole.block<3, 3>(3 * i, 3 * j) = to_eigen(block(rows_[i], rows_[j]));
    factor_.compute(whole);
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
    Vec3d sum{};
    for (const std::int32_t side : {c.side_i, c.side_j}) {
      if (side == kWorld) continue;
      sum += p.is_point(side) ? block.of(side, c.R)
                              : node_compliance(p.A.block(p.A.pattern->diagonal[side]), c.R);
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

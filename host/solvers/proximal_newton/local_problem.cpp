#include "host/solvers/proximal_newton/local_problem.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace nodia {
namespace {

/// Appends a block to the last column, rows ascending.
void append(BlockColumns* W, int row, const Eigen::Matrix3d& block) {
  const int m = static_cast<int>(W->begin.size()) - 1;  // the column to which it appends
  if (row == m) W->diagonal.push_back(static_cast<int>(W->row.size()));
  W->row.push_back(row);
  W->block.push_back(block);
}

void end_column(BlockColumns* W) {
  W->begin.push_back(static_cast<int>(W->row.size()));
}

}  // namespace

BlockColumns BlockColumns::of(const Eigen::SparseMatrix<double>& W) {
  BlockColumns columns;
  const int n = static_cast<int>(W.cols() / 3);
  columns.begin.push_back(0);
  std::vector<Eigen::Matrix3d> block(static_cast<std::size_t>(n), Eigen::Matrix3d::Zero());
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  std::vector<int> rows;
  for (int m = 0; m < n; ++m) {
    rows.assign(1, m);
    taken[m] = 1;
    for (int axis = 0; axis < 3; ++axis)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(W, 3 * m + axis); entry; ++entry) {
        const int row = static_cast<int>(entry.row() / 3);
        if (taken[row] == 0) rows.push_back(row);
        taken[row] = 1;
        block[row](entry.row() % 3, axis) = entry.value();
      }
    std::sort(rows.begin(), rows.end());
    for (const int row : rows) {
      if (row == m || !block[row].isZero(0)) append(&columns, row, block[row]);
      block[row].setZero();
      taken[row] = 0;
    }
    end_column(&columns);
  }
  return columns;
}

BlockColumns BlockColumns::of(const Eigen::MatrixXd& W) {
  BlockColumns columns;
  const int n = static_cast<int>(W.cols() / 3);
  columns.begin.push_back(0);
  for (int m = 0; m < n; ++m) {
    for (int row = 0; row < n; ++row) {
      const Eigen::Matrix3d block = W.block<3, 3>(3 * row, 3 * m);
      if (row == m || !block.isZero(0)) append(&columns, row, block);
    }
    end_column(&columns);
  }
  return columns;
}

void BlockColumns::add_column(int m, const Eigen::Vector3d& change, Eigen::VectorXd* u) const {
  for (int k = begin[m]; k < begin[m + 1]; ++k)
    u->segment<3>(3 * static_cast<Eigen::Index>(row[k])) += block[k] * change;
}

void BlockColumns::add_product(const Eigen::VectorXd& lambda, Eigen::VectorXd* u) const {
  for (int m = 0; m < n_contact(); ++m) {
    const Eigen::Vector3d force = lambda.segment<3>(3 * m);
    if ((force.array() != 0).any()) add_column(m, force, u);
  }
}

bool LocalProblem::is_finite() const {
  return q.allFinite() && std::all_of(W.block.begin(), W.block.end(),
                                      [](const Eigen::Matrix3d& b) { return b.allFinite(); });
}

Eigen::VectorXd LocalProblem::velocity(const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd u = q;
  W.add_product(lambda, &u);
  return u;
}

ScaledLocalProblem equilibrate(LocalProblem problem) {
  ScaledLocalProblem scaled{std::move(problem), {}};
  LocalProblem& p = scaled.problem;
  scaled.s.resize(p.q.size());
  for (int m = 0; m < p.n_contact(); ++m) {
    const Eigen::Matrix3d own = 0.5 * (p.W.own(m) + p.W.own(m).transpose());
    const double largest =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(own, Eigen::EigenvaluesOnly)
            .eigenvalues()[2];
    scaled.s.segment<3>(3 * m).setConstant(largest > 0 ? 1 / std::sqrt(largest) : 1);
  }
  for (int m = 0; m < p.n_contact(); ++m)
    for (int k = p.W.begin[m]; k < p.W.begin[m + 1]; ++k)
      p.W.block[k] *= scaled.s[3 * p.W.row[k]] * scaled.s[3 * m];
  p.q = scaled.s.cwiseProduct(p.q);
  return scaled;
}

}  // namespace nodia

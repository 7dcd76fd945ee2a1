#include "tests/support/dense_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace nodia::test {

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

struct DenseFactor::Factor {
  Eigen::LDLT<Eigen::MatrixXd> ldlt;
};

DenseFactor::DenseFactor(const Eigen::MatrixXd& symmetric)
    : factor_(new Factor{Eigen::LDLT<Eigen::MatrixXd>(symmetric)}) {}

DenseFactor::~DenseFactor() = default;

Eigen::MatrixXd DenseFactor::solve(const Eigen::MatrixXd& rhs) const {
  return factor_->ldlt.solve(rhs);
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& symmetric, const Eigen::MatrixXd& rhs) {
  return DenseFactor(symmetric).solve(rhs);
}

}  // namespace nodia::test

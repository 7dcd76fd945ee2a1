#include "fem/matrix/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace nodia {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m);
  return {eigen.eigenvalues(), eigen.eigenvectors(), eigen.info() == Eigen::Success};
}

SymmetricEigen symmetric_eigenvalues(const Eigen::MatrixXd& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m, Eigen::EigenvaluesOnly);
  return {eigen.eigenvalues(), {}, eigen.info() == Eigen::Success};
}

Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& m) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace nodia

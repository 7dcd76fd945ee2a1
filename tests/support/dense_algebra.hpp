/// Dense factorisations for the oracles of tests. dense_algebra.cpp instantiates Eigen's classes
/// once, because they take seconds to compile.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace nodia::test {

/// Eigenvalues of a symmetric matrix in ascending order, [n]; the lower triangle is read.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric);

/// A Cholesky factorisation (LDL^T) of a symmetric definite matrix, [n, n].
class DenseFactor {
 public:
  explicit DenseFactor(const Eigen::MatrixXd& symmetric);
  ~DenseFactor();
  DenseFactor(const DenseFactor&) = delete;
  DenseFactor& operator=(const DenseFactor&) = delete;

  /// The solutions for right-hand sides in columns, [n, k].
  Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// Factorises and solves once (DenseFactor).
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& symmetric, const Eigen::MatrixXd& rhs);

}  // namespace nodia::test

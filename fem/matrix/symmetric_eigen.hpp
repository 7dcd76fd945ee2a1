/// Eigenvalues and eigenvectors of symmetric matrices. Only one file instantiates Eigen's solver,
/// because it takes seconds to compile.
#pragma once

#include <Eigen/Core>

namespace nodia {

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< eigenvalues in ascending order, [n]
  Eigen::MatrixXd vectors;  ///< eigenvectors as columns, [n, n]; empty from symmetric_eigenvalues()
  bool converged = false;   ///< if false, values and vectors have no meaning
};

/// Eigenvalues and eigenvectors.
/// @param m  symmetric, [n, n]; only the lower triangle is read
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& m);

/// Eigenvalues without eigenvectors.
SymmetricEigen symmetric_eigenvalues(const Eigen::MatrixXd& m);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& m);  ///< ascending

}  // namespace nodia

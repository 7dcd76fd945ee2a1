/// Eigenvalues and eigenvectors of symmetric matrices. Eigen's solver takes seconds to compile; one
/// file contains it.
#pragma once

#include <Eigen/Core>

namespace nodia {

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< eigenvalues in ascending order, [n]
  Eigen::MatrixXd vectors;  ///< eigenvectors as columns, [n, n]; empty if they were not asked for
  bool converged = false;   ///< otherwise values and vectors have no meaning
};

/// @param m  Symmetric, [n, n]; the lower triangle is read.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& m);

/// As symmetric_eigen, without the eigenvectors.
SymmetricEigen symmetric_eigenvalues(const Eigen::MatrixXd& m);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& m);  ///< ascending

}  // namespace nodia

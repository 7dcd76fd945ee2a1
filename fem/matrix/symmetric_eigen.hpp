/// Eigenvalues and eigenvectors of symmetric matrices. Eigen's solver takes seconds to compile; one
/// file contains it.
#pragma once

#include <Eigen/Core>

namespace nodia {

/// Eigenvalues in ascending order, and the eigenvectors in the columns of `vectors`.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool converged = false;
};

/// @param m  Symmetric, [n, n]; the lower triangle is read.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& m);

/// The same without eigenvectors.
SymmetricEigen symmetric_eigenvalues(const Eigen::MatrixXd& m);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& m);

}  // namespace nodia

/// Computes Y = L^-1 P Jc^T for sparse Jc, and Y^T Y.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia {

/// D = Y^T Y = Jc A^-1 Jc^T.
/// @param J  [3 n_contact, n], the three rows of a contact have the same pattern
Eigen::MatrixXd delassus_by_forward_substitution(
    const LowerFactorView& L, const Eigen::SparseMatrix<double, Eigen::RowMajor>& J);

}  // namespace nodia

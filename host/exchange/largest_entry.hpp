/// Largest magnitude of the entries of a sparse matrix.
#pragma once

#include "host/exchange/friction_problem.hpp"

namespace nodia {

/// @return 0 if the matrix has no entries
inline double largest_entry(const Eigen::SparseMatrix<double>& M) {
  return M.nonZeros() > 0 ? M.coeffs().abs().maxCoeff() : 0;
}

}  // namespace nodia

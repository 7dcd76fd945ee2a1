/// Largest magnitude of the entries of a sparse matrix.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

namespace nodia {

/// @return 0 if the matrix has no entries
inline double largest_entry(const Eigen::SparseMatrix<double>& M) {
  double largest = 0;
  for (Eigen::Index k = 0; k < M.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, k); entry; ++entry)
      largest = std::max(largest, std::fabs(entry.value()));
  return largest;
}

}  // namespace nodia

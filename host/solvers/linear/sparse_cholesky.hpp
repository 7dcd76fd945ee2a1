/// Sparse Cholesky factorisation P A P^T = L L^T by Eigen's SimplicialLLT, or CHOLMOD if available.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <memory>

#include "host/solvers/linear/factor_work.hpp"
#include "host/solvers/linear/options.hpp"

namespace nodia {

/// L by columns, diagonal entry first, rows ascending.
struct LowerFactorView {
  int n = 0;
  const int* column_begin = nullptr;  ///< [n + 1]
  const int* row = nullptr;
  const double* value = nullptr;
  const int* position = nullptr;  ///< [n] row of unknown i in P A P^T

  /// Parent of column k in the elimination tree; -1 at a root.
  int parent(int k) const {
    return column_begin[k + 1] - column_begin[k] > 1 ? row[column_begin[k] + 1] : -1;
  }
};

class SparseCholesky {
 public:
  virtual ~SparseCholesky() = default;
  /// Factorises A; the analysis is reused while the pattern is the same.
  /// @return false if A is not positive definite
  virtual bool factorise(const Eigen::SparseMatrix<double>& A) = 0;
  /// A^-1 rhs, column by column
  virtual Eigen::MatrixXd solve(const Eigen::MatrixXd& rhs) const = 0;
  /// Valid until factorise(). May convert the factor and make solve() slower for many columns.
  virtual LowerFactorView lower() = 0;
  /// Cost of the last factorise().
  virtual FactorWork work() const = 0;
};

/// @throws InputError if this build lacks the factoriser
std::unique_ptr<SparseCholesky> make_sparse_cholesky(Factoriser factoriser);

}  // namespace nodia

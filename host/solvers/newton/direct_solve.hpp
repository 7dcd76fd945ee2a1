/// Solves with the Newton step's matrix: dense where it is small, otherwise by sparse Cholesky
/// whose analysis is kept while the pattern stays.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "fem/block_matrix.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia {

class DirectSolve {
 public:
  explicit DirectSolve(Factoriser factoriser) : factoriser_(factoriser) {}

  /// @return false where K is not positive definite
  bool factorise(const BlockMatrix& K);
  /// x = K^-1 f, of the last matrix that was factorised.
  void solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) const;

 private:
  void set_pattern(const BlockPattern& pattern);

  Factoriser factoriser_;
  bool dense_ = false;
  Eigen::MatrixXd matrix_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  BlockPattern pattern_;               ///< of `lower_`
  Eigen::SparseMatrix<double> lower_;  ///< lower half, by columns
  std::vector<std::int32_t> source_;   ///< per entry of `lower_` its place among K's values
  std::unique_ptr<SparseCholesky> sparse_;
};

}  // namespace nodia

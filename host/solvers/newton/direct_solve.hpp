/// Solves with the Newton step's matrix: by block elimination along cables with a small border,
/// otherwise dense or by sparse Cholesky. The analysis is reused while the pattern is the same.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <vector>

#include "host/solvers/elimination/chain_solve.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia {

class DirectSolve {
 public:
  explicit DirectSolve(Factoriser factoriser) : factoriser_(factoriser) {}

  /// @param bodies  bodies of one environment, with the rows of K
  /// @return false if K is not positive definite
  bool factorise(const BlockMatrix& K, const std::vector<Body>& bodies);
  /// x = K^-1 f with the last factorised matrix.
  void solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x);
  /// Multiply-adds of all factorisations and solves so far.
  double multiply_adds() const { return multiply_adds_; }

 private:
  enum class Method : std::uint8_t { chains, dense, sparse };

  void set_pattern(const std::shared_ptr<const BlockPattern>& pattern,
                   const std::vector<Body>& bodies);
  void set_sparse_pattern(const std::shared_ptr<const BlockPattern>& own);
  bool factorise_dense(const BlockMatrix& K);
  FactorWork work_of_factor() const;

  Factoriser factoriser_;
  Method method_ = Method::dense;
  ChainSolve chains_;
  Eigen::MatrixXd matrix_;
  std::optional<Eigen::LLT<Eigen::MatrixXd>> llt_;
  std::shared_ptr<const BlockPattern> pattern_;  ///< pattern of `lower_`
  Eigen::SparseMatrix<double> lower_;            ///< lower half, by columns
  std::vector<std::int32_t> source_;             ///< index of each entry of `lower_` in K's values
  std::unique_ptr<SparseCholesky> sparse_;
  FactorWork work_;  ///< cost of the last factor
  double multiply_adds_ = 0;
};

}  // namespace nodia

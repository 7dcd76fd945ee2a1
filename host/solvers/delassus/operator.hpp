/// The dense Delassus operator of one environment for solvers on contact forces.
///
///   u = D lambda + d,   D = Jc A^-1 Jc^T  [m/(N s)],   d = Jc A^-1 b + phi  [m/s]
///
/// Invertible contact iterates with the regularised velocity u + omega lambda, D + omega I.
///
/// Contact vectors are stacked by contact, (n, t1, t2) each: 3 n_contact entries.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia {

class DelassusOperator {
 public:
  /// Dense right-hand sides, as in the paper: D = Jc (A^-1 Jc^T), with the bracket stored as a
  /// dense matrix. Sparse ones: D = Y^T Y with Y = L^-1 P Jc^T, whose columns are computed along
  /// their paths in the elimination tree.
  /// @param problem  has one environment
  /// @param omega    invertible contact, added to D's diagonal [m/(N s)]
  /// @throws InputError for more than one environment or an unavailable factoriser, RuntimeError if
  /// A is not positive definite or the dense matrices exceed the machine's memory
  DelassusOperator(const ContactProblem& problem, const FactorOptions& factor, double omega = 0);

  int n_contact() const { return static_cast<int>(bias_.size() / 3); }
  int n_node() const { return static_cast<int>(b_.size() / 3); }
  const Eigen::MatrixXd& matrix() const { return D_; }   ///< D + omega I, symmetric
  const Eigen::VectorXd& bias() const { return bias_; }  ///< d
  /// v = A^-1 (b + Jc^T lambda)
  std::vector<Vec3d> velocity(const Eigen::VectorXd& lambda) const;
  /// |A^-1 Jc^T dlambda|: the paper's measure of a force change, in velocity space [m/s].
  double velocity_step(const Eigen::VectorXd& dlambda) const;
  /// Upper bound of |Jc|: |Jc A^-1 Jc^T dlambda| <= jacobian_bound() velocity_step(dlambda).
  double jacobian_bound() const { return jacobian_bound_; }
  /// Wall time of the construction [s].
  double seconds() const { return seconds_; }

 private:
  void assemble_dense();
  void assemble_sparse();

  std::unique_ptr<SparseCholesky> factor_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> J_;  ///< [3 n_contact, 3 n_node]
  Eigen::MatrixXd response_;  ///< A^-1 Jc^T; empty with sparse right-hand sides
  Eigen::MatrixXd D_;
  Eigen::VectorXd b_, bias_;
  double jacobian_bound_ = 0;
  double seconds_ = 0;
};

}  // namespace nodia

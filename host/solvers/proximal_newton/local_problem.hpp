/// A contact problem given by its Delassus matrix: u = W lambda + q with Coulomb's law.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <vector>

#include "kernels/contact/contact.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// W in 3x3 blocks by columns, rows ascending, without zero blocks off the diagonal.
struct BlockColumns {
  std::vector<int> begin;  ///< [n_contact + 1]
  std::vector<int> row;
  std::vector<Eigen::Matrix3d> block;
  std::vector<int> diagonal;  ///< [n_contact] index of block (m, m)

  /// @param W  square, size a multiple of three
  static BlockColumns of(const Eigen::SparseMatrix<double>& W);
  static BlockColumns of(const Eigen::MatrixXd& W);
  int n_contact() const { return static_cast<int>(diagonal.size()); }
  const Eigen::Matrix3d& own(int m) const { return block[static_cast<std::size_t>(diagonal[m])]; }
  /// u += W lambda
  void add_product(const Eigen::VectorXd& lambda, Eigen::VectorXd* u) const;
  /// u += W e_m change
  void add_column(int m, const Eigen::Vector3d& change, Eigen::VectorXd* u) const;
};

struct LocalProblem {
  BlockColumns W;                ///< [m/(N s)]
  Eigen::VectorXd q;             ///< [3 n_contact], (normal, t1, t2) per contact [m/s]
  std::vector<double> mu1, mu2;  ///< [n_contact] friction along t1 and t2, >= 0 [-]

  int n_contact() const { return W.n_contact(); }
  bool is_finite() const;
  /// W lambda + q
  Eigen::VectorXd velocity(const Eigen::VectorXd& lambda) const;
};

/// Same problem with lambda = s x, u = w/s and one positive s per contact, which preserves the law:
/// the largest compliance of every contact is 1, for any masses and units.
struct ScaledLocalProblem {
  LocalProblem problem;
  Eigen::VectorXd s;  ///< [3 n_contact]
};
ScaledLocalProblem equilibrate(LocalProblem problem);

}  // namespace nodia

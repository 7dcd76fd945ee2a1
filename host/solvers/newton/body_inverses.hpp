/// Inverses of the dense blocks of A of rigid bodies and robots.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "host/solvers/newton/relative_coordinates.hpp"

namespace nodia {

class BodyInverses {
 public:
  /// @param matrix  A, or K in relative coordinates; both are kept by reference
  BodyInverses(const Topology& topology, const BlockMatrix& matrix);

  /// J A^-1 J^T of a contact, summed over its bodies; a row of a soft body or a cable counts with
  /// its diagonal block alone [m/(N s)].
  /// @param parts  rows ascending
  Eigen::Matrix3d compliance(const ContactPart* begin, const ContactPart* end);
  /// Calls column(row, C) with the blocks of A^-1 J^T of a contact, for all rows of its bodies,
  /// which are rigid bodies and robots. @param parts  rows ascending
  template <class F>
  void for_columns(const ContactPart* begin, const ContactPart* end, const F& column) {
    for (const ContactPart* e = begin; e != end;) {
      const int body = body_of_[e->row];
      const int first = topology_.bodies[body].first_row;
      const Eigen::MatrixXd X = factor(body).solve(transposed_rows(&e, end));
      for (int i = 0; i < topology_.bodies[body].n_row; ++i) {
        Mat3d block;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) block(a, b) = X(3 * i + a, b);
        column(first + i, block);
      }
    }
  }
  /// A^-1 f in place, if all bodies are rigid bodies and robots.
  void solve(std::vector<Vec3d>* f);

 private:
  /// J^T of the body of the first part, and moves `part` behind its parts. @return [3 n_row, 3]
  Eigen::MatrixXd transposed_rows(const ContactPart** part, const ContactPart* end) const;
  const Eigen::LLT<Eigen::MatrixXd>& factor(int body);

  const Topology& topology_;
  const BlockMatrix& matrix_;
  std::vector<int> body_of_;  ///< [n_row]; -1: soft body or cable
  std::vector<std::optional<Eigen::LLT<Eigen::MatrixXd>>> factor_;
};

}  // namespace nodia

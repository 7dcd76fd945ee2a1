/// Assembly of Jc and phi of a contact problem.
#include "host/problem/contact_jacobian.hpp"

#include <vector>

namespace nodia {

Eigen::SparseMatrix<double, Eigen::RowMajor> contact_jacobian(const ContactProblem& p) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(18 * p.contacts.size());
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const auto add = [&](std::int32_t side, double sign) {
      p.for_parts(side, [&](std::int32_t row, const Mat3d& part) {
        const Mat3d RJ = c.R * part;
        for (int axis = 0; axis < 3; ++axis)
          for (int k = 0; k < 3; ++k)
            entries.emplace_back(3 * m + axis, 3 * row + k, sign * RJ(axis, k));
      });
    };
    add(c.side_i, 1);
    if (c.side_j != kWorld) add(c.side_j, -1);
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> J(3 * p.n_contact(), 3 * p.n_node());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

Eigen::VectorXd contact_offset(const ContactProblem& p) {
  Eigen::VectorXd phi(3 * p.n_contact());
  for (int m = 0; m < p.n_contact(); ++m)
    for (int axis = 0; axis < 3; ++axis) phi[3 * m + axis] = p.contacts[m].phi[axis];
  return phi;
}

}  // namespace nodia

/// Compliance of a contact at a point between soft nodes. Host and device.
#pragma once

#include "kernels/contact/contact_terms.hpp"

namespace nodia {

/// diag(R J A^-1 J^T R^T) of a point between one to three nodes, J_e = w_e I, A the block of these
/// nodes alone: its compliance along a contact's axes [m/(N s)]. With A = L D L^T, 3x3 blocks, and
/// L y = J^T it is the diagonal of sum_k (y_k R^T)^T D_k^-1 (y_k R^T).
/// @param weight  w, for the n nodes [-]
/// @param R       contact frame
/// @param block   block(a, b), a <= b: block of A [kg/s] of two nodes; zero without coupling
template <class Block>
NODIA_HD Vec3d point_compliance(int n, const double* weight, const Mat3d& R, const Block& block) {
  Vec3d sum{};
  const auto add = [&](const Mat3d& y, const Mat3d& inverse_D) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3d column = y * R.row[axis];
      sum[axis] += dot(column, inverse_D * column);
    }
  };
  const Mat3d y0 = weight[0] * Mat3d::identity(), inverse_D0 = inverse(block(0, 0));
  add(y0, inverse_D0);
  if (n == 1) return sum;
  const Mat3d A01 = block(0, 1), L10 = transpose(A01) * inverse_D0;
  const Mat3d y1 = weight[1] * Mat3d::identity() - L10 * y0,
              inverse_D1 = inverse(block(1, 1) - L10 * A01);
  add(y1, inverse_D1);
  if (n == 2) return sum;
  const Mat3d A02 = block(0, 2), L20 = transpose(A02) * inverse_D0;
  const Mat3d D1_L12 = block(1, 2) - L10 * A02, L21 = transpose(D1_L12) * inverse_D1;
  add(weight[2] * Mat3d::identity() - L20 * y0 - L21 * y1,
      inverse(block(2, 2) - L20 * A02 - L21 * D1_L12));
  return sum;
}

}  // namespace nodia

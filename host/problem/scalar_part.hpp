/// Test for terms of a contact point that are soft nodes.
#pragma once

#include "kernels/core/mat3.hpp"

namespace nodia {

/// True if the Jacobian of a term (ContactPoints::J) is a multiple of the identity, as for a point
/// between soft nodes.
inline bool is_scalar(const Mat3d& J) {
  const Mat3d rest = J - J(0, 0) * Mat3d::identity();
  return squared_norm(rest.row[0]) + squared_norm(rest.row[1]) + squared_norm(rest.row[2]) == 0;
}

}  // namespace nodia

/// Conversion of 3x3 blocks to Eigen matrices.
#pragma once

#include <Eigen/Core>

#include "kernels/core/mat3.hpp"

namespace nodia {

inline Eigen::Matrix3d to_eigen(const Mat3d& m) {
  Eigen::Matrix3d e;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e(i, j) = m(i, j);
  return e;
}

}  // namespace nodia

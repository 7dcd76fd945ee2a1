/// Converts lists of 3-vectors to one column and back.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

inline Eigen::VectorXd stacked(const std::vector<Vec3d>& a) {
  Eigen::VectorXd x(3 * static_cast<Eigen::Index>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) x[3 * static_cast<Eigen::Index>(i) + axis] = a[i][axis];
  return x;
}

inline Vec3d entry(const Eigen::VectorXd& x, int i) {
  return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

inline std::vector<Vec3d> split(const Eigen::VectorXd& x) {
  std::vector<Vec3d> a(static_cast<std::size_t>(x.size() / 3));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = entry(x, static_cast<int>(i));
  return a;
}

}  // namespace nodia

/// Random rotations, matrices and meshes for tests of the bodies; fixed seeds give fixed numbers.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "fem/matrix/eigen_block.hpp"
#include "kernels/core/pose.hpp"

namespace nodia::test {

class FemRandom {
 public:
  explicit FemRandom(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Vec3d vector(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Mat3d matrix(double size = 1) { return {{vector(size), vector(size), vector(size)}}; }
  /// Uniform over SO(3).
  Mat3d rotation() {
    const double w = normal(), x = normal(), y = normal(), z = normal();
    const double s = 1 / std::sqrt(w * w + x * x + y * y + z * z);
    return rotation_matrix({s * w, s * x, s * y, s * z});
  }

 private:
  std::mt19937_64 engine_;
};

inline Mat3d diagonal(double a, double b, double c) {
  return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

inline double frobenius(const Mat3d& m) {
  return to_eigen(m).norm();
}

}  // namespace nodia::test

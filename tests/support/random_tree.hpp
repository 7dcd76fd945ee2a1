/// Random trees of joints for tests of the articulated kernels.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "kernels/articulated/tree.hpp"
#include "tests/support/fem_random.hpp"

namespace nodia::test {

/// A box of random sides, somewhere, turned at random.
inline RigidInertia random_inertia(FemRandom& random) {
  const double mass = std::pow(10, random.uniform(-2, 1));
  const double a = random.uniform(0.02, 0.4), b = random.uniform(0.02, 0.4),
               c = random.uniform(0.02, 0.4);
  const Mat3d R = random.rotation();
  const double s = mass / 12;
  return {
      mass, random.vector(0.3),
      R * diagonal(s * (b * b + c * c), s * (a * a + c * c), s * (a * a + b * b)) * transpose(R)};
}

struct RandomTree {
  std::vector<JointedBody> bodies;
  int n_dof = 0;
  Pose base;

  /// @param shared  whether joints may share coordinates
  RandomTree(FemRandom& random, int n_body, bool shared) {
    base = {random.vector(), random.rotation()};
    for (int i = 0; i < n_body; ++i) {
      JointedBody body;
      body.parent = static_cast<int>(random.uniform(-1, i)) - (random.uniform(0, 1) < 0.2);
      if (body.parent < -1 || body.parent >= i) body.parent = i - 1;
      body.motion = random.uniform(0, 1) < 0.6 ? JointMotion::turn : JointMotion::slide;
      body.joint_in_parent = {random.vector(0.5), random.rotation()};
      const Vec3d a = random.vector();
      body.axis = (1 / norm(a)) * a;
      body.inertia = random_inertia(random);
      if (shared && n_dof > 0 && random.uniform(0, 1) < 0.4) {
        body.dof = static_cast<int>(random.uniform(0, n_dof - 1e-9));
        body.ratio = random.uniform(-2, 2);
        body.offset = random.uniform(-1, 1);
      } else {
        body.dof = n_dof++;
      }
      bodies.push_back(body);
    }
  }

  TreeView view() const { return {static_cast<int>(bodies.size()), n_dof, bodies.data(), base}; }
};

inline std::vector<double> random_numbers(FemRandom& random, int n, double size) {
  std::vector<double> x(n);
  for (double& value : x) value = random.uniform(-size, size);
  return x;
}

}  // namespace nodia::test

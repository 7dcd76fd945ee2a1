#include <gtest/gtest.h>

#include "kernels/articulated/inverse_dynamics.hpp"
#include "kernels/articulated/jacobian.hpp"
#include "kernels/articulated/mass_matrix.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/random_tree.hpp"

namespace nodia {
namespace {

using test::FemRandom;
using test::random_numbers;
using test::RandomTree;

Eigen::Vector3d to_eigen(Vec3d v) {
  return {v.x, v.y, v.z};
}

Eigen::Map<const Eigen::VectorXd> map(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

/// Everything the kernels say about a tree in one configuration.
struct Solved {
  std::vector<Pose> pose;
  std::vector<SpatialMotion> axis;
  std::vector<SpatialInertia> inertia, subtree;
  Eigen::MatrixXd M, H;

  Solved(const RandomTree& tree, const std::vector<double>& q, Vec3d gravity = {})
      : pose(tree.bodies.size()),
        axis(pose.size()),
        inertia(pose.size()),
        M(tree.n_dof, tree.n_dof),
        H(tree.n_dof, tree.n_dof) {
    forward_kinematics(tree.view(), q.data(), pose.data(), axis.data());
    body_inertias(tree.view(), pose.data(), inertia.data());
    subtree = inertia;
    add_up_subtrees(tree.view(), subtree.data());
    mass_matrix(tree.view(), axis.data(), subtree.data(), M.data());
    gravity_stiffness(tree.view(), axis.data(), subtree.data(), gravity, H.data());
  }

  Eigen::MatrixXd linear(const RandomTree& tree, int body, Vec3d point) const {
    std::vector<Vec3d> J(tree.n_dof);
    point_jacobian(tree.view(), axis.data(), body, point, J.data());
    Eigen::MatrixXd m(3, tree.n_dof);
    for (int k = 0; k < tree.n_dof; ++k) m.col(k) = to_eigen(J[k]);
    return m;
  }
  Eigen::MatrixXd angular(const RandomTree& tree, int body) const {
    std::vector<Vec3d> J(tree.n_dof);
    angular_jacobian(tree.view(), axis.data(), body, J.data());
    Eigen::MatrixXd m(3, tree.n_dof);
    for (int k = 0; k < tree.n_dof; ++k) m.col(k) = to_eigen(J[k]);
    return m;
  }
  Eigen::VectorXd tau(const RandomTree& tree, const std::vector<double>* qd,
                      const std::vector<double>* qdd, Vec3d gravity) const {
    std::vector<SpatialMotion> v(pose.size()), a(pose.size());
    std::vector<SpatialForce> f(pose.size());
    Eigen::VectorXd out(tree.n_dof);
    inverse_dynamics(tree.view(), axis.data(), inertia.data(), qd ? qd->data() : nullptr,
                     qdd ? qdd->data() : nullptr, gravity, {v.data(), a.data(), f.data()},
                     out.data());
    return out;
  }
  double potential(const RandomTree& tree, Vec3d gravity) const {
    double sum = 0;
    for (std::size_t i = 0; i < pose.size(); ++i)
      sum -= tree.bodies[i].inertia.mass *
             dot(gravity, pose[i].to_world(tree.bodies[i].inertia.centre));
    return sum;
  }
};

template <class Check>
void for_random_trees(unsigned seed, Check check) {
  FemRandom random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomTree tree(random, 1 + trial % 12, trial % 2 == 1);
    check(random, tree, random_numbers(random, tree.n_dof, 2));
    if (::testing::Test::HasFailure()) FAIL() << "trial " << trial;
  }
}

std::vector<double> moved(std::vector<double> q, int k, double by) {
  q[k] += by;
  return q;
}

TEST(Articulated, AxisRotationIsARotationAtEveryAngle) {
  FemRandom random(1);
  for (const double angle : {0.0, 1e-300, 1e-9, 1e-4, 0.7, 3.1415926, 6.5, -1e3}) {
    Vec3d a = random.vector();
    a = (1 / norm(a)) * a;
    const double s = std::sin(angle / 2);
    const Mat3d R = axis_rotation(a, angle);
    const Mat3d from_quaternion = rotation_matrix({std::cos(angle / 2), s * a.x, s * a.y, s * a.z});
    EXPECT_LT(test::frobenius(R - from_quaternion), 1e-15 * 10);
    EXPECT_LT(test::frobenius(R * transpose(R) - Mat3d::identity()), 1e-14);
    EXPECT_LT(norm(R * a - a), 1e-15);
  }
}

TEST(Articulated, JacobiansAreDerivativesOfKinematics) {
  double worst = 0;
  for_random_trees(2, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const Solved at(tree, q);
    const int body = static_cast<int>(random.uniform(0, tree.bodies.size() - 1e-9));
    const Vec3d local = random.vector();
    const Eigen::MatrixXd J = at.linear(tree, body, at.pose[body].to_world(local));
    const Eigen::MatrixXd W = at.angular(tree, body);
    const double h = 1e-5;
    for (int k = 0; k < tree.n_dof; ++k) {
      const Pose a = Solved(tree, moved(q, k, h)).pose[body];
      const Pose z = Solved(tree, moved(q, k, -h)).pose[body];
      const Vec3d v = (0.5 / h) * (a.to_world(local) - z.to_world(local));
      // R' R^T is the cross-product matrix of the angular velocity.
      const Mat3d spin =
          (0.5 / h) * ((a.rotation - z.rotation) * transpose(at.pose[body].rotation));
      const Eigen::Vector3d w{spin(2, 1), spin(0, 2), spin(1, 0)};
      worst = std::max({worst, (J.col(k) - to_eigen(v)).norm(), (W.col(k) - w).norm()});
    }
    ASSERT_LT(worst, 2e-9);
  });
}

TEST(Articulated, TheBaseDoesNotMove) {
  FemRandom random(3);
  const RandomTree tree(random, 6, true);
  const Solved at(tree, random_numbers(random, tree.n_dof, 1));
  EXPECT_EQ(at.linear(tree, -1, {1, 2, 3}).norm(), 0);
  EXPECT_EQ(at.angular(tree, -1).norm(), 0);
}

TEST(Articulated, MassMatrixIsTheSumOverBodiesOfJacobians) {
  double worst = 0;
  for_random_trees(4, [&](FemRandom&, const RandomTree& tree, const auto& q) {
    const Solved at(tree, q);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(tree.n_dof, tree.n_dof);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const RigidInertia& inertia = tree.bodies[i].inertia;
      const int body = static_cast<int>(i);
      const Eigen::MatrixXd J = at.linear(tree, body, at.pose[i].to_world(inertia.centre));
      const Eigen::MatrixXd W = at.angular(tree, body);
      const Eigen::Matrix3d R = to_eigen(at.pose[i].rotation);
      M += inertia.mass * J.transpose() * J +
           W.transpose() * R * to_eigen(inertia.rotation) * R.transpose() * W;
    }
    worst = std::max(worst, (M - at.M).norm() / M.norm());
    ASSERT_LT(worst, 1e-13);
    ASSERT_EQ((at.M - at.M.transpose()).norm(), 0);
  });
}

TEST(Articulated, MassMatrixIsPositiveDefinite) {
  for_random_trees(5, [&](FemRandom&, const RandomTree& tree, const auto& q) {
    const Solved at(tree, q);
    ASSERT_GT(test::eigenvalues(at.M)[0], 0);
  });
}

TEST(Articulated, InverseDynamicsIsMassTimesAccelerationAndBias) {
  for_random_trees(6, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const Solved at(tree, q, {});
    const Vec3d g = random.vector(10);
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    const std::vector<double> qdd = random_numbers(random, tree.n_dof, 5);
    const Eigen::VectorXd tau = at.tau(tree, &qd, &qdd, g);
    const Eigen::VectorXd h = at.tau(tree, &qd, nullptr, g);
    ASSERT_LT((at.M * map(qdd) + h - tau).norm(), 1e-12 * tau.norm());
    // Gravity and Coriolis forces separate.
    const Eigen::VectorXd G = at.tau(tree, nullptr, nullptr, g);
    const Eigen::VectorXd C = at.tau(tree, &qd, nullptr, {});
    ASSERT_LT((C + G - h).norm(), 1e-12 * h.norm());
  });
}

/// tau = d/dt (M qd) - d/dq (1/2 qd^T M qd) + dV/dq, by central differences of M and V.
TEST(Articulated, BiasIsLagranges) {
  double worst = 0;
  for_random_trees(7, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const Vec3d g = random.vector(10);
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    const double e = 1e-5;
    std::vector<double> ahead = q, behind = q;
    for (int k = 0; k < tree.n_dof; ++k) {
      ahead[k] += e * qd[k];
      behind[k] -= e * qd[k];
    }
    const auto v = map(qd);
    Eigen::VectorXd h = (Solved(tree, ahead).M - Solved(tree, behind).M) * v / (2 * e);
    for (int k = 0; k < tree.n_dof; ++k) {
      const Solved a(tree, moved(q, k, e)), z(tree, moved(q, k, -e));
      h[k] -= v.dot((a.M - z.M) * v) / (4 * e);
      h[k] += (a.potential(tree, g) - z.potential(tree, g)) / (2 * e);
    }
    const Eigen::VectorXd bias = Solved(tree, q).tau(tree, &qd, nullptr, g);
    worst = std::max(worst, (h - bias).norm() / bias.norm());
    ASSERT_LT(worst, 1e-7);
  });
}

TEST(Articulated, GravityStiffnessIsTheDerivativeOfTheWeight) {
  double worst = 0;
  for_random_trees(8, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const Vec3d g = random.vector(10);
    const Solved at(tree, q, g);
    const double e = 1e-5;
    Eigen::MatrixXd H(tree.n_dof, tree.n_dof);
    for (int k = 0; k < tree.n_dof; ++k) {
      H.col(k) = (Solved(tree, moved(q, k, e)).tau(tree, nullptr, nullptr, g) -
                  Solved(tree, moved(q, k, -e)).tau(tree, nullptr, nullptr, g)) /
                 (2 * e);
    }
    worst = std::max(worst, (H - at.H).norm() / (1 + H.norm()));
    ASSERT_LT(worst, 1e-8);
    ASSERT_EQ((at.H - at.H.transpose()).norm(), 0);
  });
}

TEST(Articulated, SharedCoordinatesAreAConstantProjection) {
  for_random_trees(9, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    // The same bodies with a coordinate each.
    RandomTree apart = tree;
    apart.n_dof = static_cast<int>(tree.bodies.size());
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(apart.n_dof, tree.n_dof);
    std::vector<double> p(apart.n_dof), pd(apart.n_dof);
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    for (int i = 0; i < apart.n_dof; ++i) {
      const JointedBody& body = tree.bodies[i];
      G(i, body.dof) = body.ratio;
      p[i] = body.ratio * q[body.dof] + body.offset;
      pd[i] = body.ratio * qd[body.dof];
      apart.bodies[i].dof = i;
      apart.bodies[i].ratio = 1;
      apart.bodies[i].offset = 0;
    }
    const Vec3d g = random.vector(10);
    const Solved at(tree, q, g), full(apart, p, g);
    ASSERT_LT((G.transpose() * full.M * G - at.M).norm(), 1e-13 * at.M.norm());
    ASSERT_LT((G.transpose() * full.H * G - at.H).norm(), 1e-13 * (1 + full.H.norm()));
    const Eigen::VectorXd h = full.tau(apart, &pd, nullptr, g);
    ASSERT_LT((G.transpose() * h - at.tau(tree, &qd, nullptr, g)).norm(), 1e-12 * h.norm());
  });
}

/// The reference point O moves along with the base: nothing but positions may depend on where.
TEST(Articulated, FarFromTheOriginNothingIsLost) {
  FemRandom random(10);
  const RandomTree tree(random, 8, true);
  const std::vector<double> q = random_numbers(random, tree.n_dof, 1), qd = q;
  RandomTree far = tree;
  far.base.position = {1e6, -2e6, 3e6};
  const Vec3d g{0, 0, -9.81};
  const Solved a(tree, q, g), z(far, q, g);
  EXPECT_LT((a.M - z.M).norm() / a.M.norm(), 2e-9);  // positions are rounded to 4e-10 m
  EXPECT_LT((a.tau(tree, &qd, nullptr, g) - z.tau(far, &qd, nullptr, g)).norm(), 1e-7);
}

TEST(Articulated, TurningTheWorldChangesNothing) {
  for_random_trees(11, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const Mat3d R = random.rotation();
    RandomTree turned = tree;
    turned.base = {R * tree.base.position, R * tree.base.rotation};
    const Vec3d g = random.vector(10);
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    const Solved a(tree, q, g), z(turned, q, R * g);
    ASSERT_LT((a.M - z.M).norm(), 1e-13 * a.M.norm());
    ASSERT_LT((a.H - z.H).norm(), 1e-12 * (1 + a.H.norm()));
    const Eigen::VectorXd h = a.tau(tree, &qd, nullptr, g);
    ASSERT_LT((h - z.tau(turned, &qd, nullptr, R * g)).norm(), 1e-12 * h.norm());
  });
}

/// Power in = rate of kinetic energy: qd . (M qdd + C qd) = d/dt 1/2 qd^T M qd.
TEST(Articulated, CoriolisForcesDoTheWorkThatTheMassMatrixTakes) {
  for_random_trees(12, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    const Solved at(tree, q);
    const auto v = map(qd);
    const double e = 1e-5;
    std::vector<double> ahead = q, behind = q;
    for (int k = 0; k < tree.n_dof; ++k) {
      ahead[k] += e * qd[k];
      behind[k] -= e * qd[k];
    }
    const double rate = v.dot((Solved(tree, ahead).M - Solved(tree, behind).M) * v) / (4 * e);
    const double power = v.dot(at.tau(tree, &qd, nullptr, {}));
    ASSERT_NEAR(power, rate, 1e-7 * (1 + at.M.norm()) * v.squaredNorm());
  });
}

TEST(Articulated, SpatialVelocitiesAreThoseOfTheJacobians) {
  for_random_trees(13, [&](FemRandom& random, const RandomTree& tree, const auto& q) {
    const std::vector<double> qd = random_numbers(random, tree.n_dof, 2);
    const Solved at(tree, q);
    std::vector<SpatialMotion> velocity(tree.bodies.size());
    body_velocities(tree.view(), at.axis.data(), qd.data(), velocity.data());
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      const Vec3d point = random.vector();
      const Vec3d v = velocity_at(velocity[i], point - tree.base.position);
      const int body = static_cast<int>(i);
      ASSERT_LT((at.linear(tree, body, point) * map(qd) - to_eigen(v)).norm(), 1e-12);
      ASSERT_LT((at.angular(tree, body) * map(qd) - to_eigen(velocity[i].angular)).norm(), 1e-12);
    }
  });
}

}  // namespace
}  // namespace nodia

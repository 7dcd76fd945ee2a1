#include "kernels/elements/corotational_tet.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/dense_algebra.hpp"
#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using test::diagonal;
using test::FemRandom;
using test::frobenius;

constexpr double kYoung = 7e4, kPoisson = 0.35;
constexpr double kLambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
constexpr double kMu = kYoung / (2 * (1 + kPoisson));

using Corners = TetVectors<double>;

double volume(const Corners& x) {
  return dot(x.corner[1] - x.corner[0],
             cross(x.corner[2] - x.corner[0], x.corner[3] - x.corner[0])) /
         6;
}

/// A well-shaped element of size about 0.01 m with positive volume.
Corners random_rest(FemRandom& random) {
  for (;;) {
    Corners x;
    for (Vec3d& p : x.corner) p = random.vector(0.01);
    if (volume(x) > 2e-7) return x;
  }
}

Corners map(const Mat3d& F, Vec3d shift, const Corners& x) {
  Corners y;
  for (int a = 0; a < 4; ++a) y.corner[a] = F * x.corner[a] + shift;
  return y;
}

TetRest<double> rest_of(const Corners& x) {
  return make_tet_rest(x, kLambda, kMu);
}

double energy(const TetRest<double>& rest, const Corners& x) {
  const Mat3d F = deformation_gradient(rest, x);
  return tet_energy(rest, F, polar_rotation(F));
}

Corners forces(const TetRest<double>& rest, const Corners& x) {
  const Mat3d F = deformation_gradient(rest, x);
  return tet_forces(rest, F, polar_rotation(F));
}

double largest(const Corners& f) {
  double m = 0;
  for (const Vec3d& p : f.corner) m = std::max(m, norm(p));
  return m;
}

/// Stiffness times length: the scale of a force [N].
double force_scale(const TetRest<double>& rest) {
  return rest.volume * kYoung * frobenius(rest.gradient);
}

TEST(CorotationalTet, RestVolumeAndGradients) {
  FemRandom random(1);
  for (int i = 0; i < 200; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    EXPECT_NEAR(rest.volume, volume(x), 1e-15 * rest.volume);
    // grad N_a . (x_b - x_0) = delta_ab
    for (int a = 1; a < 4; ++a)
      for (int b = 1; b < 4; ++b)
        EXPECT_NEAR(dot(rest.gradient.row[a - 1], x.corner[b] - x.corner[0]), a == b, 1e-13);
  }
}

TEST(CorotationalTet, DeformationGradientOfAnAffineMap) {
  FemRandom random(2);
  for (int i = 0; i < 200; ++i) {
    const Corners x = random_rest(random);
    const Mat3d A = random.matrix(2);
    const Corners y = map(A, random.vector(0.1), x);
    EXPECT_LE(frobenius(deformation_gradient(rest_of(x), y) - A), 1e-12);
  }
}

TEST(CorotationalTet, RigidMotionHasNoForceAndNoEnergy) {
  FemRandom random(3);
  for (int i = 0; i < 500; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    const Corners y = map(random.rotation(), random.vector(0.02), x);
    EXPECT_LE(largest(forces(rest, y)), 1e-12 * force_scale(rest));
    EXPECT_LE(energy(rest, y), 1e-24 * rest.volume * kYoung);
  }
}

TEST(CorotationalTet, ForcesTurnAndEnergyStaysUnderRotation) {
  FemRandom random(4);
  for (int i = 0; i < 500; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    const Corners y = map(Mat3d::identity() + random.matrix(0.5), {}, x);
    const Mat3d Q = random.rotation();
    const Corners f = forces(rest, y), turned = forces(rest, map(Q, random.vector(0.02), y));
    for (int a = 0; a < 4; ++a)
      EXPECT_LE(norm(turned.corner[a] - Q * f.corner[a]), 1e-12 * force_scale(rest));
    EXPECT_NEAR(energy(rest, map(Q, {}, y)), energy(rest, y), 1e-12 * rest.volume * kYoung);
  }
}

TEST(CorotationalTet, ForcesCarryNoNetForceAndNoTorque) {
  FemRandom random(5);
  for (int i = 0; i < 500; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    const Corners y = map(random.matrix(1.5), {}, x);
    const Corners f = forces(rest, y);
    Vec3d sum, torque;
    for (int a = 0; a < 4; ++a) {
      sum += f.corner[a];
      torque += cross(y.corner[a], f.corner[a]);
    }
    EXPECT_LE(norm(sum), 1e-13 * largest(f));
    EXPECT_LE(norm(torque), 1e-13 * largest(f) * largest(y));
  }
}

/// Also for inverted elements: det F has either sign.
TEST(CorotationalTet, ForceIsMinusTheGradientOfTheEnergy) {
  FemRandom random(6);
  int n_inverted = 0;
  for (int i = 0; i < 300; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    const double s3 = random.uniform(-0.6, 1.4);
    n_inverted += s3 < 0;
    Corners y = map(random.rotation() * diagonal(1.4, 0.9, s3) * random.rotation(), {}, x);
    const Corners f = forces(rest, y);
    const double h = 1e-8;
    for (int a = 0; a < 4; ++a) {
      for (int c = 0; c < 3; ++c) {
        const double middle = y.corner[a][c];
        y.corner[a][c] = middle + h;
        const double right = energy(rest, y);
        y.corner[a][c] = middle - h;
        const double left = energy(rest, y);
        y.corner[a][c] = middle;
        EXPECT_NEAR(f.corner[a][c], -(right - left) / (2 * h), 1e-7 * force_scale(rest));
      }
    }
  }
  EXPECT_GT(n_inverted, 50);
}

/// K of the whole element from the blocks that the model sums.
Eigen::Matrix<double, 12, 12> stiffness(const TetRest<double>& rest, const Mat3d& R) {
  const Corners g = rotated_gradients(rest, R);
  Eigen::Matrix<double, 12, 12> K;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      K.block<3, 3>(3 * a, 3 * b) =
          to_eigen(stiffness_block(outer(g.corner[a], g.corner[b]), kLambda, kMu));
  return K;
}

TEST(CorotationalTet, StiffnessBlockIsTheFormula) {
  FemRandom random(7);
  for (int i = 0; i < 100; ++i) {
    const Vec3d ga = random.vector(), gb = random.vector();
    const Eigen::Vector3d a(ga.x, ga.y, ga.z), b(gb.x, gb.y, gb.z);
    const Eigen::Matrix3d expected = kLambda * a * b.transpose() + kMu * b * a.transpose() +
                                     kMu * a.dot(b) * Eigen::Matrix3d::Identity();
    EXPECT_LE((to_eigen(stiffness_block(outer(ga, gb), kLambda, kMu)) - expected).norm(),
              1e-15 * expected.norm() * 10);
  }
}

TEST(CorotationalTet, StiffnessIsMinusTheForceGradientWhereFIsARotation) {
  FemRandom random(8);
  for (int i = 0; i < 100; ++i) {
    const Corners x = random_rest(random);
    const TetRest<double> rest = rest_of(x);
    const Mat3d Q = random.rotation();
    Corners y = map(Q, random.vector(0.01), x);
    const Eigen::Matrix<double, 12, 12> K = stiffness(rest, Q);
    const double h = 1e-7;
    for (int b = 0; b < 4; ++b) {
      for (int c = 0; c < 3; ++c) {
        const double middle = y.corner[b][c];
        y.corner[b][c] = middle + h;
        const Corners right = forces(rest, y);
        y.corner[b][c] = middle - h;
        const Corners left = forces(rest, y);
        y.corner[b][c] = middle;
        for (int a = 0; a < 4; ++a)
          for (int r = 0; r < 3; ++r)
            EXPECT_NEAR(K(3 * a + r, 3 * b + c),
                        -(right.corner[a][r] - left.corner[a][r]) / (2 * h), 1e-6 * K.norm());
      }
    }
  }
}

TEST(CorotationalTet, StiffnessIsSymmetricSemidefiniteWithSixRigidModes) {
  FemRandom random(9);
  for (int i = 0; i < 200; ++i) {
    const TetRest<double> rest = rest_of(random_rest(random));
    // Any deformation: the rotation is frozen.
    const Eigen::Matrix<double, 12, 12> K = stiffness(rest, polar_rotation(random.matrix()));
    EXPECT_EQ((K - K.transpose()).norm(), 0);
    const Eigen::VectorXd e = test::eigenvalues(K);
    EXPECT_LE(e.head<6>().cwiseAbs().maxCoeff(), 1e-13 * e[11]);
    EXPECT_GT(e[6], 1e-6 * e[11]);
  }
}

TEST(CorotationalTet, StressOfKnownStrains) {
  FemRandom random(10);
  const TetRest<double> rest = rest_of(random_rest(random));
  const double e = 0.02;
  const auto von_mises = [&](const Mat3d& S) {
    const Mat3d Q = random.rotation();
    return tet_von_mises(rest, Q * S, Q);
  };
  // Uniaxial tension E e, pure shear sqrt(3) tau, pressure 0.
  EXPECT_NEAR(von_mises(diagonal(1 + e, 1 - kPoisson * e, 1 - kPoisson * e)), kYoung * e, 1e-9);
  EXPECT_NEAR(von_mises({{{1, e, 0}, {e, 1, 0}, {0, 0, 1}}}), std::sqrt(3) * 2 * kMu * e, 1e-9);
  EXPECT_NEAR(von_mises(diagonal(1 + e, 1 + e, 1 + e)), 0, 1e-9);
  // Uniaxial: P = E e in the pulled direction, nothing across.
  const Mat3d F = diagonal(1 + e, 1 - kPoisson * e, 1 - kPoisson * e);
  EXPECT_LE(frobenius(piola_stress(rest, F, Mat3d::identity()) - diagonal(kYoung * e, 0, 0)), 1e-9);
}

TEST(CorotationalTet, CollapsedElementsHaveFiniteForces) {
  FemRandom random(11);
  const Corners x = random_rest(random);
  const TetRest<double> rest = rest_of(x);
  for (const Mat3d& F :
       {Mat3d{}, diagonal(1, 1, 0), diagonal(1, 0, 0), diagonal(-1, -1, -1), diagonal(1, 1, -1)}) {
    const Corners f = forces(rest, map(F, {0.1, 0.2, 0.3}, x));
    for (const Vec3d& p : f.corner) EXPECT_TRUE(is_finite(p));
    EXPECT_TRUE(std::isfinite(energy(rest, map(F, {}, x))));
  }
}

}  // namespace
}  // namespace nodia

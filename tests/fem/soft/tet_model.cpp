#include "fem/soft/tet_model.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "fem/mesh/meshers.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/fem_linear.hpp"

namespace nodia {
namespace {

using test::FemRandom;
using test::frobenius;
using test::largest_norm;

Material soft() {
  Material m;
  m.youngs_modulus_Pa = 6e4;
  m.poissons_ratio = 0.4;
  m.density_kg_m3 = 1100;
  m.rayleigh_mass_1_s = 0.7;
  m.rayleigh_stiffness_s = 0.003;
  return m;
}

Material stiff() {
  Material m;
  m.youngs_modulus_Pa = 9e5;
  m.poissons_ratio = 0.2;
  m.density_kg_m3 = 700;
  m.rayleigh_stiffness_s = 0.001;
  return m;
}

/// The first n tetrahedra of a distorted box.
TetMesh some_tets(int n, unsigned seed) {
  TetMesh mesh = mesh_box({0.03, 0.03, 0.02}, {3, 3, 2});
  test::distort(mesh, 0.002, seed);
  mesh.tets.resize(n);
  return mesh;
}

struct Two {
  TetMesh a = some_tets(54, 1), b = some_tets(107, 2);
  TetModel model;
  std::vector<Vec3d> rest;

  Two() {
    model.add_body(a, soft());
    model.add_body(b, stiff());
    model.finish();
    rest = a.nodes;
    rest.insert(rest.end(), b.nodes.begin(), b.nodes.end());
  }
};

std::vector<Vec3d> deformed(const std::vector<Vec3d>& rest, const Mat3d& F, double noise,
                            unsigned seed) {
  FemRandom random(seed);
  std::vector<Vec3d> x;
  for (const Vec3d& p : rest) x.push_back(F * p + random.vector(noise) + Vec3d{0.1, -0.2, 0.05});
  return x;
}

/// Elements with det F < 0.
int count_inverted(const TetModel& model, const std::vector<Vec3d>& x) {
  int n = 0;
  for (const CorotationalTet& t : model.tets())
    n += tet_volume(x[t.node[0]], x[t.node[1]], x[t.node[2]], x[t.node[3]]) < 0;
  return n;
}

/// Forces and A by a plain loop over tetrahedra: the oracle of the two passes.
void assemble_plainly(const TetModel& model, const std::vector<Material>& material_of_node,
                      const TetModel::AssemblyInput& in, Eigen::MatrixXd& A,
                      std::vector<Vec3d>& force) {
  const int n = model.n_node();
  A.setZero(3 * n, 3 * n);
  force.assign(n, {});
  for (const CorotationalTet& tet : model.tets()) {
    TetVectors<double> x;
    for (int a = 0; a < 4; ++a) x.corner[a] = in.x[tet.node[a]];
    const Mat3d F = deformation_gradient(tet.rest, x);
    const Mat3d R = polar_rotation(F);
    const TetVectors<double> f = tet_forces(tet.rest, F, R);
    Eigen::Matrix<double, 3, 4> grad;
    grad.rightCols<3>() = to_eigen(tet.rest.gradient).transpose();
    grad.col(0) = -grad.rightCols<3>().rowwise().sum();
    const Eigen::Matrix<double, 3, 4> g = to_eigen(R) * grad;
    const Material& m = material_of_node[tet.node[0]];
    const double lambda = m.lame_lambda_Pa(), mu = m.lame_mu_Pa();
    for (int a = 0; a < 4; ++a) {
      force[tet.node[a]] += f.corner[a];
      for (int b = 0; b < 4; ++b)
        A.block<3, 3>(3 * tet.node[a], 3 * tet.node[b]) +=
            (in.time.theta * in.time.step_s + m.rayleigh_stiffness_s) * tet.rest.volume *
            (lambda * g.col(a) * g.col(b).transpose() + mu * g.col(b) * g.col(a).transpose() +
             mu * g.col(a).dot(g.col(b)) * Eigen::Matrix3d::Identity());
    }
  }
  for (int i = 0; i < n; ++i)
    A.block<3, 3>(3 * i, 3 * i) += (model.mass()[i] * (1 / (in.time.theta * in.time.step_s) +
                                                       material_of_node[i].rayleigh_mass_1_s) +
                                    (in.extra_diagonal ? in.extra_diagonal[i] : 0)) *
                                   Eigen::Matrix3d::Identity();
}

TEST(TetModel, AssemblyAgreesWithAPlainLoopOverTetrahedra) {
  const Two two;
  std::vector<Material> materials(two.a.nodes.size(), soft());
  materials.resize(two.rest.size(), stiff());
  FemRandom random(3);
  std::vector<double> extra(two.rest.size());
  for (double& e : extra) e = random.uniform(0, 2);
  for (const double noise : {0.0, 0.001, 0.006}) {
    for (const double theta : {1.0, 0.5}) {
      const std::vector<Vec3d> x = deformed(two.rest, random.rotation(), noise, 4);
      TetModel::AssemblyInput in;
      in.x = x.data();
      in.time.step_s = 0.004;
      in.time.theta = theta;
      in.extra_diagonal = theta == 1 ? extra.data() : nullptr;
      BlockMatrix A(two.model.pattern());
      std::vector<Vec3d> force(x.size());
      two.model.assemble(in, A.value.data(), force.data());
      Eigen::MatrixXd A_plain;
      std::vector<Vec3d> force_plain;
      assemble_plainly(two.model, materials, in, A_plain, force_plain);
      EXPECT_LE((Eigen::MatrixXd(A.to_eigen()) - A_plain).cwiseAbs().maxCoeff(),
                1e-14 * A_plain.cwiseAbs().maxCoeff());
      EXPECT_GT(A_plain.norm(), 0);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_LE(norm(force[i] - force_plain[i]), 1e-14 * (largest_norm(force_plain) + 100));
    }
  }
}

TEST(TetModel, MatrixIsSymmetricToTheLastBit) {
  const Two two;
  const std::vector<Vec3d> x = deformed(two.rest, Mat3d::identity(), 0.004, 5);
  BlockMatrix A(two.model.pattern());
  std::vector<Vec3d> force(x.size());
  TetModel::AssemblyInput in;
  in.x = x.data();
  two.model.assemble(in, A.value.data(), force.data());
  const Eigen::MatrixXd dense(A.to_eigen());
  EXPECT_EQ((dense - dense.transpose()).norm(), 0);
}

TEST(TetModel, SameBitsForAnyNumberOfThreadsAndEveryCall) {
  const TetMesh mesh = mesh_box({0.1, 0.1, 0.02}, {9, 8, 2});
  TetModel model;
  model.add_body(mesh, soft());
  model.finish();
  const std::vector<Vec3d> x = deformed(mesh.nodes, Mat3d::identity(), 0.003, 6);
  const std::vector<Vec3d> other = deformed(mesh.nodes, Mat3d::identity(), 0.01, 7);
  BlockMatrix first(model.pattern());
  std::vector<Vec3d> f_first(x.size());
  TetModel::AssemblyInput in;
  in.x = x.data();
  model.assemble(in, first.value.data(), f_first.data());
  const TetModel copy = model;
  for (const int n_thread : {1, 2, 3, 5}) {
    for (const TetModel* m : {static_cast<const TetModel*>(&model), &copy}) {
      std::vector<Vec3d> f(x.size());
      BlockMatrix A(model.pattern());
      in.n_thread = n_thread;
      in.x = other.data();
      m->assemble(in, A.value.data(), f.data());
      EXPECT_NE(A.value, first.value);
      in.x = x.data();
      m->assemble(in, A.value.data(), f.data());
      EXPECT_EQ(A.value, first.value);
      for (std::size_t i = 0; i < f.size(); ++i) EXPECT_EQ(norm(f[i] - f_first[i]), 0);
      m->elastic_force(x.data(), f.data(), n_thread);
      for (std::size_t i = 0; i < f.size(); ++i) EXPECT_EQ(norm(f[i] - f_first[i]), 0);
    }
  }
}

TEST(TetModel, LumpedMassSumsToDensityTimesVolume) {
  const TetMesh mesh = mesh_box({0.3, 0.2, 0.1}, {3, 2, 2});
  TetModel model;
  EXPECT_EQ(model.add_body(mesh, soft()), 0);
  EXPECT_EQ(model.add_body(mesh, stiff()), static_cast<int>(mesh.nodes.size()));
  model.finish();
  const auto middle = model.mass().begin() + static_cast<std::ptrdiff_t>(mesh.nodes.size());
  EXPECT_NEAR(std::accumulate(model.mass().begin(), middle, 0.0), 1100 * 0.006, 1e-12);
  EXPECT_NEAR(std::accumulate(middle, model.mass().end(), 0.0), 700 * 0.006, 1e-12);
  for (const double m : model.mass()) EXPECT_GT(m, 0);
}

/// Entry 25 of the benchmarks, for the whole model.
TEST(TetModel, RotationInvariance) {
  const Two two;
  FemRandom random(9);
  const double scale = 9e5 * 0.01 * 0.01;  // E L^2 [N]
  for (int i = 0; i < 20; ++i) {
    const Mat3d Q = random.rotation();
    const std::vector<Vec3d> x = deformed(two.rest, Mat3d::identity(), 0.003, 10 + i);
    std::vector<Vec3d> turned, f(x.size()), f_turned(x.size());
    for (const Vec3d& p : x) turned.push_back(Q * p + Vec3d{1, 2, 3});
    two.model.elastic_force(x.data(), f.data());
    two.model.elastic_force(turned.data(), f_turned.data());
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_LE(norm(f_turned[k] - Q * f[k]), 1e-12 * scale);
    const double psi = two.model.elastic_energy(x.data());
    EXPECT_NEAR(two.model.elastic_energy(turned.data()), psi, 1e-12 * psi);

    // The forces of a rigid motion vanish, to the rounding of positions some metres away.
    for (std::size_t k = 0; k < x.size(); ++k) turned[k] = Q * two.rest[k];
    two.model.elastic_force(turned.data(), f.data());
    EXPECT_LE(largest_norm(f), 1e-12 * scale);
    EXPECT_LE(two.model.elastic_energy(turned.data()), 1e-24 * scale);
  }
}

TEST(TetModel, ForceIsMinusTheGradientOfTheEnergyAlsoWithInvertedElements) {
  const Two two;
  for (const double noise : {0.001, 0.012}) {
    std::vector<Vec3d> x = deformed(two.rest, Mat3d::identity(), noise, 30);
    EXPECT_EQ(count_inverted(two.model, x) > 10, noise > 0.01);
    std::vector<Vec3d> f(x.size());
    two.model.elastic_force(x.data(), f.data());
    const double h = 1e-8;
    for (std::size_t i = 0; i < x.size(); i += 3) {
      for (int c = 0; c < 3; ++c) {
        const double middle = x[i][c];
        x[i][c] = middle + h;
        const double right = two.model.elastic_energy(x.data());
        x[i][c] = middle - h;
        const double left = two.model.elastic_energy(x.data());
        x[i][c] = middle;
        EXPECT_NEAR(f[i][c], -(right - left) / (2 * h), 1e-6 * largest_norm(f));
      }
    }
  }
}

TEST(TetModel, StiffnessIsMinusTheForceGradientAndHasSixRigidModesWhereFIsARotation) {
  TetMesh mesh = mesh_box({0.02, 0.02, 0.02}, {2, 2, 1});
  test::distort(mesh, 0.001, 11);
  const TetModel model = test::massless_model(mesh, 5e4, 0.35);
  const Mat3d Q = FemRandom(12).rotation();
  std::vector<Vec3d> x = deformed(mesh.nodes, Q, 0, 13);
  const Eigen::MatrixXd K(test::stiffness_matrix(model, x));
  const double h = 1e-7;
  std::vector<Vec3d> left(x.size()), right(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (int c = 0; c < 3; ++c) {
      const double middle = x[j][c];
      x[j][c] = middle + h;
      model.elastic_force(x.data(), right.data());
      x[j][c] = middle - h;
      model.elastic_force(x.data(), left.data());
      x[j][c] = middle;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (int r = 0; r < 3; ++r)
          EXPECT_NEAR(K(3 * i + r, 3 * j + c), -(right[i][r] - left[i][r]) / (2 * h),
                      1e-7 * K.norm());
    }
  }
  const Eigen::VectorXd e = test::eigenvalues(K);
  EXPECT_LE(e.head(6).cwiseAbs().maxCoeff(), 1e-13 * e[e.size() - 1]);
  EXPECT_GT(e[6], 1e-4 * e[e.size() - 1]);
}

TEST(TetModel, StiffnessIsSemidefiniteAtAnyDeformation) {
  const TetMesh mesh = some_tets(60, 14);
  const TetModel model = test::massless_model(mesh, 5e4, 0.45);
  for (const double noise : {0.003, 0.02}) {
    const std::vector<Vec3d> x = deformed(mesh.nodes, Mat3d::identity(), noise, 15);
    const Eigen::MatrixXd K(test::stiffness_matrix(model, x));
    const Eigen::VectorXd e = test::eigenvalues(K);
    EXPECT_GE(e[0], -1e-13 * e[e.size() - 1]);
  }
}

TEST(TetModel, EveryNumberOfTetrahedraFillsItsSlices) {
  for (const int n : {1, 2, 4, 5, 15, 16, 17, 31, 33}) {
    const TetMesh mesh = some_tets(n, 16);
    TetModel model;
    model.add_body(mesh, soft());
    model.finish();
    const std::vector<Vec3d> x = deformed(mesh.nodes, Mat3d::identity(), 0.002, 17);
    double psi = 0;
    std::vector<double> stress;
    for (const CorotationalTet& tet : model.tets()) {
      TetVectors<double> v;
      for (int a = 0; a < 4; ++a) v.corner[a] = x[tet.node[a]];
      const Mat3d F = deformation_gradient(tet.rest, v);
      psi += tet_energy(tet.rest, F, polar_rotation(F));
      stress.push_back(tet_von_mises(tet.rest, F, polar_rotation(F)));
    }
    EXPECT_NEAR(model.elastic_energy(x.data()), psi, 1e-14 * psi);  // another order of sums
    EXPECT_EQ(model.von_mises(x.data()), stress);
  }
}

TEST(TetModel, NoBodiesIsAnEmptySystem) {
  TetModel model;
  model.finish();
  EXPECT_EQ(model.n_node(), 0);
  BlockMatrix A(model.pattern());
  model.assemble({}, A.value.data(), nullptr);
  EXPECT_EQ(model.elastic_energy(nullptr), 0);
  EXPECT_TRUE(model.von_mises(nullptr).empty());
}

/// What is not a number stays where it came from.
TEST(TetModel, ANanSpreadsNoFurtherThanItsElements) {
  const Two two;
  std::vector<Vec3d> x = two.rest;
  const std::size_t bad = 5;
  x[bad].y = std::numeric_limits<double>::quiet_NaN();
  std::vector<Vec3d> f(x.size());
  BlockMatrix A(two.model.pattern());
  TetModel::AssemblyInput in;
  in.x = x.data();
  two.model.assemble(in, A.value.data(), f.data());
  EXPECT_FALSE(is_finite(f[bad]));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool coupled = two.model.pattern()->find(static_cast<int>(i), static_cast<int>(bad)) >= 0;
    EXPECT_EQ(is_finite(f[i]), !coupled) << i;
  }
}

}  // namespace
}  // namespace nodia

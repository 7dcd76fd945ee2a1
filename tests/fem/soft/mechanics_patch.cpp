/// Entries 8 and 24 of the benchmarks: states of constant strain, which linear elements hold
/// exactly.
#include <gtest/gtest.h>

#include "fem/mesh/meshers.hpp"
#include "tests/support/fem_linear.hpp"

namespace nodia {
namespace {

using test::FemRandom;
using test::largest_norm;

constexpr double kPatchYoung = 1e5;

/// 3 x 3 x 3 cells of 1 cm, 162 tetrahedra, distorted inside and on the surface; 8 nodes inside.
struct Patch {
  TetMesh mesh = mesh_box({0.03, 0.03, 0.03}, {3, 3, 3});
  std::vector<char> fixed;

  Patch() {
    fixed.assign(3 * mesh.nodes.size(), 0);
    int n_inside = 0;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      bool inside = true;
      for (int c = 0; c < 3; ++c)
        inside = inside && mesh.nodes[i][c] > 0.001 && mesh.nodes[i][c] < 0.029;
      n_inside += inside;
      for (int c = 0; c < 3; ++c) fixed[3 * i + c] = !inside;
    }
    EXPECT_EQ(n_inside, 8);
    test::distort(mesh, 0.002, 1);
    for (const auto& t : mesh.tets)
      EXPECT_GT(tet_volume(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]),
                0);
  }
};

void expect_constant(const std::vector<double>& stress) {
  for (const double s : stress) EXPECT_NEAR(s, stress[0], 1e-12 * kPatchYoung);
}

TEST(Patch, LinearFieldIsExactInside) {
  Patch patch;
  const auto& nodes = patch.mesh.nodes;
  const TetModel model = test::massless_model(patch.mesh, kPatchYoung, 0.35);
  const auto K = test::stiffness_matrix(model, nodes);
  FemRandom random(2);
  for (int i = 0; i < 10; ++i) {
    const Mat3d A = random.matrix();
    Eigen::VectorXd exact(K.rows()), u = Eigen::VectorXd::Zero(K.rows());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      for (int c = 0; c < 3; ++c) {
        exact[3 * k + c] = (A * nodes[k])[c];
        if (patch.fixed[3 * k + c]) u[3 * k + c] = exact[3 * k + c];
      }
    }
    test::solve_elastostatics(K, patch.fixed, Eigen::VectorXd::Zero(K.rows()), u);
    EXPECT_LE((u - exact).cwiseAbs().maxCoeff(), 1e-12 * exact.cwiseAbs().maxCoeff());
  }
}

/// The same at finite strain and rotation: the co-rotational equilibrium is the affine map itself.
TEST(Patch, FiniteAffineFieldIsExactInside) {
  Patch patch;
  const TetModel model = test::massless_model(patch.mesh, kPatchYoung, 0.35);
  FemRandom random(3);
  for (int i = 0; i < 5; ++i) {
    const Mat3d F = random.rotation() * (Mat3d::identity() + random.matrix(0.08));
    std::vector<Vec3d> exact, x;
    for (const Vec3d& p : patch.mesh.nodes) exact.push_back(F * p);
    x = exact;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!patch.fixed[3 * k]) x[k] += random.vector(0.001);
    test::solve_equilibrium(model, patch.fixed, x, 40);
    std::vector<Vec3d> error;
    for (std::size_t k = 0; k < x.size(); ++k) error.push_back(x[k] - exact[k]);
    EXPECT_LE(largest_norm(error), 1e-12 * largest_norm(exact));
    expect_constant(model.von_mises(x.data()));
  }
}

/// A bar pulled by 1 % between rollers keeps its volume but for (1 - 2 nu) eps.
TEST(Patch, NearlyIncompressibleBarKeepsItsVolume) {
  const double eps = 0.01, nu = 0.49, length = 0.05;
  TetMesh mesh = mesh_box({length, 0.02, 0.02}, {5, 2, 2});
  const TetModel model = test::massless_model(mesh, kPatchYoung, nu);
  std::vector<char> fixed(3 * mesh.nodes.size(), 0);
  std::vector<Vec3d> x = mesh.nodes;
  for (const auto& [set, axis] : {std::pair{"x_min", 0}, {"x_max", 0}, {"y_min", 1}, {"z_min", 2}})
    for (const std::int32_t node : mesh.node_sets.at(set)) fixed[3 * node + axis] = 1;
  for (const std::int32_t node : mesh.node_sets.at("x_max")) x[node].x = length * (1 + eps);
  EXPECT_LE(test::solve_equilibrium(model, fixed, x, 20), 1e-15);
  double volume = 0;
  for (const auto& t : mesh.tets) volume += tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  volume /= length * 0.02 * 0.02;
  EXPECT_NEAR(volume, 1 + (1 - 2 * nu) * eps, 1e-4);
  // Hooke's law for the stretches is exact: (1 + eps)(1 - nu eps)^2.
  EXPECT_NEAR(volume, (1 + eps) * (1 - nu * eps) * (1 - nu * eps), 1e-12);
  for (const double s : model.von_mises(x.data()))
    EXPECT_NEAR(s, kPatchYoung * eps, 1e-8 * kPatchYoung);
}

}  // namespace
}  // namespace nodia

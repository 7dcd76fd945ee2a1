/// Entry 10 of the benchmarks: the end-loaded cantilever.
#include <gtest/gtest.h>

#include "fem/mesh/meshers.hpp"
#include "tests/support/fem_linear.hpp"

namespace nodia {
namespace {

constexpr double kLength = 1, kHalf = 0.05, kBeamYoung = 1e7, kBeamPoisson = 0.3;

/// Deflection [m] of a beam 1 x 0.1 x 0.1 m under an end force of 1 N along z. One quarter of the
/// section is meshed with n x n x 10 n cells: the plane y = 0 is one of symmetry, z = 0 one of
/// antisymmetry. As beam theory has it, the root does not rotate but may contract, and the shear
/// force enters spread over both end faces.
double deflection(int n) {
  const TetMesh mesh = mesh_box({kLength, kHalf, kHalf}, {10 * n, n, n});
  const TetModel model = test::massless_model(mesh, kBeamYoung, kBeamPoisson);
  const auto K = test::stiffness_matrix(model, mesh.nodes);
  std::vector<char> fixed(3 * mesh.nodes.size(), 0);
  for (const std::int32_t node : mesh.node_sets.at("x_min")) fixed[3 * node] = 1;
  for (const std::int32_t node : mesh.node_sets.at("y_min")) fixed[3 * node + 1] = 1;
  for (const std::int32_t node : mesh.node_sets.at("z_min"))
    fixed[3 * node] = fixed[3 * node + 1] = 1;
  fixed[3 * mesh.node_sets.at("x_min").front() + 2] = 1;  // carries nothing: the loads balance

  // Each node of an end face takes its part of the area: 1 inside, 1/2 on edges, 1/4 at corners.
  Eigen::VectorXd load = Eigen::VectorXd::Zero(K.rows());
  const auto part = [](double s) { return s < 1e-9 || s > kHalf - 1e-9 ? 0.5 : 1.0; };
  for (const auto& [set, sign] : {std::pair{"x_min", -1.0}, {"x_max", 1.0}})
    for (const std::int32_t node : mesh.node_sets.at(set))
      load[3 * node + 2] =
          sign * 0.25 * part(mesh.nodes[node].y) * part(mesh.nodes[node].z) / (n * n);
  EXPECT_NEAR(load.cwiseAbs().sum(), 0.5, 1e-12);
  EXPECT_NEAR(load.sum(), 0, 1e-12);

  Eigen::VectorXd u = Eigen::VectorXd::Zero(K.rows());
  test::solve_elastostatics(K, fixed, load, u);
  return 4 * u.dot(load);  // mean motion of the end face against the root, by the work of 1 N
}

/// Linear tetrahedra are too stiff, by an amount of order h^2; the stiffness 1 N/w shows the order
/// from coarse meshes on.
TEST(Cantilever, StiffnessConvergesAtSecondOrderToTheBeam) {
  const double inertia = std::pow(2 * kHalf, 4) / 12, area = 4 * kHalf * kHalf;
  const double shear_modulus = kBeamYoung / (2 * (1 + kBeamPoisson));
  const double beam = std::pow(kLength, 3) / (3 * kBeamYoung * inertia) +
                      kLength / (5.0 / 6 * shear_modulus * area);
  EXPECT_NEAR(beam, 4.031e-3, 1e-6);

  const double k2 = 1 / deflection(2), k4 = 1 / deflection(4), k8 = 1 / deflection(8);
  EXPECT_GT(k2, k4);
  EXPECT_GT(k4, k8);
  EXPECT_GT(k8, 1 / beam);
  EXPECT_NEAR(std::log2((k2 - k4) / (k4 - k8)), 2, 0.05);
  EXPECT_NEAR(1 / (k8 - (k4 - k8) / 3), beam, 1e-3 * beam);
}

}  // namespace
}  // namespace nodia

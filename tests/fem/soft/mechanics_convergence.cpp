/// Entry 26 of the benchmarks, in space: manufactured solution of linear elasticity on the unit
/// cube.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "fem/mesh/meshers.hpp"
#include "tests/support/fem_linear.hpp"

namespace nodia {
namespace {

constexpr double kPi = std::numbers::pi, kYoung = 2.5, kPoisson = 0.25;
constexpr double kLambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
constexpr double kMu = kYoung / (2 * (1 + kPoisson));
const Eigen::Vector3d kDirection(1, 0.5, -0.7);

/// u = d s, s = sin(pi x) sin(pi y) sin(pi z): zero on the surface.
struct Manufactured {
  double s;
  Eigen::Vector3d gradient_s;
  Eigen::Matrix3d hessian_s;

  explicit Manufactured(const Eigen::Vector3d& p) {
    const Eigen::Array3d a = kPi * p.array(), sn = a.sin(), cs = a.cos();
    s = sn.prod();
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      gradient_s[i] = kPi * cs[i] * sn[j] * sn[k];
      hessian_s(i, i) = -kPi * kPi * s;
      hessian_s(i, j) = hessian_s(j, i) = kPi * kPi * cs[i] * cs[j] * sn[k];
    }
  }
  Eigen::Vector3d u() const { return s * kDirection; }
  Eigen::Matrix3d gradient_u() const { return kDirection * gradient_s.transpose(); }
  /// f = -div sigma = -(lambda + mu) grad div u - mu laplace u
  Eigen::Vector3d body_force() const {
    return -(kLambda + kMu) * hessian_s * kDirection - kMu * hessian_s.trace() * kDirection;
  }
};

/// Points (barycentric, as fractions of the three edges from corner 0) and weights that sum to 1:
/// products of four Gauss points collapsed into the tetrahedron, exact to degree 5.
struct QuadraturePoint {
  double a, b, c, weight;
};
std::vector<QuadraturePoint> quadrature() {
  constexpr std::array<double, 4> x{0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                    0.9305681557970263};
  constexpr std::array<double, 4> w{0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                    0.1739274225687269};
  std::vector<QuadraturePoint> points;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) {
        const double a = x[i], b = (1 - a) * x[j], c = (1 - a - b) * x[k];
        points.push_back({a, b, c, 6 * w[i] * w[j] * w[k] * (1 - a) * (1 - a - b)});
      }
    }
  }
  return points;
}

Eigen::Vector3d vec(Vec3d p) {
  return {p.x, p.y, p.z};
}

struct Errors {
  double l2, h1;
};

/// Errors of the solution on n x n x n distorted cells.
Errors solve(int n) {
  TetMesh mesh = mesh_box({1, 1, 1}, {n, n, n});
  std::vector<char> fixed(3 * mesh.nodes.size(), 0);
  test::FemRandom random(7);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    bool inside = true;
    for (int c = 0; c < 3; ++c)
      inside = inside && mesh.nodes[i][c] > 1e-9 && mesh.nodes[i][c] < 1 - 1e-9;
    if (inside) mesh.nodes[i] += random.vector(0.1 / n);
    for (int c = 0; c < 3; ++c) fixed[3 * i + c] = !inside;
  }
  const TetModel model = test::massless_model(mesh, kYoung, kPoisson);
  const auto K = test::stiffness_matrix(model, mesh.nodes);
  const std::vector<QuadraturePoint> points = quadrature();
  const auto position = [&](const std::array<std::int32_t, 4>& t, const QuadraturePoint& q) {
    return Eigen::Vector3d((1 - q.a - q.b - q.c) * vec(mesh.nodes[t[0]]) +
                           q.a * vec(mesh.nodes[t[1]]) + q.b * vec(mesh.nodes[t[2]]) +
                           q.c * vec(mesh.nodes[t[3]]));
  };

  Eigen::VectorXd load = Eigen::VectorXd::Zero(K.rows()), u = Eigen::VectorXd::Zero(K.rows());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    for (const QuadraturePoint& q : points) {
      const Eigen::Vector3d f =
          q.weight * model.tets()[e].rest.volume * Manufactured(position(t, q)).body_force();
      const double shape[4] = {1 - q.a - q.b - q.c, q.a, q.b, q.c};
      for (int a = 0; a < 4; ++a) load.segment<3>(3 * t[a]) += shape[a] * f;
    }
  }
  test::solve_elastostatics<test::IterativeSolver>(K, fixed, load, u);

  double l2 = 0, h1 = 0;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    const TetRest<double>& rest = model.tets()[e].rest;
    Eigen::Matrix3d du;  // columns u_a - u_0
    for (int a = 1; a < 4; ++a) du.col(a - 1) = u.segment<3>(3 * t[a]) - u.segment<3>(3 * t[0]);
    const Eigen::Matrix3d gradient = du * to_eigen(rest.gradient);
    for (const QuadraturePoint& q : points) {
      const Manufactured exact(position(t, q));
      const Eigen::Vector3d u_h = u.segment<3>(3 * t[0]) + du * Eigen::Vector3d(q.a, q.b, q.c);
      l2 += q.weight * rest.volume * (u_h - exact.u()).squaredNorm();
      h1 += q.weight * rest.volume * (gradient - exact.gradient_u()).squaredNorm();
    }
  }
  return {std::sqrt(l2), std::sqrt(h1)};
}

TEST(Convergence, SecondOrderInL2FirstOrderInH1) {
  const Errors coarse = solve(8), fine = solve(16);
  EXPECT_NEAR(std::log2(coarse.l2 / fine.l2), 2, 0.1);
  EXPECT_NEAR(std::log2(coarse.h1 / fine.h1), 1, 0.1);
}

}  // namespace
}  // namespace nodia

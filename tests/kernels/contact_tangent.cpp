// The contact law to first order: force and derivative against the projections and differences.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "fem/matrix/eigen_block.hpp"
#include "kernels/contact/tangent.hpp"

namespace nodia {
namespace {

struct Draw {
  std::mt19937_64 engine{7};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vec3d trial() { return {uniform(-1, 2), uniform(-2, 2), uniform(-2, 2)}; }
  double friction(int k) { return k % 7 == 0 ? 0 : uniform(0.05, 2.5); }
};

/// Central differences of `force` at x.
template <class Force>
Mat3d differences(const Force& force, Vec3d x) {
  constexpr double kStep = 1e-6;
  Mat3d slope{};
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d above = x, below = x;
    above[axis] += kStep;
    below[axis] -= kStep;
    const Vec3d change = (1 / (2 * kStep)) * (force(above) - force(below));
    for (int row = 0; row < 3; ++row) slope(row, axis) = change[row];
  }
  return slope;
}

double distance(const Mat3d& a, const Mat3d& b) {
  return (nodia::to_eigen(a) - nodia::to_eigen(b)).cwiseAbs().maxCoeff();
}

void expect_share_of_identity(const Mat3d& slope) {
  const Eigen::Matrix3d m = nodia::to_eigen(slope);
  EXPECT_LT((m - m.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m).eigenvalues();
  EXPECT_GE(values.minCoeff(), -1e-12);
  EXPECT_LE(values.maxCoeff(), 1 + 1e-12);
}

TEST(ContactTangent, OfTheStrictLawWithItsSectionHeld) {
  Draw draw;
  int seen[3] = {0, 0, 0};
  for (int k = 0; k < 3000; ++k) {
    const double mu1 = draw.friction(k), mu2 = k % 2 == 0 ? mu1 : draw.friction(k / 2);
    const Vec3d x = draw.trial();
    const double section = draw.uniform(0.1, 2);
    const auto force = [&](Vec3d y) { return strict_tangent(y, section, mu1, mu2).force; };
    const ContactTangent t = strict_tangent(x, section, mu1, mu2);
    ++seen[static_cast<int>(t.state)];
    // Away from the edges of the states, where there is no derivative.
    const double edge =
        std::hypot(mu1 > 0 ? x.y / (mu1 * section) : 2, mu2 > 0 ? x.z / (mu2 * section) : 2);
    const bool clamped = mu1 != mu2 && (mu1 == 0 || mu2 == 0);
    if (std::fabs(x.x) < 1e-3 || std::fabs(edge - 1) < 1e-2 || clamped) continue;
    EXPECT_LT(distance(t.slope, differences(force, x)), 1e-5) << k;
    expect_share_of_identity(t.slope);
  }
  for (const int n : seen) EXPECT_GT(n, 300);
}

TEST(ContactTangent, ItsForceAtTheTrialsOwnSectionIsTheStrictProjection) {
  Draw draw;
  for (int k = 0; k < 2000; ++k) {
    const double mu1 = draw.friction(k), mu2 = k % 2 == 0 ? mu1 : draw.friction(k / 2);
    const Vec3d x = draw.trial();
    const Vec3d force = strict_tangent(x, x.x > 0 ? x.x : 0, mu1, mu2).force;
    EXPECT_LT(norm(force - project_strict(x, mu1, mu2)), 1e-13) << k;
  }
}

TEST(ContactTangent, OfTheConvexRelaxation) {
  Draw draw;
  int seen[3] = {0, 0, 0};
  for (int k = 0; k < 3000; ++k) {
    const double mu1 = draw.friction(k), mu2 = k % 2 == 0 ? mu1 : draw.friction(k / 2);
    const Vec3d x = draw.trial();
    const auto force = [&](Vec3d y) { return project_proximal(y, mu1, mu2); };
    const ContactTangent t = proximal_tangent(x, mu1, mu2);
    EXPECT_EQ(norm(t.force - force(x)), 0);
    ++seen[static_cast<int>(t.state)];
    expect_share_of_identity(t.slope);
    // Edges: the apex' polar cone and the cone itself.
    const double polar = x.x + std::hypot(mu1 * x.y, mu2 * x.z);
    const double cone = x.x - std::hypot(mu1 > 0 ? x.y / mu1 : 1e9, mu2 > 0 ? x.z / mu2 : 1e9);
    if (std::fabs(polar) < 1e-2 || std::fabs(cone) < 1e-2) continue;
    EXPECT_LT(distance(t.slope, differences(force, x)), 1e-4)
        << k << " mu " << mu1 << " " << mu2 << " trial " << x.x << " " << x.y << " " << x.z;
  }
  for (const int n : seen) EXPECT_GT(n, 150);
}

TEST(ContactTangent, WithoutForceThereIsNone) {
  for (const Vec3d x : {Vec3d{-1, 0.5, 0}, Vec3d{0, 0, 0}, Vec3d{std::nan(""), 1, 1}}) {
    const ContactTangent t = strict_tangent(x, 1, 0.5, 0.5);
    EXPECT_EQ(norm(t.force), 0);
    EXPECT_EQ(t.state, ContactState::open);
    EXPECT_EQ(distance(t.slope, Mat3d{}), 0);
  }
}

}  // namespace
}  // namespace nodia

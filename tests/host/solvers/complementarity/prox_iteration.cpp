#include "host/solvers/complementarity/prox_iteration.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/core/error.hpp"
#include "tests/support/lcps.hpp"

namespace nodia {
namespace {

ProxSolution with_factor(const Mlcp& mlcp, double r, double zeta = 0, double tolerance = 1e-6,
                         int max_iterations = 300) {
  ProxOptions options;
  options.factor = ProxFactor::given;
  options.r = r;
  options.zeta = zeta;
  options.max_iterations = max_iterations;
  return prox_fixed_point(mlcp, options, Eigen::VectorXd::Zero(mlcp.size()), tolerance);
}

Mlcp scalar_problem(double A, double b) {
  return {Eigen::MatrixXd::Constant(1, 1, A),
          Eigen::VectorXd::Constant(1, b),
          {ForceSet::not_negative(0)}};
}

// Benchmarks, 3: iterations of Lu & Trinkle's particle.
TEST(ProxParticle, IterationsWithTheRoundCone) {
  const double r[] = {0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.9};
  const int expected[] = {53, 20, 8, 4, 1, 4, 8, 54};
  for (int i = 0; i < 8; ++i) {
    const ProxSolution solution = with_factor(test::particle_cone(-10), r[i]);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_NEAR(solution.iterations, expected[i], 1) << "r = " << r[i];
    EXPECT_NEAR(solution.x[0], 0.5, 5e-3);
    EXPECT_NEAR(solution.x[1], -0.25, 3e-3);
  }
  for (const double beyond : {2.0, 2.1, 3.0})
    EXPECT_NE(with_factor(test::particle_cone(-10), beyond).status, SolveStatus::converged);
}

TEST(ProxParticle, IterationsWithFourFacets) {
  const double r[] = {0.1, 0.25, 0.5, 0.75};
  const int expected[] = {133, 61, 42, 56};
  const Mlcp mlcp = to_mlcp(test::particle_lcp(-10));
  for (int i = 0; i < 4; ++i) {
    const ProxSolution solution = with_factor(mlcp, r[i]);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_NEAR(solution.iterations, expected[i], 1) << "r = " << r[i];
  }
  for (const double never : {1.0, 1.25, 1.9})
    EXPECT_NE(with_factor(mlcp, never, 0, 1e-6, 5000).status, SolveStatus::converged);
}

TEST(ProxParticle, GravityDecidesBetweenFreeSlidingAndSticking) {
  const auto solve = [](double g) { return with_factor(test::particle_cone(g), 0.9, 0, 1e-24); };
  EXPECT_LT(solve(-5).x.norm(), 1e-9);
  EXPECT_LT(solve(-3).x.norm(), 1e-12);
  for (const double g : {-10.0, -20.0}) {
    const Eigen::VectorXd p = solve(g).x;
    EXPECT_NEAR(p[0], -0.5 - 0.1 * g, 1e-9);
    EXPECT_NEAR(p[1], -0.5 * p[0], 1e-9);
    EXPECT_EQ(p[2], 0);
  }
  EXPECT_NEAR(solve(-30).x[1], -1, 1e-9);  // sticks: mu p_n = 1.25 > 1
  EXPECT_NEAR(solve(-25.1).x[1], -1, 1e-9);
  EXPECT_GT(solve(-24.9).x[1], -1 + 1e-4);
}

// The relaxation leaves a residual of its own order: phi ~ 0.35 zeta, the total error O(zeta^2).
TEST(ProxParticle, RelaxationSetsTheFloor) {
  const double expected_at_1e6 = 6.1e-14;
  for (const double zeta : {1e-3, 1e-6}) {
    const Mlcp mlcp = test::particle_cone(-10);
    const ProxSolution solution = with_factor(mlcp, 0.9, zeta, 1e-30, 3000);
    EXPECT_EQ(solution.status, SolveStatus::stalled);
    const double error = cck_error(mlcp, solution.x, mlcp.A * solution.x + mlcp.b);
    const double bound = expected_at_1e6 * (zeta / 1e-6) * (zeta / 1e-6);
    EXPECT_LT(error, 1.1 * bound);
    EXPECT_GT(error, bound / 100);
    EXPECT_NEAR(mlcp.b[0] + solution.x[0], -0.5 * zeta, 0.01 * zeta);
  }
}

// Benchmarks, 4: lambda* = -h_y, contraction |1 - r/m|, converges for 0 < r < 2 m, at r = m in one
// step.
TEST(ProxPointMass, ContractsAsTheoryTells) {
  const double m = 2.5, h = -3;
  const Mlcp mlcp = scalar_problem(1 / m, h / m);
  for (const double ratio : {0.2, 0.7, 1.0, 1.4, 1.9}) {
    ProxOptions options;
    options.factor = ProxFactor::given;
    options.r = ratio * m;
    double before = 3;
    int k = 0;
    const ProxSolution solution =
        prox_fixed_point(mlcp, options, Eigen::VectorXd::Zero(1),
                         [&](const Eigen::VectorXd& x, const Eigen::VectorXd&) {
                           const double error = std::abs(x[0] + h);
                           EXPECT_NEAR(error, std::abs(1 - ratio) * before, 1e-14);
                           before = error;
                           return ++k == 20 || error == 0;
                         });
    if (ratio == 1.0) {
      EXPECT_EQ(solution.iterations, 1);
    }
  }
  EXPECT_EQ(with_factor(mlcp, 1.99 * m, 0, 1e-12, 10000).status, SolveStatus::converged);
  EXPECT_NE(with_factor(mlcp, 2.01 * m, 0, 1e-12, 10000).status, SolveStatus::converged);
  EXPECT_EQ(with_factor(scalar_problem(1 / m, 1), 1.5 * m).iterations, 0);  // pulls off
}

// Benchmarks, 5.
TEST(ProxPainleve, SaysWhatItFinds) {
  const auto solve = [](double mu, double b, double start, double r) {
    ProxOptions options;
    options.factor = ProxFactor::given;
    options.r = r;
    options.max_iterations = 1000;
    return prox_fixed_point(to_mlcp(test::painleve_lcp(mu, b)), options,
                            Eigen::VectorXd::Constant(1, start), 1e-20);
  };
  EXPECT_NEAR(solve(0.5, -9.81, 0, 0.9).x[0], 8.9143, 1e-3);
  for (const double start : {0.0, 1.0, 20.0}) {
    const ProxSolution none = solve(2, -9.81, start, 0.9);
    EXPECT_EQ(none.status, SolveStatus::diverged);
    EXPECT_LT(none.iterations, 100);
    EXPECT_NE(solve(2, -9.81, start, 0.01).status, SolveStatus::converged);
  }
  // Two: below the second solution the iterates go to zero, above it they diverge.
  EXPECT_EQ(solve(2, 9.81, 11.5, 0.9).x[0], 0);
  EXPECT_EQ(solve(2, 9.81, 11.6, 0.9).status, SolveStatus::diverged);
}

TEST(Prox, EveryRuleReachesTheSameAnswer) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Mlcp mlcp = to_mlcp(test::random_lcp(test::LcpKind::semidefinite, 12, seed));
    mlcp.A = (mlcp.A + 0.1 * Eigen::MatrixXd::Identity(12, 12)).eval();
    std::vector<Eigen::VectorXd> found;
    for (const ProxFactor factor : {ProxFactor::adaptive, ProxFactor::eigenvalues}) {
      ProxOptions options;
      options.factor = factor;
      options.max_iterations = 20000;
      const ProxSolution solution =
          prox_fixed_point(mlcp, options, Eigen::VectorXd::Zero(12), 1e-26);
      EXPECT_EQ(solution.status, SolveStatus::converged);
      EXPECT_GT(solution.r, 0);
      found.push_back(solution.x);
    }
    EXPECT_LT((found[0] - found[1]).norm(), 1e-8 * found[0].norm());
    EXPECT_LT(energy_error(mlcp, found[0]), 1e-18);
  }
}

TEST(Prox, EigenvalueRuleLeavesZeroEigenvaluesOut) {
  EXPECT_DOUBLE_EQ(factor_from_eigenvalues(Eigen::Vector3d(4, 1, 0).asDiagonal()), 2.0 / 5);
  EXPECT_DOUBLE_EQ(factor_from_eigenvalues(Eigen::MatrixXd::Identity(2, 2)), 1);
  EXPECT_DOUBLE_EQ(factor_from_eigenvalues(Eigen::MatrixXd::Zero(2, 2)), 1);
}

TEST(Prox, RefusesBadInput) {
  const Mlcp mlcp = test::particle_cone(-10);
  EXPECT_THROW(with_factor(mlcp, 0), InputError);
  EXPECT_THROW(with_factor(mlcp, std::nan("")), InputError);
  EXPECT_THROW(with_factor(mlcp, 1, -1), InputError);
  EXPECT_THROW(with_factor(mlcp, 1, 0, 0), InputError);
  EXPECT_THROW(with_factor(mlcp, 1, 0, 1e-6, 0), InputError);
  EXPECT_THROW(prox_fixed_point(mlcp, {}, Eigen::VectorXd::Zero(2), 1e-6), InputError);
  Mlcp nan = mlcp;
  nan.b[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(with_factor(nan, 1).status, SolveStatus::not_a_number);
}

}  // namespace
}  // namespace nodia

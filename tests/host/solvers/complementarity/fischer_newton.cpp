#include "host/solvers/complementarity/fischer_newton.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "host/solvers/complementarity/lemke.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/lcps.hpp"

namespace nodia {
namespace {

using test::LcpKind;

// Benchmarks, 30: |Psi_{k+1}| <= c |Psi_k|^2 in the tail, from many starts.
TEST(FischerNewton, ConvergesQuadraticallyOnTheParticle) {
  const Lcp lcp = test::particle_lcp(-10);
  Eigen::VectorXd expected(6);
  expected << 0.5, 0, 0, 0.25, 0, 0.75;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (const double damping : {1.0, 1e-3}) {
    for (int k = 0; k < 20; ++k) {
      std::vector<double> psi;
      Eigen::VectorXd start = Eigen::VectorXd::Zero(6);
      if (k > 0)
        for (double& x : start) x = uniform(engine);
      FischerOptions options;
      options.damping = damping;
      options.tolerance = 1e-14;
      const LcpSolution solution = fischer_newton(
          lcp, options, start, [&](const Eigen::VectorXd&, double norm) { psi.push_back(norm); });
      ASSERT_EQ(solution.status, SolveStatus::converged) << solution.reason;
      EXPECT_LT((solution.z - expected).norm(), 1e-9);
      for (std::size_t i = 1; i < psi.size(); ++i)
        if (psi[i - 1] < 0.03) {
          EXPECT_LT(psi[i], 10 * psi[i - 1] * psi[i - 1] + 1e-14);
        }
    }
  }
}

TEST(FischerNewton, SolvesMonotoneProblemsAsLemkeDoes) {
  for (const LcpKind kind : {LcpKind::p_matrix, LcpKind::semidefinite, LcpKind::skew_dominated})
    for (const int n : {1, 2, 7, 20})
      for (unsigned seed = 1; seed <= 6; ++seed) {
        const Lcp lcp = test::random_lcp(kind, n, seed, seed % 2 ? 0 : 12);
        FischerOptions options;
        options.tolerance = 1e-12;
        const LcpSolution solution = fischer_newton(lcp, options);
        EXPECT_EQ(solution.status, SolveStatus::converged) << n << " " << seed << solution.reason;
        EXPECT_LT(lcp_error(lcp, solution.z), 1e-7) << n << " " << seed;
        if (kind == LcpKind::p_matrix) {
          const Eigen::VectorXd z = lemke(lcp).z;
          EXPECT_LE((solution.z - z).norm(), 1e-6 * z.norm());
        }
      }
}

// Painleve's rod without a solution: M = -0.85 is no P0 matrix, and the merit function has a
// stationary point.
TEST(FischerNewton, AStationaryPointIsNotCalledASolution) {
  for (const double start : {0.0, 0.5, 5.0, 100.0}) {
    const LcpSolution solution =
        fischer_newton(test::painleve_lcp(2, -9.81), {}, Eigen::VectorXd::Constant(1, start));
    EXPECT_EQ(solution.status, SolveStatus::stalled) << solution.iterations;
    EXPECT_NE(solution.reason.find("no solution"), std::string::npos);
  }
  const LcpSolution two =
      fischer_newton(test::painleve_lcp(2, 9.81), {}, Eigen::VectorXd::Constant(1, 12));
  EXPECT_EQ(two.status, SolveStatus::converged);
  EXPECT_TRUE(std::abs(two.z[0]) < 1e-6 || std::abs(two.z[0] - 11.567) < 1e-3);
}

// x_i = y_i = 0: derivative of a square root at zero, and a solution at which the problem is
// degenerate.
TEST(FischerNewton, KinksAreNoTrap) {
  Lcp lcp{Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(0, -1, 0)};
  const LcpSolution solution = fischer_newton(lcp);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_LT((solution.z - Eigen::Vector3d(0, 1, 0)).norm(), 1e-8);
}

TEST(FischerNewton, RefusesBadInput) {
  Lcp lcp = test::particle_lcp(-10);
  for (const auto& bad : {FischerOptions{.tolerance = 0}, FischerOptions{.max_iterations = 0},
                          FischerOptions{.damping = 0}, FischerOptions{.sigma = 1},
                          FischerOptions{.beta = 0}, FischerOptions{.gamma = std::nan("")}})
    EXPECT_THROW(fischer_newton(lcp, bad), InputError);
  EXPECT_THROW(fischer_newton(lcp, {}, Eigen::VectorXd::Zero(2)), InputError);
  EXPECT_EQ(fischer_newton(lcp, {.max_iterations = 1}).status, SolveStatus::iteration_limit);
  lcp.M(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fischer_newton(lcp).status, SolveStatus::not_a_number);
}

}  // namespace
}  // namespace nodia

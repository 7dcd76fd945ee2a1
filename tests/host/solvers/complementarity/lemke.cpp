#include "host/solvers/complementarity/lemke.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/core/error.hpp"
#include "tests/support/lcps.hpp"

namespace nodia {
namespace {

using test::LcpKind;

TEST(Lemke, SolvesLuAndTrinklesParticle) {
  const Lcp lcp = test::particle_lcp(-10);
  const LcpSolution solution = lemke(lcp);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  Eigen::VectorXd expected(6);
  expected << 0.5, 0, 0, 0.25, 0, 0.75;  // v+ = (0.75, 0, -1.5)
  EXPECT_LT((solution.z - expected).norm(), 1e-14);
}

TEST(Lemke, NothingToDoTakesNoPivot) {
  Lcp lcp = test::particle_lcp(0);
  lcp.q.setConstant(1);
  const LcpSolution solution = lemke(lcp);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_EQ(solution.z.norm(), 0);
  EXPECT_EQ(lemke({Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}).status, SolveStatus::converged);
}

// Benchmarks, 5: a solution where there is one, a ray where there is none.
TEST(Lemke, PainlevesRodEndsInASolutionOrARay) {
  const LcpSolution unique = lemke(test::painleve_lcp(0.5, -9.81));
  EXPECT_EQ(unique.status, SolveStatus::converged);
  EXPECT_NEAR(unique.z[0], 9.81 / 1.100481, 1e-5);
  const LcpSolution none = lemke(test::painleve_lcp(2, -9.81));
  EXPECT_EQ(none.status, SolveStatus::infeasible);
  EXPECT_NE(none.reason.find("ray"), std::string::npos);
  const LcpSolution two = lemke(test::painleve_lcp(2, 9.81));
  EXPECT_EQ(two.status, SolveStatus::converged);
  EXPECT_TRUE(two.z[0] == 0 || std::abs(two.z[0] - 11.567) < 1e-3);
}

TEST(Lemke, SolvesRandomProblemsOfEveryKind) {
  for (const LcpKind kind : {LcpKind::p_matrix, LcpKind::semidefinite, LcpKind::skew_dominated})
    for (const int n : {1, 2, 7, 40})
      for (unsigned seed = 1; seed <= 8; ++seed) {
        const Lcp lcp = test::random_lcp(kind, n, seed, seed % 2 ? 0 : 12);
        const LcpSolution solution = lemke(lcp);
        EXPECT_EQ(solution.status, SolveStatus::converged) << n << " " << seed << solution.reason;
        EXPECT_GE(solution.z.minCoeff(), 0);
        EXPECT_LT(lcp_error(lcp, solution.z), 1e-10);
      }
}

TEST(Lemke, FindsOneOfTheEnumeratedSolutions) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Lcp lcp = test::random_lcp(LcpKind::p_matrix, 6, seed);
    const auto all = all_solutions(lcp);
    ASSERT_EQ(all.size(), 1u);  // a P matrix
    EXPECT_LT((lemke(lcp).z - all[0]).norm(), 1e-9 * (1 + all[0].norm()));
  }
}

// A matrix that is neither P nor copositive: a ray never hides behind another status, and what is
// called solved is solved.
TEST(Lemke, IndefiniteMatricesEndInASolutionOrARay) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  int n_ray = 0, n_solved = 0;
  for (int k = 0; k < 300; ++k) {
    Lcp lcp{Eigen::MatrixXd(5, 5), Eigen::VectorXd(5)};
    for (double& m : lcp.M.reshaped()) m = normal(engine);
    for (double& q : lcp.q) q = normal(engine);
    const LcpSolution solution = lemke(lcp);
    if (solution.status == SolveStatus::converged) {
      ++n_solved;
      EXPECT_LT(lcp_error(lcp, solution.z), 1e-10);
    } else {
      EXPECT_EQ(solution.status, SolveStatus::infeasible);
      ++n_ray;
    }
    if (all_solutions(lcp).empty()) {
      EXPECT_EQ(solution.status, SolveStatus::infeasible);
    }
  }
  EXPECT_GT(n_solved, 50);
  EXPECT_GT(n_ray, 20);
}

// Degenerate: every ratio ties. Without the lexicographic rule such problems may cycle.
TEST(Lemke, DegenerateProblemsEnd) {
  for (int n : {3, 8, 20}) {
    Lcp lcp{Eigen::MatrixXd::Ones(n, n), Eigen::VectorXd::Constant(n, -1)};
    EXPECT_EQ(lemke(lcp).status, SolveStatus::converged);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) lcp.M(i, j) = i == j ? 1 : (j > i ? 2 : 0);  // Murty
    const LcpSolution murty = lemke(lcp);
    EXPECT_EQ(murty.status, SolveStatus::converged);
    EXPECT_NEAR(murty.z[n - 1], 1, 1e-12);
  }
}

TEST(Lemke, ReportsWhatIsNoNumberAndItsLimit) {
  Lcp lcp = test::particle_lcp(-10);
  EXPECT_EQ(lemke(lcp, {.max_pivots = 1}).status, SolveStatus::iteration_limit);
  lcp.q[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(lemke(lcp).status, SolveStatus::not_a_number);
  EXPECT_THROW(lemke({Eigen::MatrixXd::Zero(2, 2), Eigen::VectorXd::Zero(3)}), InputError);
}

}  // namespace
}  // namespace nodia

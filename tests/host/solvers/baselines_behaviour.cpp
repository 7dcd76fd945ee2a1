// What the iterations on contact forces do besides converging: rules, warm start, environments,
// failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

class Baseline : public testing::TestWithParam<const char*> {
 protected:
  Baseline() {
    options.solver = GetParam();
    options.max_iterations = 100000;
  }
  Solution solve(const ContactProblem& p, const WarmStart& warm = {}) const {
    Solution solution;
    make_solver(options)->solve(p, warm, &solution);
    return solution;
  }
  SolverOptions options;
};

using test::same_bits;

TEST_P(Baseline, PaperRuleBoundsTheVelocityStep) {
  const ContactProblem p =
      random_problem({.seed = 1, .n_node = 20, .n_world_contact = 8, .n_pair_contact = 4});
  const DenseReference reference = dense_reference(p);
  options.stop = StopRule::paper;
  double last_error = std::numeric_limits<double>::infinity();
  for (const double tolerance : {1e-2, 1e-5, 1e-10}) {
    options.tolerance = tolerance;
    const Solution solution = solve(p);
    EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
    EXPECT_LE(solution.env[0].velocity_step, tolerance);
    const double error = relative_energy_distance(p, solution.v, reference.v);
    // A Newton step may end below rounding at any tolerance.
    EXPECT_LT(error, std::max(last_error, 1e-12));
    last_error = error;
  }
  EXPECT_LT(last_error, 1e-7);
}

TEST_P(Baseline, VelocityStepIsTheLastChangeOfVelocity) {
  const ContactProblem p = random_problem({.seed = 2});
  options.tolerance = 1e-15;
  options.stop = StopRule::paper;
  options.max_iterations = 5;
  const Solution fifth = solve(p);
  EXPECT_EQ(fifth.env[0].status, SolveStatus::iteration_limit);
  EXPECT_EQ(fifth.env[0].iterations, 5);
  options.max_iterations = 4;
  const Solution fourth = solve(p);
  double squares = 0;
  for (std::size_t i = 0; i < fifth.v.size(); ++i)
    squares += squared_norm(fifth.v[i] - fourth.v[i]);
  EXPECT_NEAR(fifth.env[0].velocity_step, std::sqrt(squares), 1e-9 * std::sqrt(squares));
}

TEST_P(Baseline, WarmStartFromTheSolutionNeedsOneIteration) {
  const ContactProblem p =
      random_problem({.seed = 3, .n_node = 20, .n_world_contact = 8, .n_pair_contact = 4});
  options.tolerance = 1e-8;
  const Solution cold = solve(p);
  options.tolerance = 1e-6;
  const Solution warm = solve(p, {.v = {}, .lambda = cold.lambda});
  EXPECT_GT(cold.env[0].iterations, 3);
  EXPECT_EQ(warm.env[0].iterations, 1);
}

TEST_P(Baseline, EnvironmentsAreSolvedAsAlone) {
  const ContactProblem p = random_problem({.seed = 4, .n_env = 3});
  options.tolerance = 1e-8;
  const Solution whole = solve(p);
  for (int e = 0; e < 3; ++e) {
    const Solution alone = solve(p.environment(e));
    EXPECT_EQ(whole.env[e].iterations, alone.env[0].iterations);
    EXPECT_TRUE(same_bits(alone.v, {whole.v.begin() + p.env_node_begin[e],
                                    whole.v.begin() + p.env_node_begin[e + 1]}));
    EXPECT_TRUE(same_bits(alone.lambda, {whole.lambda.begin() + p.env_contact_begin[e],
                                         whole.lambda.begin() + p.env_contact_begin[e + 1]}));
  }
}

TEST_P(Baseline, AFailedEnvironmentDoesNotTouchItsNeighbours) {
  const ContactProblem good = random_problem({.seed = 5, .n_env = 3});
  ContactProblem bad = good;
  bad.b[bad.env_node_begin[1]].y = std::numeric_limits<double>::quiet_NaN();
  const Solution expected = solve(good), found = solve(bad);
  EXPECT_EQ(found.env[1].status, SolveStatus::not_a_number);
  for (const int e : {0, 2}) {
    EXPECT_EQ(found.env[e].status, SolveStatus::converged);
    for (int i = good.env_node_begin[e]; i < good.env_node_begin[e + 1]; ++i)
      EXPECT_EQ(norm(found.v[i] - expected.v[i]), 0);
  }
}

TEST_P(Baseline, AnIndefiniteMatrixIsReported) {
  ContactProblem p = random_problem({.seed = 6});
  for (double& a : p.A.value) a = -a;
  const Solution solution = solve(p);
  EXPECT_EQ(solution.env[0].status, SolveStatus::diverged);
  EXPECT_THAT(solution.env[0].reason, testing::HasSubstr("not positive definite"));
}

TEST_P(Baseline, WithoutContactsSolvesTheDynamics) {
  const Solution solution = solve(random_problem({.n_world_contact = 0, .n_pair_contact = 0}));
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  EXPECT_EQ(solution.env[0].iterations, 0);
  EXPECT_LT(solution.env[0].relative_residual, 1e-13);
}

TEST_P(Baseline, AnInfeasibleProblemEndsWithABoundedAnswer) {
  // Two walls that close in on one node: no velocity satisfies both.
  ContactProblem p = random_problem({.n_node = 1, .n_world_contact = 2, .n_pair_contact = 0});
  for (Contact<double>& c : p.contacts) {
    c.side_i = 0;
    c.phi = {-1, 0, 0};
  }
  p.contacts[0].R = frame_from_normal(Vec3d{0, 0, 1});
  p.contacts[1].R = frame_from_normal(Vec3d{0, 0, -1});
  p.validate();
  options.max_iterations = 20000;
  const Solution solution = solve(p);
  // Only accelerated forces and those of Newton steps grow fast enough to be called unbounded
  // within the limit.
  const std::string solver = GetParam();
  EXPECT_EQ(solution.env[0].status, solver == "apgd" || solver == "proximal_newton"
                                        ? SolveStatus::infeasible
                                        : SolveStatus::iteration_limit);
  EXPECT_GT(solution.env[0].iterations, 10);
  // Forces may grow; the node moves no faster than the walls, which come at 1 m/s.
  EXPECT_LE(norm(solution.v[0]), 1 + 1e-3);
}

TEST_P(Baseline, SolveWithAMadeOperatorGivesTheSameAnswer) {
  const ContactProblem p = random_problem({.seed = 7});
  const auto solver = make_solver(options);
  auto* delassus_solver = dynamic_cast<DelassusSolver*>(solver.get());
  ASSERT_NE(delassus_solver, nullptr);
  const DelassusOperator op(p, options.factor);
  Solution a, b;
  solver->solve(p, {}, &a);
  delassus_solver->solve_with(op, p, {}, &b);
  EXPECT_TRUE(same_bits(a.v, b.v));
  EXPECT_TRUE(same_bits(a.lambda, b.lambda));
  EXPECT_EQ(b.env[0].delassus_s, op.seconds());
  EXPECT_GE(b.env[0].time_s, op.seconds());
  EXPECT_THROW(delassus_solver->solve_with(op, random_problem({.n_node = 13}), {}, &b), InputError);
}

TEST_P(Baseline, RepeatsBitForBit) {
  const ContactProblem p =
      random_problem({.seed = 8, .n_node = 60, .n_world_contact = 30, .n_pair_contact = 10});
  const Solution a = solve(p), b = solve(p);
  EXPECT_TRUE(same_bits(a.v, b.v));
  EXPECT_TRUE(same_bits(a.lambda, b.lambda));
}

INSTANTIATE_TEST_SUITE_P(Solvers, Baseline,
                         testing::Values("pgs", "apgd", "prox", "proximal_newton"),
                         [](const auto& test) { return std::string(test.param); });

// One contact, one node: both methods give the strict projection of the free answer (Lee et al.,
// Prop. 4).
TEST(Pgs, SolvesADiagonalProblemInOneSweep) {
  const ContactProblem p = [] {
    ContactProblem q =
        random_problem({.seed = 9, .n_node = 1, .n_world_contact = 1, .n_pair_contact = 0});
    return q;
  }();
  SolverOptions options;
  options.solver = "pgs";
  options.tolerance = 1e-12;
  Solution solution;
  make_solver(options)->solve(p, {}, &solution);
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  EXPECT_EQ(solution.env[0].iterations, 1);
}

}  // namespace
}  // namespace nodia

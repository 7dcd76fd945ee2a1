/// What COND reports and how it ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using test::solve_once;

TEST(Cond, PaperRuleEndsOnTheVelocityStepAndNamesItself) {
  const ContactProblem p = random_problem({.seed = 2, .distinct_nodes = true});
  SolverOptions options;
  options.solver = "cond";
  options.stop = StopRule::paper;
  options.tolerance = 1e-6;
  const SolveReport r = solve_once(p, options).env[0];
  EXPECT_EQ(r.status, SolveStatus::converged);
  EXPECT_LE(r.velocity_step, 1e-6);
  EXPECT_GT(r.iterations, 1);
}

TEST(Cond, ResidualRuleBoundsTheMeasuredErrors) {
  for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
    SolverOptions options;
    options.solver = "cond";
    options.tolerance = tolerance;
    const SolveReport r = solve_once(random_problem({.seed = 2}), options).env[0];
    EXPECT_EQ(r.status, SolveStatus::converged);
    EXPECT_LE(r.relative_residual, tolerance * (1 + 1e-6));
    EXPECT_LE(r.natural_map_error, tolerance * (1 + 1e-6));
  }
}

TEST(Cond, IterationLimitIsReportedWithTheBestAnswer) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-12;
  double best = std::numeric_limits<double>::infinity();
  for (int limit : {1, 2, 7, 16}) {
    options.max_iterations = limit;
    const SolveReport r = solve_once(random_problem({.seed = 2}), options).env[0];
    EXPECT_EQ(r.status, SolveStatus::iteration_limit);
    EXPECT_EQ(r.iterations, limit);
    const double worse = std::max(r.relative_residual, r.natural_map_error);
    EXPECT_LE(worse, best);
    best = worse;
  }
}

TEST(Cond, NotANumberIsNamedInTheFirstIteration) {
  ContactProblem p = random_problem({.seed = 2});
  p.b[3].y = std::numeric_limits<double>::quiet_NaN();
  const SolveReport r = solve_once(p, {}).env[0];
  EXPECT_EQ(r.status, SolveStatus::not_a_number);
  EXPECT_EQ(r.iterations, 1);
  EXPECT_FALSE(r.reason.empty());
}

TEST(Cond, AnInfeasibleProblemEndsWithAReason) {
  // A node between two walls that are closer than its place.
  ContactProblem p = random_problem({.seed = 2, .n_world_contact = 0, .n_pair_contact = 0});
  for (const double side : {1.0, -1.0}) {
    Contact<double> c;
    c.R = frame_from_normal(Vec3d{0, 0, side});
    c.phi = {-0.1, 0, 0};
    p.contacts.push_back(c);
  }
  p.env_contact_begin.back() = 2;
  SolverOptions options;
  options.solver = "cond";
  options.max_iterations = 5000;
  const SolveReport r = solve_once(p, options).env[0];
  EXPECT_EQ(r.status, SolveStatus::infeasible);
  EXPECT_FALSE(r.reason.empty());
}

TEST(Cond, WithoutContactsSolvesTheDynamics) {
  const ContactProblem p = random_problem({.seed = 4, .n_world_contact = 0, .n_pair_contact = 0});
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-12;
  const Solution s = solve_once(p, options);
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_LT(s.env[0].relative_residual, 1e-12);
}

TEST(Cond, WithoutForcesStaysAtRest) {
  ContactProblem p = random_problem({.seed = 4});
  for (Vec3d& b : p.b) b = {};
  for (Contact<double>& c : p.contacts) c.phi = {};
  const Solution s = solve_once(p, {});
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  for (const Vec3d& v : s.v) EXPECT_EQ(norm(v), 0);
}

TEST(Cond, WarmStartFromTheSolutionIsCheap) {
  const ContactProblem p = random_problem({.seed = 6, .distinct_nodes = true});
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-10;
  const Solution cold = solve_once(p, options);
  const Solution warm = solve_once(p, options, {cold.v, cold.lambda});
  EXPECT_LE(warm.env[0].iterations, options.check_every);
  EXPECT_GT(cold.env[0].iterations, 2 * options.check_every);
}

TEST(Cond, EnvironmentsAreSolvedAsAloneBitForBit) {
  const ContactProblem p = random_problem({.seed = 8, .n_env = 5});
  const Solution all = solve_once(p, {});
  for (int e = 0; e < p.n_env(); ++e) {
    const Solution alone = solve_once(p.environment(e), {});
    EXPECT_EQ(all.env[e].iterations, alone.env[0].iterations);
    EXPECT_EQ(std::memcmp(all.v.data() + p.env_node_begin[e], alone.v.data(),
                          sizeof(Vec3d) * alone.v.size()),
              0);
    EXPECT_EQ(std::memcmp(all.lambda.data() + p.env_contact_begin[e], alone.lambda.data(),
                          sizeof(Vec3d) * alone.lambda.size()),
              0);
  }
}

TEST(Cond, RecycledStepSizeGivesTheSameAnswer) {
  const ContactProblem p = random_problem({.seed = 10, .distinct_nodes = true});
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-11;
  options.of<CondOptions>().w_recycle_steps = 10;
  const auto solver = make_solver(options);
  Solution first, second;
  solver->solve(p, {}, &first);
  ContactProblem stiffer = p;
  for (double& a : stiffer.A.value) a *= 1.1;
  solver->solve(stiffer, {}, &second);
  const Solution fresh = solve_once(stiffer, options);
  EXPECT_EQ(second.env[0].status, SolveStatus::converged);
  for (std::size_t i = 0; i < fresh.v.size(); ++i) EXPECT_LT(norm(second.v[i] - fresh.v[i]), 1e-8);
}

TEST(Cond, AWThatIsTooLargeFallsBackToTheSafeIteration) {
  // Recycling W over a step in which A grew ten times breaks lambda_max(W A) < 2; the guard cannot
  // see it.
  const ContactProblem p = random_problem({.seed = 10, .distinct_nodes = true});
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-8;
  options.max_iterations = 20000;
  options.of<CondOptions>().w_recycle_steps = 10;
  const auto solver = make_solver(options);
  Solution s;
  solver->solve(p, {}, &s);
  ContactProblem stiffer = p;
  for (double& a : stiffer.A.value) a *= 10;
  solver->solve(stiffer, {}, &s);
  EXPECT_GE(s.env[0].restarts, 1);
  EXPECT_EQ(s.env[0].status, SolveStatus::converged) << s.env[0].reason;
}

}  // namespace
}  // namespace nodia

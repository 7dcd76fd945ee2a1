// CCS: rules, parameters, environments, points of bodies, failures. Agreement with the dense
// reference: baselines_reference.cpp.
#include "host/solvers/ccs/ccs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

struct Ccs : testing::Test {
  Ccs() {
    options.solver = "ccs";
    options.tolerance = 1e-8;
    options.max_iterations = 20000;
  }
  Solution solve(const ContactProblem& p, const WarmStart& warm = {}) const {
    Solution solution;
    make_solver(options)->solve(p, warm, &solution);
    return solution;
  }
  SolverOptions options;
};

/// A node of 2 kg that comes down on a floor with velocity (3, 0, -1) m/s, mu = 0.5, t = 0.1 s.
ContactProblem falling_node() {
  ContactProblem p =
      random_problem({.n_node = 1, .n_world_contact = 1, .n_pair_contact = 0, .stiffness = 0});
  p.step_s = 0.1;
  p.mass = {2};
  p.A.set_block(0, 20.0 * Mat3d::identity());
  p.b = {{60, 0, -20}};
  p.contacts[0].R = frame_from_normal(Vec3d{0, 0, 1});
  p.contacts[0].phi = {};
  p.contacts[0].mu1 = p.contacts[0].mu2 = 0.5;
  return p;
}

TEST_F(Ccs, OneNodeSlidesAsCoulombSays) {
  options.tolerance = 1e-12;
  const Solution s = solve(falling_node());
  ASSERT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_NEAR(s.lambda[0].x, 20, 1e-9);                             // N: stops the fall
  EXPECT_NEAR(std::hypot(s.lambda[0].y, s.lambda[0].z), 10, 1e-9);  // mu times it
  EXPECT_NEAR(s.v[0].x, 2.5, 1e-10);
  EXPECT_NEAR(s.v[0].z, 0, 1e-10);
}

TEST_F(Ccs, TheConvexRelaxationLiftsOffAsItMust) {
  options.tolerance = 1e-12;
  options.projection = Projection::proximal;
  const Solution s = solve(falling_node());
  ASSERT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_NEAR(s.v[0].z, 0.5 * std::hypot(s.v[0].x, s.v[0].y), 1e-10);  // mu times the slip
}

TEST_F(Ccs, AgreesWithPgsOnBodiesTrianglesAndChains) {
  int n_compared = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const ContactProblem p = random_problem({.seed = seed,
                                             .n_node = 12,
                                             .n_world_contact = 3,
                                             .n_pair_contact = 2,
                                             .n_body = 2,
                                             .n_body_contact = 2,
                                             .n_triangle_contact = 2,
                                             .n_link = 5});
    SolverOptions other = options;
    other.solver = "pgs";
    Solution expected;
    make_solver(other)->solve(p, {}, &expected);
    const Solution found = solve(p);
    if (expected.env[0].status != SolveStatus::converged) continue;  // PGS cycles
    ++n_compared;
    EXPECT_EQ(found.env[0].status, SolveStatus::converged) << "seed " << seed;
    EXPECT_LT(relative_energy_distance(p, found.v, expected.v), 1e-5) << "seed " << seed;
  }
  EXPECT_GE(n_compared, 6);
}

TEST_F(Ccs, EveryPenaltyAndRelaxationGivesTheSameAnswer) {
  const ContactProblem p = random_problem({.seed = 5, .distinct_nodes = true});
  const DenseReference reference = dense_reference(p);
  for (const double penalty : {0.1, 0.3, 1.0, 3.0})
    for (const double relaxation : {1.0, 1.5}) {
      options.of<CcsOptions>() = {penalty, relaxation};
      const Solution s = solve(p);
      EXPECT_EQ(s.env[0].status, SolveStatus::converged) << penalty << " " << relaxation;
      EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-6)
          << penalty << " " << relaxation;
    }
}

TEST_F(Ccs, InvertibleContactGivesForcesFromVelocities) {
  const ContactProblem p = random_problem({.seed = 6});
  options.invertible_omega_m_Ns = 1e-3;
  options.tolerance = 1e-11;
  for (const Projection law : {Projection::strict, Projection::proximal}) {
    options.projection = law;
    const Solution s = solve(p);
    ASSERT_EQ(s.env[0].status, SolveStatus::converged);
    const std::vector<Vec3d> recovered =
        recover_contact_forces(p, s.v, law, options.invertible_omega_m_Ns);
    for (std::size_t m = 0; m < recovered.size(); ++m)
      EXPECT_LT(norm(recovered[m] - s.lambda[m]), 1e-6 * (1 + norm(s.lambda[m])));
  }
}

TEST_F(Ccs, PaperRuleEndsAtASmallStep) {
  const ContactProblem p = random_problem({.seed = 1});
  options.stop = StopRule::paper;
  options.tolerance = 1e-9;
  const Solution s = solve(p);
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_LE(s.env[0].velocity_step, 1e-9);
  EXPECT_LT(relative_energy_distance(p, s.v, dense_reference(p).v), 1e-5);
}

TEST_F(Ccs, AnAnswerCutShortIsReportedAsSuch) {
  options.max_iterations = 2;
  options.tolerance = 1e-12;
  const Solution s = solve(random_problem({.seed = 2}));
  EXPECT_EQ(s.env[0].status, SolveStatus::iteration_limit);
  EXPECT_EQ(s.env[0].iterations, 2);
  EXPECT_GT(std::max(s.env[0].relative_residual, s.env[0].natural_map_error), 1e-12);
}

TEST_F(Ccs, FactorisersAgree) {
  if (!is_available(Factoriser::cholmod))
    GTEST_SKIP() << "PACKAGE: libsuitesparse-dev: this build has no CHOLMOD";
  const ContactProblem p = random_problem({.seed = 3});
  const Solution simplicial = solve(p);
  options.factor.factoriser = Factoriser::cholmod;
  EXPECT_LT(relative_energy_distance(p, solve(p).v, simplicial.v), 1e-7);
  EXPECT_GT(simplicial.env[0].delassus_s, 0);
  EXPECT_LE(simplicial.env[0].delassus_s, simplicial.env[0].time_s);
}

TEST_F(Ccs, EnvironmentsAreSolvedAsAlone) {
  const ContactProblem p = random_problem({.seed = 4, .n_env = 3});
  const Solution whole = solve(p);
  for (int e = 0; e < 3; ++e) {
    const Solution alone = solve(p.environment(e));
    EXPECT_EQ(whole.env[e].iterations, alone.env[0].iterations);
    for (int i = p.env_node_begin[e]; i < p.env_node_begin[e + 1]; ++i)
      EXPECT_EQ(norm(whole.v[i] - alone.v[i - p.env_node_begin[e]]), 0);
  }
}

TEST_F(Ccs, NotANumberIsNamedAndStaysInItsEnvironment) {
  ContactProblem p = random_problem({.seed = 5, .n_env = 2});
  p.b[0].y = std::numeric_limits<double>::quiet_NaN();
  const Solution s = solve(p);
  EXPECT_EQ(s.env[0].status, SolveStatus::not_a_number);
  EXPECT_EQ(s.env[1].status, SolveStatus::converged);
}

TEST_F(Ccs, WithoutContactsSolvesTheDynamics) {
  const Solution s = solve(random_problem({.n_world_contact = 0, .n_pair_contact = 0}));
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_EQ(s.env[0].iterations, 0);
  EXPECT_LT(s.env[0].relative_residual, 1e-13);
}

TEST_F(Ccs, AtRestStaysAtRest) {
  ContactProblem p = random_problem({.seed = 8});
  for (Vec3d& b : p.b) b = {};
  for (Contact<double>& c : p.contacts) c.phi = {};
  const Solution s = solve(p, {.v = std::vector<Vec3d>(p.b.size(), {1e-9, 0, 0}),
                               .lambda = std::vector<Vec3d>(p.contacts.size(), {1e-9, 0, 0})});
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  for (const Vec3d& v : s.v) EXPECT_EQ(norm(v), 0);
}

TEST_F(Ccs, AnIndefiniteMatrixIsReported) {
  ContactProblem p = random_problem({.seed = 6, .n_world_contact = 0, .n_pair_contact = 0});
  for (double& a : p.A.value) a = -a;
  const Solution s = solve(p);
  EXPECT_EQ(s.env[0].status, SolveStatus::diverged);
  EXPECT_THAT(s.env[0].reason, testing::HasSubstr("not positive definite"));
}

TEST_F(Ccs, WallsThatCloseInAreInfeasible) {
  ContactProblem p = random_problem({.n_node = 1, .n_world_contact = 2, .n_pair_contact = 0});
  for (Contact<double>& c : p.contacts) {
    c.side_i = 0;
    c.phi = {-1, 0, 0};
  }
  p.contacts[0].R = frame_from_normal(Vec3d{0, 0, 1});
  p.contacts[1].R = frame_from_normal(Vec3d{0, 0, -1});
  const Solution s = solve(p);
  EXPECT_EQ(s.env[0].status, SolveStatus::infeasible);
  EXPECT_TRUE(is_finite(s.v[0]));
}

// Detects a wrong sign of the multiplier: with it the second half of the iteration undoes the first
// and forces stay at zero.
TEST_F(Ccs, ForcesPushAndNeverPull) {
  const ContactProblem p = random_problem({.seed = 9});
  const Solution s = solve(p);
  double sum = 0;
  for (const Vec3d& lambda : s.lambda) {
    EXPECT_GE(lambda.x, 0);
    sum += lambda.x;
  }
  EXPECT_GT(sum, 0);
}

TEST_F(Ccs, RejectsBadParameters) {
  const auto message = [&](const CcsOptions& own) {
    options.of<CcsOptions>() = own;
    try {
      make_solver(options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message({.penalty = -1}), testing::HasSubstr("solver.ccs.penalty = -1 (must be"));
  EXPECT_THAT(message({.penalty = nan}), testing::HasSubstr("must be"));
  EXPECT_THAT(message({.over_relaxation = 2}), testing::HasSubstr("must be in [0.1, 1.9]"));
}

}  // namespace
}  // namespace nodia

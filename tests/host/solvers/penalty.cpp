// Penalty contact: its own law to the bit, its distance from Coulomb's, and where it fails.
#include "host/solvers/penalty/penalty.hpp"

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

struct Penalty : testing::Test {
  Penalty() {
    options.solver = "penalty";
    options.tolerance = 1e-10;
    options.max_iterations = 5000;
  }
  PenaltyOptions& own() { return options.of<PenaltyOptions>(); }
  Solution solve(const ContactProblem& p, const WarmStart& warm = {}) const {
    Solution solution;
    make_solver(options)->solve(p, warm, &solution);
    return solution;
  }
  SolverOptions options;
};

/// A node of 2 kg over a floor, t = 0.1 s: velocity, gap.
ContactProblem node(Vec3d velocity, double gap_m, double mu) {
  ContactProblem p =
      random_problem({.n_node = 1, .n_world_contact = 1, .n_pair_contact = 0, .stiffness = 0});
  p.step_s = 0.1;
  p.mass = {2};
  p.A.set_block(0, 20.0 * Mat3d::identity());
  p.b = {20.0 * velocity};
  p.contacts[0].R = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  p.contacts[0].phi = {gap_m / 0.1, 0, 0};
  p.contacts[0].mu1 = p.contacts[0].mu2 = mu;
  return p;
}

TEST_F(Penalty, ImplicitSpringStopsANodeAsTheFormulaSays) {
  own().stiffness_N_m = 500;
  own().damping_N_s_m = 30;
  const Solution s = solve(node({0, 0, -1}, -0.02, 0));
  ASSERT_EQ(s.env[0].status, SolveStatus::converged);
  // 20 v = -20 + lambda, lambda = -500 (gap + t v) - 30 v
  const double v = (-20 + 500 * 0.02) / (20 + 50 + 30);
  EXPECT_NEAR(s.v[0].z, v, 1e-12);
  EXPECT_NEAR(s.lambda[0].x, -500 * (-0.02 + 0.1 * v) - 30 * v, 1e-9);
}

TEST_F(Penalty, ExplicitSpringTakesGapAndVelocityOfTheStart) {
  own().stiffness_N_m = 500;
  own().damping_N_s_m = 30;
  own().integration = PenaltyIntegration::explicit_;
  const Solution s = solve(node({0, 0, -1}, -0.02, 0), {.v = {{0, 0, -1}}, .lambda = {}});
  EXPECT_NEAR(s.lambda[0].x, 500 * 0.02 + 30, 1e-12);
  EXPECT_NEAR(s.v[0].z, (-20 + 40) / 20.0, 1e-12);
}

TEST_F(Penalty, NothingBrakesInMidAir) {
  for (const PenaltyIntegration integration :
       {PenaltyIntegration::implicit, PenaltyIntegration::explicit_}) {
    own().integration = integration;
    const Solution s = solve(node({1, 0, -0.05}, 0.02, 0.5), {.v = {{1, 0, -0.05}}, .lambda = {}});
    EXPECT_EQ(s.env[0].status, SolveStatus::converged);
    EXPECT_EQ(norm(s.lambda[0]), 0);
    EXPECT_NEAR(s.v[0].x, 1, 1e-14);
  }
}

TEST_F(Penalty, FrictionIsViscousBelowTheConeAndCoulombOnIt) {
  own().stiffness_N_m = 500;
  own().damping_N_s_m = 0;
  own().friction_N_s_m = 40;
  const ContactProblem rough = node({1, 0, 0}, -0.02, 1e6);
  const Solution slow = solve(rough);
  EXPECT_NEAR(slow.v[0].x, 20.0 / (20 + 40), 1e-9);
  const Solution fast = solve(node({1, 0, 0}, -0.02, 0.5));
  EXPECT_EQ(fast.env[0].status, SolveStatus::converged);
  EXPECT_NEAR(fast.lambda[0].y, -0.5 * fast.lambda[0].x, 1e-9);
  EXPECT_NEAR(20 * fast.v[0].x, 20 + fast.lambda[0].y, 1e-8);
}

TEST_F(Penalty, ConvergedMeansItsOwnLawAndTheErrorFromCoulombIsReported) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const ContactProblem p = random_problem({.seed = seed,
                                             .n_node = 10,
                                             .n_body = 1,
                                             .n_body_contact = 2,
                                             .anisotropic = seed % 2 == 0});
    own().stiffness_N_m = 2e3;
    const Solution s = solve(p);
    ASSERT_EQ(s.env[0].status, SolveStatus::converged) << seed;
    EXPECT_LE(s.env[0].relative_residual, 1e-10);
    EXPECT_GT(s.env[0].natural_map_error, 1e-3) << "no penalty meets Signorini's condition";
    for (const Vec3d& lambda : s.lambda) EXPECT_GE(lambda.x, 0);
  }
}

// Detects a gain in the wrong place: with the true law stiffer gains approach Coulomb.
TEST_F(Penalty, StifferGainsComeNearerToCoulomb) {
  const ContactProblem p = random_problem({.seed = 3, .distinct_nodes = true});
  const DenseReference reference = dense_reference(p);
  double before = std::numeric_limits<double>::infinity();
  own().damping_N_s_m = 0;  // a damper holds penetrations where they are
  options.tolerance = 1e-8;
  for (const double gain : {1e2, 1e3, 1e4}) {
    own().stiffness_N_m = 100 * gain;
    own().friction_N_s_m = 10 * gain;
    const Solution s = solve(p);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << gain;
    const double error = relative_energy_distance(p, s.v, reference.v);
    EXPECT_LT(error, before) << gain;
    before = error;
  }
  EXPECT_LT(before, 0.2);
}

TEST_F(Penalty, TheSecondGainSetIsTheFirstTimesTen) {
  own().gain = 10;
  const Solution second = solve(node({1, 0, -1}, -0.01, 0.3));
  const PenaltyOptions first;
  own() = {.stiffness_N_m = 10 * first.stiffness_N_m,
           .damping_N_s_m = 10 * first.damping_N_s_m,
           .friction_N_s_m = 10 * first.friction_N_s_m};
  const Solution times_ten = solve(node({1, 0, -1}, -0.01, 0.3));
  EXPECT_NEAR(norm(second.v[0] - times_ten.v[0]), 0, 1e-13);
}

TEST_F(Penalty, WithoutContactsSolvesTheDynamics) {
  const Solution s = solve(random_problem({.n_world_contact = 0, .n_pair_contact = 0}));
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_LT(s.env[0].relative_residual, 1e-13);
}

TEST_F(Penalty, NotANumberIsNamedAndStaysInItsEnvironment) {
  ContactProblem p = random_problem({.seed = 5, .n_env = 2});
  p.b[0].y = std::numeric_limits<double>::quiet_NaN();
  const Solution s = solve(p);
  EXPECT_EQ(s.env[0].status, SolveStatus::not_a_number);
  EXPECT_EQ(s.env[1].status, SolveStatus::converged);
}

TEST_F(Penalty, RejectsBadParameters) {
  const auto message = [&](const PenaltyOptions& changed) {
    own() = changed;
    try {
      make_solver(options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message({.stiffness_N_m = 0}), testing::HasSubstr("must be > 0"));
  EXPECT_THAT(message({.damping_N_s_m = -1}), testing::HasSubstr("must be"));
  EXPECT_THAT(message({.gain = std::nan("")}), testing::HasSubstr("must be"));
  own() = {};
  options.invertible_omega_m_Ns = 1e-3;
  EXPECT_THROW(make_solver(options), InputError);
}

}  // namespace
}  // namespace nodia

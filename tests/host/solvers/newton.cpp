// The Newton solver against the dense reference and closed forms; what it says of its error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "host/errors/errors.hpp"
#include "kernels/contact/law.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

SolverOptions newton_options(double tolerance, Projection projection = Projection::strict) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  options.projection = projection;
  options.max_iterations = 200;
  return options;
}

/// Kinds of random problems.
RandomProblemOptions nodes_alone() {
  return {.distinct_nodes = true};
}
RandomProblemOptions shared_nodes() {
  return {.n_world_contact = 5, .n_pair_contact = 4};
}
RandomProblemOptions triangles() {
  return {.n_triangle_contact = 3};
}
RandomProblemOptions chains() {
  return {.n_link = 6};
}

struct NewtonKind {
  const char* name;
  RandomProblemOptions (*options)();
};
void PrintTo(const NewtonKind& kind, std::ostream* out) {
  *out << kind.name;
}

class NewtonOnRandomProblems : public testing::TestWithParam<NewtonKind> {};

TEST_P(NewtonOnRandomProblems, EqualsTheDenseReferenceAndKnowsItsError) {
  int n = 0, n_unsolved = 0, n_known = 0;
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 12; ++seed) {
      RandomProblemOptions kind = GetParam().options();
      kind.seed = seed;
      kind.anisotropic = seed % 3 == 0;
      kind.theta = seed % 2 == 0 ? 1 : 0.5;
      const ContactProblem p = random_problem(kind);
      DenseReference exact;
      try {
        exact = dense_reference(p, projection);
      } catch (const std::runtime_error&) {
        continue;  // the reference cycles, as any sweep may where contacts share nodes
      }
      const Solution s = test::solve_once(p, newton_options(1e-6, projection));
      const SolveReport& report = s.env[0];
      ++n;
      if (report.status != SolveStatus::converged) {
        ++n_unsolved;
        EXPECT_TRUE(report.status == SolveStatus::stalled ||
                    report.status == SolveStatus::iteration_limit);
        continue;
      }
      EXPECT_LE(report.error_estimate, 1e-6);
      const double error =
          std::max(relative_energy_distance(p, s.v, exact.v), TrueError(p, exact.v)(s.lambda));
      EXPECT_LT(error, 1e-5) << "seed " << seed << " " << name_of(projection);
      const double ratio = report.error_estimate / std::max(error, 1e-10);
      EXPECT_GT(ratio, 0.1);
      n_known += ratio > 1.0 / 3 && ratio < 3;
      // Contacts of their own on a row meet the law exactly, all forces are in their cones.
      for (int m = 0; m < p.n_contact(); ++m) {
        const Contact<double>& c = p.contacts[m];
        EXPECT_LT(norm(project(projection, s.lambda[m], c.mu1, c.mu2) - s.lambda[m]),
                  1e-12 * (1 + norm(s.lambda[m])));
      }
    }
  EXPECT_GE(n, 20);
  EXPECT_LE(n_unsolved, 1) << "no proof: towards Coulomb's law, and with sweeps between the steps";
  EXPECT_GE(n_known, 0.9 * (n - n_unsolved)) << "the estimate is within a factor of three";
}
INSTANTIATE_TEST_SUITE_P(Kinds, NewtonOnRandomProblems,
                         testing::Values(NewtonKind{"nodes_alone", nodes_alone},
                                         NewtonKind{"shared_nodes", shared_nodes},
                                         NewtonKind{"triangles", triangles},
                                         NewtonKind{"chains", chains}),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// With the convex law, the error estimate is exact to first order in the error. The dense
/// reference gives the true error. The estimate must lie between 0.8 and 1.4 times that.
TEST(Newton, EstimatesItsErrorForTheConvexLaw) {
  int n = 0;
  for (const auto kind : {nodes_alone, shared_nodes, triangles, chains})
    for (unsigned seed = 1; seed <= 12; ++seed) {
      RandomProblemOptions options = kind();
      options.seed = seed;
      options.anisotropic = seed % 3 == 0;
      options.theta = seed % 2 == 0 ? 1 : 0.5;
      const ContactProblem p = random_problem(options);
      const DenseReference exact = dense_reference(p, Projection::proximal);
      const Solution s = test::solve_once(p, newton_options(1e-3, Projection::proximal));
      ASSERT_EQ(s.env[0].status, SolveStatus::converged);
      const double error =
          std::max(relative_energy_distance(p, s.v, exact.v), TrueError(p, exact.v)(s.lambda));
      if (error < 1e-8) continue;  // the accuracy of the reference
      ++n;
      const double ratio = s.env[0].error_estimate / error;
      EXPECT_GT(ratio, 0.8) << "seed " << seed;
      EXPECT_LT(ratio, 1.4) << "seed " << seed;
    }
  EXPECT_GE(n, 40);
}

/// Rigid bodies as heavy as the nodes that they touch, friction up to 3: smoothing, which moves
/// nodes alone, leads nowhere, and the safeguard has to.
TEST(Newton, RigidBodiesAsHeavyAsWhatTheyTouchAreSolved) {
  struct Case {
    RandomProblemOptions options;
    int most_unsolved;
  };
  for (const Case& c :
       {Case{{.n_body = 2, .n_body_contact = 4}, 0}, Case{{.n_body = 3, .n_body_contact = 8}, 1},
        Case{{.n_node = 2,
        .n_world_contact = 0,
        .n_pair_contact = 0,
        .n_body = 4,
        .n_body_contact = 4},
             0}}) {
    int n_unsolved = 0;
    for (const Projection projection : {Projection::strict, Projection::proximal})
      for (unsigned seed = 1; seed <= 24; ++seed) {
        RandomProblemOptions options = c.options;
        options.seed = seed;
        options.anisotropic = seed % 3 == 0;
        options.theta = seed % 2 == 0 ? 1 : 0.5;
        const ContactProblem p = random_problem(options);
        const Solution s = test::solve_once(p, newton_options(1e-6, projection));
        const SolveReport& report = s.env[0];
        if (report.status != SolveStatus::converged) {
          EXPECT_EQ(projection, Projection::strict) << "a convex problem, seed " << seed;
          ++n_unsolved;
          continue;
        }
        EXPECT_LT(report.natural_map_error, 1e-4) << "seed " << seed;
        EXPECT_LT(report.relative_residual, 1e-4) << "seed " << seed;
        for (int m = 0; m < p.n_contact(); ++m) {
          const Contact<double>& contact = p.contacts[m];
          EXPECT_LT(norm(project(projection, s.lambda[m], contact.mu1, contact.mu2) - s.lambda[m]),
                    1e-12 * (1 + norm(s.lambda[m])));
        }
      }
    EXPECT_LE(n_unsolved, c.most_unsolved) << "of 48; no proof towards Coulomb's law";
  }
}

/// Other seeds than those above, 100 of each kind and law; of 800, 2 % may stall.
TEST(Newton, OfManyProblemsFewStall) {
  const RandomProblemOptions kinds[] = {
      {.n_body = 2, .n_body_contact = 4},
      {.n_body = 3, .n_body_contact = 8},
      {.n_node = 2, .n_world_contact = 0, .n_pair_contact = 0, .n_body = 4, .n_body_contact = 4},
      shared_nodes()};
  int n_unsolved = 0;
  for (RandomProblemOptions options : kinds)
    for (const Projection projection : {Projection::strict, Projection::proximal})
      for (unsigned seed = 1001; seed <= 1100; ++seed) {
        options.seed = seed;
        options.anisotropic = seed % 3 == 0;
        options.theta = seed % 2 == 0 ? 1 : 0.5;
        const SolveReport report =
            test::solve_once(random_problem(options), newton_options(1e-6, projection)).env[0];
        n_unsolved += report.status != SolveStatus::converged;
      }
  EXPECT_LE(n_unsolved, 16) << "of 800";
  RecordProperty("n_unsolved", n_unsolved);
}

TEST(Newton, WithoutContactsItIsOneLinearSolve) {
  const ContactProblem p = random_problem({.n_world_contact = 0, .n_pair_contact = 0});
  const Solution s = test::solve_once(p, newton_options(1e-10));
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_EQ(s.env[0].iterations, 1);
  EXPECT_LT(s.env[0].relative_residual, 1e-12);
}

TEST(Newton, FromItsOwnAnswerItIsDoneAtOnce) {
  const ContactProblem p = random_problem({.seed = 3, .n_link = 4});
  const Solution first = test::solve_once(p, newton_options(1e-8));
  ASSERT_EQ(first.env[0].status, SolveStatus::converged);
  const Solution again = test::solve_once(p, newton_options(1e-6), {first.v, first.lambda});
  EXPECT_LE(again.env[0].iterations, 1);
  EXPECT_LT(relative_energy_distance(p, again.v, first.v), 1e-7);
}

TEST(Newton, InvertibleContactHoldsForItsOwnVelocity) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const ContactProblem p = random_problem({.seed = seed, .n_triangle_contact = 2});
    SolverOptions options = newton_options(1e-8);
    options.invertible_omega_m_Ns = 1e-3;
    const Solution s = test::solve_once(p, options);
    ASSERT_EQ(s.env[0].status, SolveStatus::converged);
    const DenseReference exact = dense_reference(p, Projection::strict, 1e-3);
    EXPECT_LT(relative_energy_distance(p, s.v, exact.v), 1e-6);
  }
}

TEST(Newton, AnEnvironmentOfABatchHasTheBitsOfItsOwnSolve) {
  const RandomProblemOptions cables{.seed = 5,
                                    .n_env = 64,
                                    .n_node = 1,
                                    .n_world_contact = 0,
                                    .n_pair_contact = 0,
                                    .n_body = 1,
                                    .n_body_contact = 2,
                                    .n_link = 10};
  for (const RandomProblemOptions& kind :
       {cables, RandomProblemOptions{.seed = 5, .n_env = 5, .n_link = 4}}) {
    const ContactProblem batch = random_problem(kind);
    SolverOptions options = newton_options(1e-6);
    options.execution.threads = 3;
    const Solution together = test::solve_once(batch, options);
    for (int e = 0; e < batch.n_env(); ++e) {
      const Solution alone = test::solve_once(batch.environment(e), options);
      const auto v = together.v.begin() + batch.env_node_begin[e];
      const auto lambda = together.lambda.begin() + batch.env_contact_begin[e];
      EXPECT_EQ(test::count_different(std::vector<Vec3d>(v, v + alone.v.size()), alone.v), 0);
      EXPECT_EQ(test::count_different(std::vector<Vec3d>(lambda, lambda + alone.lambda.size()),
                                      alone.lambda),
                0);
    }
  }
}

/// A rigid box of four corners on a plane, pulled along y: as many unknown forces as statics leaves
/// undetermined.
ContactProblem box_on_plane(double mass, double mu, double pull, double step) {
  ContactProblem p;
  p.step_s = step;
  p.A = BlockMatrix(BlockPattern::from_couplings(2, {{0, 1}}));
  p.A.set_block(p.A.pattern->find(0, 0), mass / step * Mat3d::identity());
  const double inertia = mass / 6 * 0.04;
  p.A.set_block(p.A.pattern->find(1, 1), inertia / step * Mat3d::identity());
  p.mass = {mass, inertia};
  p.b = {{0, pull, -9.81 * mass}, {}};
  p.env_node_begin = {0, 2};
  p.env_contact_begin = {0, 4};
  p.env_point_begin = {0, 4};
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) {
      const Vec3d r{x, y, -0.1};
      p.points.add(0, Mat3d::identity());
      p.points.add(1, {{{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}}});
      Contact<double> c;
      c.side_i = 2 + p.points.finish();
      c.R = frame_from_normal(Vec3d{0, 0, 1});
      c.mu1 = c.mu2 = mu;
      p.contacts.push_back(c);
    }
  p.derive_topology({{BodyKind::rigid, 0, 2}});
  p.validate();
  return p;
}

TEST(Newton, ABoxOnFourCornersSlidesOrStaysAsCoulombSays) {
  const double mass = 0.5, step = 0.01;
  for (const double mu : {0.0, 0.1, 0.3, 0.39, 0.42, 0.8, 2.0}) {
    const double pull = 2;
    const ContactProblem p = box_on_plane(mass, mu, pull, step);
    const Solution s = test::solve_once(p, newton_options(1e-8));
    ASSERT_EQ(s.env[0].status, SolveStatus::converged) << mu;
    EXPECT_LE(s.env[0].iterations, 15) << mu;
    const double acceleration = std::max(pull / mass - mu * 9.81, 0.0);
    EXPECT_NEAR(s.v[0].y, step * acceleration, 1e-7) << mu;
    double normal = 0;
    for (const Vec3d& force : s.lambda) normal += force.x;
    EXPECT_NEAR(normal, 9.81 * mass, 1e-6) << mu;
  }
}

TEST(Newton, ContradictoryContactsAreNoConvergedAnswer) {
  // A node between two planes that close on it.
  ContactProblem p = random_problem({.n_node = 4, .n_world_contact = 2, .n_pair_contact = 0});
  p.contacts[0].side_i = p.contacts[1].side_i = 1;
  p.contacts[0].R = frame_from_normal(Vec3d{0, 0, 1});
  p.contacts[1].R = frame_from_normal(Vec3d{0, 0, -1});
  p.contacts[0].phi = p.contacts[1].phi = {-0.5, 0, 0};
  const Solution s = test::solve_once(p, newton_options(1e-6));
  EXPECT_NE(s.env[0].status, SolveStatus::converged);
  EXPECT_FALSE(is_failure(s.env[0].status)) << "the best answer is there";
}

TEST(Newton, NumbersThatAreNone) {
  ContactProblem p = random_problem({.n_env = 2});
  p.b[3].x = std::numeric_limits<double>::quiet_NaN();
  const Solution s = test::solve_once(p, newton_options(1e-6));
  EXPECT_EQ(s.env[0].status, SolveStatus::not_a_number);
  EXPECT_EQ(s.env[1].status, SolveStatus::converged);
}

TEST(Newton, StopsByItsEstimateOnly) {
  for (const StopRule rule : {StopRule::residual, StopRule::paper}) {
    SolverOptions options = newton_options(1e-6);
    options.stop = rule;
    try {
      make_solver(options);
      FAIL() << "accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("solver.stop = "));
      EXPECT_THAT(error.what(), testing::HasSubstr("must be auto or energy"));
    }
  }
  SolverOptions cond;
  cond.solver = "cond";
  cond.stop = StopRule::energy;
  EXPECT_THROW(make_solver(cond), InputError);
  cond.stop = StopRule::automatic;
  EXPECT_EQ(stop_rule_of(cond), StopRule::residual);
  EXPECT_EQ(stop_rule_of(SolverOptions{}), StopRule::automatic);
  EXPECT_EQ(stop_rule_of(newton_options(1e-3)), StopRule::energy);
}

}  // namespace
}  // namespace nodia

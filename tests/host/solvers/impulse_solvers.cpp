// prox, lemke and fischer as contact solvers: agreement with each other and with the cone's
// solvers, degenerate and badly scaled problems, failures, options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/solvers/best/best.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/complementarity/fischer_solver.hpp"
#include "host/solvers/complementarity/lemke_solver.hpp"
#include "host/solvers/complementarity/prox_solver.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

Solution solve(const ContactProblem& p, SolverOptions options, const char* solver,
               const std::function<void(SolverOptions&)>& change = {}) {
  options.solver = solver;
  if (change) change(options);
  Solution solution;
  make_solver(options)->solve(p, {}, &solution);
  return solution;
}

std::function<void(SolverOptions&)> prox(const ProxSolverOptions& own) {
  return [own](SolverOptions& o) { o.of<ProxSolverOptions>() = own; };
}

std::function<void(SolverOptions&)> best_of(const char* solvers) {
  return [solvers](SolverOptions& o) { o.of<BestOptions>().solvers = solvers; };
}

SolverOptions impulse_options(double tolerance = 1e-10) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 50000;
  return options;
}

/// A body on a floor: mass m, one contact, velocity wanted without it `free`, time step 1 s.
ContactProblem one_contact(double m, Vec3d free, double mu) {
  ContactProblem p;
  p.A = BlockMatrix(BlockPattern::from_couplings(1, {}));
  p.A.set_block(0, m * Mat3d::identity());
  p.b = {m * free};
  p.mass = {m};
  p.step_s = 1;
  Contact<double> c;
  c.R = Mat3d::identity();
  c.mu1 = c.mu2 = mu;
  p.contacts = {c};
  p.env_node_begin = {0, 1};
  p.env_contact_begin = {0, 1};
  p.derive_topology();
  p.validate();
  return p;
}

class ImpulseSolver : public testing::TestWithParam<const char*> {
 protected:
  bool on_polygon() const { return GetParam() != std::string("prox"); }
};

TEST_P(ImpulseSolver, OneContactHasAKnownAnswer) {
  // Slides along an axis, where cone and polygon agree: lambda = (m g, -mu m g, 0).
  const Solution slip = solve(one_contact(2, {-1, 3, 0}, 0.5), impulse_options(), GetParam());
  EXPECT_EQ(slip.env[0].status, SolveStatus::converged);
  EXPECT_LT(norm(slip.lambda[0] - Vec3d{2, -1, 0}), 1e-9);
  EXPECT_LT(norm(slip.v[0] - Vec3d{0, 2.5, 0}), 1e-9);
  const Solution stick = solve(one_contact(2, {-1, 0.2, -0.1}, 0.5), impulse_options(), GetParam());
  EXPECT_LT(norm(stick.lambda[0] - Vec3d{2, -0.4, 0.2}), 1e-9);
  const Solution open = solve(one_contact(2, {1, 3, 0}, 0.5), impulse_options(), GetParam());
  EXPECT_EQ(norm(open.lambda[0]), 0);
  EXPECT_EQ(open.env[0].status, SolveStatus::converged);
  const Solution smooth = solve(one_contact(2, {-1, 3, 4}, 0), impulse_options(), GetParam());
  EXPECT_LT(norm(smooth.v[0] - Vec3d{0, 3, 4}), 1e-9);
}

TEST_P(ImpulseSolver, WithoutContactsSolvesTheDynamics) {
  const Solution s = solve(random_problem({.n_world_contact = 0, .n_pair_contact = 0}),
                           impulse_options(), GetParam());
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_LT(s.env[0].relative_residual, 1e-13);
}

TEST_P(ImpulseSolver, RedundantContactsLeaveTheVelocityAlone) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ContactProblem p = random_problem({.seed = seed, .distinct_nodes = true});
    ContactProblem twice = p;
    twice.contacts.insert(twice.contacts.end(), p.contacts.begin(), p.contacts.end());
    twice.env_contact_begin = {0, twice.n_contact()};
    const Solution a = solve(p, impulse_options(), GetParam()),
                   b = solve(twice, impulse_options(), GetParam());
    EXPECT_EQ(a.env[0].status, SolveStatus::converged) << a.env[0].reason;
    EXPECT_EQ(b.env[0].status, SolveStatus::converged) << b.env[0].reason;
    EXPECT_LT(relative_energy_distance(p, a.v, b.v), 1e-7) << "seed " << seed;
  }
}

TEST_P(ImpulseSolver, MassesOverSixDecades) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    ContactProblem p = random_problem({.seed = seed, .distinct_nodes = true, .stiffness = 0});
    for (int i = 0; i < p.n_node(); ++i) {
      const double s = std::pow(10.0, 6.0 * i / (p.n_node() - 1) - 3);
      const int k = p.A.pattern->diagonal[i];
      p.A.set_block(k, s * p.A.block(k));
      p.b[i] = s * p.b[i];
      p.mass[i] *= s;
    }
    p.validate();
    const Solution s = solve(p, impulse_options(1e-8), GetParam());
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << "seed " << seed << s.env[0].reason;
    if (!on_polygon()) {
      EXPECT_LT(relative_energy_distance(p, s.v, dense_reference(p).v), 1e-6);
    }
  }
}

TEST_P(ImpulseSolver, NotANumberIsSaid) {
  for (const bool in_phi : {false, true}) {
    ContactProblem p = random_problem({.seed = 2});
    (in_phi ? p.contacts[0].phi.y : p.b[0].x) = std::numeric_limits<double>::quiet_NaN();
    const Solution s = solve(p, impulse_options(), GetParam());
    EXPECT_EQ(s.env[0].status, SolveStatus::not_a_number);
  }
}

TEST_P(ImpulseSolver, ContradictingContactsAreNotCalledSolved) {
  ContactProblem p = one_contact(1, {0, 0, 0}, 0.5);
  p.contacts.push_back(p.contacts[0]);
  p.contacts[1].R = frame_from_normal(Vec3d{-1, 0, 0});
  for (Contact<double>& c : p.contacts) c.phi = {-1, 0, 0};
  p.env_contact_begin = {0, 2};
  SolverOptions options = impulse_options();
  options.max_iterations = 2000;
  const Solution s = solve(p, options, GetParam());
  EXPECT_NE(s.env[0].status, SolveStatus::converged);
  if (GetParam() == std::string("lemke")) {
    EXPECT_EQ(s.env[0].status, SolveStatus::infeasible);
    EXPECT_THAT(s.env[0].reason, testing::HasSubstr("ray"));
  }
  for (const Vec3d& v : s.v) EXPECT_TRUE(is_finite(v));
}

/// The solvers that iterate: lemke is a direct method without an unfinished solution.
class IterativeImpulseSolver : public ImpulseSolver {};

/// Detects wrong solutions: an unfinished solution is not reported as converged, and its error is
/// large.
TEST_P(IterativeImpulseSolver, AnUnfinishedAnswerIsNotCalledConverged) {
  SolverOptions options = impulse_options();
  options.max_iterations = 2;
  const Solution s = solve(random_problem({.seed = 5}), options, GetParam());
  EXPECT_NE(s.env[0].status, SolveStatus::converged);
  EXPECT_GT(s.env[0].natural_map_error, 1e-6);
}

TEST_P(ImpulseSolver, EnvironmentsAreSolvedAsAlone) {
  const ContactProblem p = random_problem({.seed = 4, .n_env = 3, .distinct_nodes = true});
  const Solution whole = solve(p, impulse_options(), GetParam());
  for (int e = 0; e < 3; ++e) {
    const Solution alone = solve(p.environment(e), impulse_options(), GetParam());
    EXPECT_EQ(whole.env[e].iterations, alone.env[0].iterations);
    for (int i = p.env_node_begin[e]; i < p.env_node_begin[e + 1]; ++i)
      EXPECT_EQ(norm(whole.v[i] - alone.v[i - p.env_node_begin[e]]), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, ImpulseSolver, testing::Values("prox", "lemke", "fischer"),
                         [](const auto& test) { return std::string(test.param); });
INSTANTIATE_TEST_SUITE_P(Solvers, IterativeImpulseSolver, testing::Values("prox", "fischer"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ConicSolvers, AgreeOnRandomProblems) {
  int n_compared = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .distinct_nodes = true, .anisotropic = seed % 2 == 0});
    const DenseReference reference = dense_reference(p);
    for (const char* solver : {"prox", "pgs", "apgd", "cond"}) {
      SolverOptions options = impulse_options(1e-10);
      const Solution s = solve(p, options, solver);
      if (s.env[0].status != SolveStatus::converged) continue;  // a cycle: baselines_reference.cpp
      ++n_compared;
      EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-7) << solver << " " << seed;
      EXPECT_LT(s.env[0].natural_map_error, 1e-8) << solver << " " << seed;
    }
  }
  EXPECT_GE(n_compared, 39);
}

TEST(PolygonSolvers, AgreeOnRandomProblems) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .distinct_nodes = true, .anisotropic = seed % 2 == 0});
    const Solution a = solve(p, impulse_options(), "lemke"),
                   b = solve(p, impulse_options(), "fischer"),
                   c = solve(p, impulse_options(), "prox", prox({.friction = Section::polygon}));
    for (const Solution* s : {&a, &b, &c})
      EXPECT_EQ(s->env[0].status, SolveStatus::converged) << "seed " << seed << s->env[0].reason;
    EXPECT_LT(relative_energy_distance(p, b.v, a.v), 1e-7) << "seed " << seed;
    EXPECT_LT(relative_energy_distance(p, c.v, a.v), 1e-7) << "seed " << seed;
    // The ruler is Coulomb's cone for everybody: four facets do not meet it.
    EXPECT_DOUBLE_EQ(a.env[0].natural_map_error,
                     natural_map_error(p, 0, a.v, a.lambda, delassus_diagonal_estimate(p)));
  }
}

TEST(PolygonSolvers, ApproachTheConeAsFacetsGrow) {
  // Held against the cone's own law: where friction is large Coulomb's problem may have several
  // solutions, and polygons need not lead to the one another solver finds.
  const int facets[3] = {4, 8, 32};
  for (const char* solver : {"lemke", "fischer"}) {
    double mean[3] = {};
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const ContactProblem p = random_problem({.seed = seed,
                                               .n_node = 8,
                                               .n_world_contact = 3,
                                               .n_pair_contact = 1,
                                               .distinct_nodes = true});
      for (int k = 0; k < 3; ++k) {
        const Solution s = solve(p, impulse_options(), solver, [&](SolverOptions& o) {
          o.of<LemkeSolverOptions>().facets = o.of<FischerSolverOptions>().facets = facets[k];
        });
        EXPECT_EQ(s.env[0].status, SolveStatus::converged) << solver << seed << s.env[0].reason;
        mean[k] += s.env[0].natural_map_error / 6;
      }
    }
    EXPECT_GT(mean[0], 1e-3) << "four facets are no cone";
    EXPECT_LT(mean[1], 0.6 * mean[0]);
    EXPECT_LT(mean[2], 0.35 * mean[1]) << "of the order 1/facets: friction points to a corner";
  }
}

TEST(ProxSolver, EveryRuleAndFrictionConverges) {
  const ContactProblem p = random_problem({.seed = 3, .distinct_nodes = true});
  const DenseReference reference = dense_reference(p);
  for (const ProxFactor rule : {ProxFactor::adaptive, ProxFactor::eigenvalues, ProxFactor::given}) {
    const Solution s = solve(p, impulse_options(), "prox", prox({.rule = rule, .r = 0.4}));
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << name_of(rule);
    EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-7) << name_of(rule);
  }
  const Solution box = solve(p, impulse_options(), "prox", prox({.friction = Section::box}));
  EXPECT_EQ(box.env[0].status, SolveStatus::converged);
  EXPECT_GT(relative_energy_distance(p, box.v, reference.v), 1e-4) << "a box is no cone";
  const Solution relaxed = solve(p, impulse_options(1e-10), "prox", prox({.zeta = 1e-4}));
  EXPECT_NE(relaxed.env[0].status, SolveStatus::converged) << "the floor of the relaxation";
  EXPECT_GT(relaxed.env[0].natural_map_error, 1e-6);
  EXPECT_LT(relaxed.env[0].natural_map_error, 1e-2);
  const Solution divergent =
      solve(p, impulse_options(), "prox", prox({.rule = ProxFactor::given, .r = 50}));
  EXPECT_NE(divergent.env[0].status, SolveStatus::converged);
}

TEST(ProxSolver, SolvesTheConvexRelaxation) {
  SolverOptions options = impulse_options();
  options.projection = Projection::proximal;
  const ContactProblem p = random_problem({.seed = 6});
  const Solution s = solve(p, options, "prox");
  EXPECT_EQ(s.env[0].status, SolveStatus::converged);
  EXPECT_LT(relative_energy_distance(p, s.v, dense_reference(p, Projection::proximal).v), 1e-7);
}

TEST(ImpulseSolverOptions, AreChecked) {
  const auto refused = [](const char* solver, const char* message, auto change,
                          Projection projection = Projection::strict) {
    SolverOptions options;
    options.solver = solver;
    options.projection = projection;
    change(options);
    try {
      make_solver(options);
      ADD_FAILURE() << "accepted: " << message;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  };
  const auto lemke = [](int facets) {
    return [facets](SolverOptions& o) { o.of<LemkeSolverOptions>().facets = facets; };
  };
  refused("prox", "solver.prox.r = 0 (must be > 0", prox({.r = 0}));
  refused("prox", "solver.prox.r", prox({.r = std::nan("")}));
  refused("prox", "solver.prox.zeta", prox({.zeta = -1}));
  refused("prox", "convex relaxation", prox({.friction = Section::box}), Projection::proximal);
  refused("lemke", "solver.lemke.facets = 2 (must be in [3, 256]", lemke(2));
  refused("lemke", "solver.lemke.facets", lemke(1000));
  refused("fischer", "solver.fischer.starts",
          [](SolverOptions& o) { o.of<FischerSolverOptions>().starts = 0; });
  refused("best", "pqs: did you mean pgs?", best_of("cond,pqs"));
  refused("best", "solver.best.solvers", best_of("best"));
  refused("best", "xpbd: did you mean", best_of("cond,xpbd"));
  refused("best", "names with commas", best_of(""));
  refused("cond", "pqs: did you mean pgs?", best_of("cond,pqs"));
  refused(
      "lemke", "solver.projection", [](SolverOptions&) {}, Projection::proximal);
  refused(
      "fischer", "solver.projection", [](SolverOptions&) {}, Projection::proximal);
}

TEST(BestSolver, TakesTheAnswerOfLeastEnergyErrorInEachEnvironment) {
  const ContactProblem p = random_problem({.seed = 4, .n_env = 2, .distinct_nodes = true});
  SolverOptions options = impulse_options(1e-4);
  options.full_errors = true;
  const Solution best = solve(p, options, "best", best_of("lemke, prox,fischer"));
  const Solution prox = solve(p, options, "prox");
  for (int e = 0; e < 2; ++e) {
    // Four facets do not meet the cone.
    EXPECT_EQ(best.env[e].reason, "answer of prox");
    EXPECT_EQ(best.env[e].energy_error_J, prox.env[e].energy_error_J);
    EXPECT_EQ(best.env[e].status, SolveStatus::converged);
    EXPECT_GT(best.env[e].time_s, 0);
  }
  for (int i = 0; i < p.n_node(); ++i) EXPECT_EQ(norm(best.v[i] - prox.v[i]), 0);
}

TEST(BestSolver, ErrorsOfDynamicsAndOfContactsCountAlike) {
  // COND meets its contacts in every iteration, so that its contact error alone is nothing: two of
  // its iterations are no better than a prox iteration that has converged.
  const ContactProblem p = random_problem({.seed = 7, .distinct_nodes = true});
  SolverOptions options = impulse_options(1e-12);
  options.max_iterations = 400;
  options.of<CondOptions>().w = WKind::inf_norm;
  options.of<CondOptions>().acceleration = Acceleration::none;
  const Solution cond = solve(p, options, "cond");
  ASSERT_NE(cond.env[0].status, SolveStatus::converged);
  const Solution best = solve(p, options, "best", best_of("cond,pgs"));
  EXPECT_EQ(best.env[0].reason, "answer of pgs");
}

// Iterative solvers of every kind give the least-error one of their iterates.
TEST(AnswerRule, NoRuleIsBetterInEnergyThanLeastEnergy) {
  for (const char* solver : {"pgs", "apgd", "prox", "ccs"})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const ContactProblem p = random_problem({.seed = seed});
      SolverOptions options = impulse_options(1e-12);
      options.max_iterations = 12;
      options.check_every = 1;
      const auto energy_of = [&](AnswerRule answer) {
        options.answer = answer;
        const Solution s = solve(p, options, solver);
        const ErrorReport e =
            measure_errors(p, 0, s.v, s.lambda,
                           solver == std::string("ccs") ? delassus_diagonal_estimate(p)
                                                        : delassus_diagonal_exact(p));
        return e.energy_error_J + (solver == std::string("ccs") ? e.certificate_J : 0);
      };
      const double least = energy_of(AnswerRule::least_energy);
      EXPECT_LE(least, energy_of(AnswerRule::last) * (1 + 1e-9)) << solver << seed;
      EXPECT_LE(least, energy_of(AnswerRule::least_contact) * (1 + 1e-9)) << solver << seed;
    }
}

TEST(AnswerRule, LeastEnergyIsTheLeastOfAllIterates) {
  // A given factor at the edge of divergence: the last iterate is not the best one.
  const ContactProblem p = random_problem({.seed = 11, .distinct_nodes = true});
  SolverOptions options = impulse_options();
  options.full_errors = true;
  const auto energy_of = [&](AnswerRule answer, int max_iterations) {
    options.answer = answer;
    options.max_iterations = max_iterations;
    const Solution s = solve(p, options, "prox", prox({.rule = ProxFactor::given, .r = 2.2}));
    EXPECT_NE(s.env[0].status, SolveStatus::converged);
    return s.env[0].energy_error_J;
  };
  double least = std::numeric_limits<double>::infinity(), last = 0;
  for (int n = 1; n <= 25; ++n) least = std::min(least, last = energy_of(AnswerRule::last, n));
  EXPECT_DOUBLE_EQ(energy_of(AnswerRule::least_energy, 25), least);
  EXPECT_GT(last, 1.01 * least);
  EXPECT_GE(energy_of(AnswerRule::least_contact, 25), least * (1 - 1e-12));
}

}  // namespace
}  // namespace nodia

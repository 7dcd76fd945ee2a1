// The estimated error of solutions that no Newton step made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/errors/errors.hpp"
#include "host/solvers/newton/solution_error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

SolverOptions fully_evaluated(const char* solver, double tolerance, Projection projection) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  options.projection = projection;
  options.full_errors = true;
  return options;
}

double energy_norm(const ContactProblem& p, const std::vector<Vec3d>& x) {
  const std::vector<Vec3d> Ax = p.A.multiply(x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += dot(x[i], Ax[i]);
  return std::sqrt(sum);
}

/// |v - exact|_A/|exact|_A and the same of the forces' velocity, the larger.
double true_error(const ContactProblem& p, const Solution& s, const std::vector<Vec3d>& exact) {
  std::vector<Vec3d> d(exact.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = s.v[i] - exact[i];
  return std::max(energy_norm(p, d) / energy_norm(p, exact), TrueError(p, exact)(s.lambda));
}

TEST(SolutionError, OfAnySolversAnswersIsKnown) {
  int n = 0, n_known = 0;
  for (const char* solver : {"cond", "pgs"})
    for (const Projection projection : {Projection::strict, Projection::proximal})
      for (unsigned seed = 1; seed <= 10; ++seed) {
        if (solver == std::string("pgs") && projection == Projection::proximal) continue;
        const ContactProblem p = random_problem({.seed = seed,
                                                 .n_node = 30,
                                                 .n_triangle_contact = seed % 2 == 0 ? 2 : 0,
                                                 .n_link = 4,
                                                 .distinct_nodes = true,
                                                 .anisotropic = seed % 3 == 0});
        const DenseReference exact = dense_reference(p, projection);
        for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
          const Solution s = test::solve_once(p, fully_evaluated(solver, tolerance, projection));
          const double error = true_error(p, s, exact.v), estimate = s.env[0].error_estimate;
          if (error < 1e-8) continue;  // what the reference and the estimate are good for
          ++n;
          n_known += estimate > 0.9 * error && estimate < 1.1 * error;
          EXPECT_GT(estimate, 0.3 * error)
              << solver << ", seed " << seed << ", tolerance " << tolerance;
        }
      }
  EXPECT_GE(n, 60);
  EXPECT_GE(n_known, 0.95 * n) << "of " << n;
}

TEST(SolutionError, IsBoundedForTheConvexLaw) {
  int n = 0, n_strict = 0, n_strict_above = 0;
  for (const char* solver : {"cond", "pgs", "newton"})
    for (const Projection projection : {Projection::strict, Projection::proximal})
      for (unsigned seed = 1; seed <= 10; ++seed) {
        const ContactProblem p = random_problem({.seed = seed,
                                                 .n_node = 30,
                                                 .n_triangle_contact = 2,
                                                 .n_link = 4,
                                                 .distinct_nodes = true,
                                                 .anisotropic = seed % 3 == 0});
        const DenseReference exact = dense_reference(p, projection);
        for (const double tolerance : {1e-1, 1e-3, 1e-5}) {
          const Solution s = test::solve_once(p, fully_evaluated(solver, tolerance, projection));
          const double bound = s.env[0].error_bound;
          ASSERT_FALSE(std::isnan(bound)) << solver << ", seed " << seed;
          std::vector<Vec3d> d(s.v.size());
          for (std::size_t i = 0; i < d.size(); ++i) d[i] = s.v[i] - exact.v[i];
          const double error = energy_norm(p, d) / energy_norm(p, s.v);
          if (error < 1e-9) continue;
          if (projection == Projection::proximal) {
            ++n;
            EXPECT_LE(error, bound) << solver << ", seed " << seed << ", tolerance " << tolerance;
          } else {
            ++n_strict;
            n_strict_above += error > bound;
            EXPECT_LE(error, 3 * bound) << "observed";
          }
        }
      }
  EXPECT_GE(n, 60);
  EXPECT_LE(n_strict_above, 0.2 * n_strict) << "observed";
}

TEST(SolutionError, HasNoBoundWhereNoMotionTakesAContactsErrorAway) {
  // Two contacts of one node with the same normal and gaps that disagree.
  ContactProblem p = random_problem({.seed = 1, .n_world_contact = 1, .n_pair_contact = 0});
  p.contacts.push_back(p.contacts[0]);
  p.contacts[0].phi = {-1, 0, 0};
  p.contacts[1].phi = {-2, 0, 0};
  p.env_contact_begin[1] = 2;
  const std::vector<Vec3d> zero(p.b.size()), none(2), diagonal = delassus_diagonal_estimate(p);
  EXPECT_TRUE(std::isnan(velocity_error_bound(p, zero, none, diagonal, Projection::proximal)));
}

TEST(SolutionError, OfAMotionWithoutContactsIsItsDistance) {
  const ContactProblem p = random_problem({.n_world_contact = 0, .n_pair_contact = 0});
  const DenseReference exact = dense_reference(p);
  std::vector<Vec3d> v = exact.v;
  for (Vec3d& x : v) x = 1.01 * x;
  EXPECT_NEAR(estimate_solution_error(p, {}, v, {}), 0.01, 1e-9);
  EXPECT_LT(estimate_solution_error(p, {}, exact.v, {}), 1e-10);
}

TEST(SolutionError, IsMadeWithFullErrorsOnly) {
  const ContactProblem p = random_problem({.seed = 2});
  SolverOptions options = fully_evaluated("cond", 1e-4, Projection::strict);
  EXPECT_GT(test::solve_once(p, options).env[0].error_estimate, 0);
  options.full_errors = false;
  EXPECT_TRUE(std::isnan(test::solve_once(p, options).env[0].error_estimate));
}

}  // namespace
}  // namespace nodia

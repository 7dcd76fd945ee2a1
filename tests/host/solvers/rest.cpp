// Detection of steps at rest, their cost, and their forces.
#include "host/solvers/newton/rest.hpp"

#include <gtest/gtest.h>

#include "tests/support/body_pile.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

SolverOptions newton(double tolerance) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  return options;
}

/// Contact forces of the stack at rest, to a tolerance of 1e-9.
std::vector<Vec3d> forces_at_rest(const ContactProblem& p) {
  const Solution solution = test::solve_once(p, newton(1e-9));
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  return solution.lambda;
}

bool is_at_rest(const ContactProblem& p, double tolerance, const std::vector<Vec3d>& lambda) {
  const VelocityAndForce start{stacked(std::vector<Vec3d>(p.b.size())), stacked(lambda)};
  return find_rest(p, newton(tolerance), start).has_value();
}

TEST(Rest, CostsOneProductAndKeepsTheForces) {
  for (const double decades : {0.0, 4.0})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const ContactProblem p = test::body_pile({.seed = seed, .decades = decades});
      const std::vector<Vec3d> lambda = forces_at_rest(p);
      const Solution solution =
          test::solve_once(p, newton(1e-3), {std::vector<Vec3d>(p.b.size()), lambda});
      EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
      EXPECT_EQ(solution.env[0].work_units, 1) << decades << " " << seed;
      EXPECT_LE(solution.env[0].error_estimate, 1e-6);
      EXPECT_TRUE(solution.env[0].absolute_floor);
      for (const Vec3d& v : solution.v) EXPECT_EQ(squared_norm(v), 0);
      for (std::size_t m = 0; m < lambda.size(); ++m)
        EXPECT_EQ(squared_norm(solution.lambda[m] - lambda[m]), 0);
    }
}

TEST(Rest, IsLimitedByTheScaleOfEachBody) {
  ContactProblem p = test::body_pile({.seed = 3, .n_body = 3, .decades = 6});
  const std::vector<Vec3d> lambda = forces_at_rest(p);
  const std::vector<Vec3d> weight = p.b;
  for (int body = 0; body < 3; ++body) {
    const auto with_push = [&](double share) {
      p.b = weight;
      p.b[2 * body].z *= 1 + share;
      return is_at_rest(p, 1e-3, lambda);
    };
    EXPECT_TRUE(with_push(1e-7)) << body;
    EXPECT_FALSE(with_push(1e-3)) << "body " << body;
    p.b[2 * body].z = weight[2 * body].z * (1 + 1e-7);
    EXPECT_FALSE(is_at_rest(p, 1e-6, lambda)) << body;
  }
}

TEST(Rest, ForcesAreBalancedBeforeTheyAreReused) {
  ContactProblem p = test::body_pile({.seed = 6, .n_body = 3});
  const std::vector<Vec3d> lambda = forces_at_rest(p), zero(p.b.size());
  p.b[2].z *= 1 + 1e-7;
  const Solution solution = test::solve_once(p, newton(1e-3), {zero, lambda});
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  EXPECT_GT(solution.env[0].work_units, 1);
  const Solution next = test::solve_once(p, newton(1e-3), {zero, solution.lambda});
  EXPECT_EQ(next.env[0].work_units, 1);
  Vec3d force{};
  for (int corner = 0; corner < 3; ++corner)
    force += transpose_times(p.contacts[corner].R, next.lambda[corner]);
  double weight = 0;
  for (int body = 0; body < 3; ++body) weight -= p.b[2 * body].z;
  EXPECT_NEAR(force.z / weight, 1, 1e-8);
}

TEST(Rest, RequiresTheContactLaw) {
  ContactProblem p = test::body_pile({.seed = 4, .n_body = 2});
  const std::vector<Vec3d> lambda = forces_at_rest(p);
  ASSERT_TRUE(is_at_rest(p, 1e-3, lambda));
  ContactProblem apart = p;
  apart.contacts[0].phi.x = 0.1;  // a gap, but the force is not zero [m/s]
  EXPECT_FALSE(is_at_rest(apart, 1e-3, lambda));
  ContactProblem conveyed = p;
  for (Contact<double>& c : conveyed.contacts) c.phi.y = 0.1;  // the ground moves
  EXPECT_FALSE(is_at_rest(conveyed, 1e-3, lambda));
  EXPECT_FALSE(is_at_rest(p, 1e-3, std::vector<Vec3d>(lambda.size())));
}

TEST(Rest, IsNotDetectedIfBodiesMove) {
  ContactProblem p = test::body_pile({.seed = 5, .n_body = 2});
  const std::vector<Vec3d> lambda = forces_at_rest(p);
  for (std::size_t i = 0; i < p.b.size(); i += 2) p.b[i].x += p.mass[i] / p.step_s * 1e-4;
  EXPECT_FALSE(is_at_rest(p, 1e-3, lambda));
}

}  // namespace
}  // namespace nodia

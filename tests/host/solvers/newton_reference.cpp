// newton against the same method in plain text.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/support/largest_difference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

Solution by_energy(const char* solver, double tolerance, Projection projection,
                   const ContactProblem& p) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 60;
  options.projection = projection;
  return test::solve_once(p, options);
}

TEST(NewtonReference, HasNewtonsAnswersInAsManySteps) {
  int n = 0, n_as_many = 0;
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 10; ++seed)
      for (const bool with_chain : {false, true}) {
        const ContactProblem p = random_problem({.seed = seed,
                                                 .n_node = 30,
                                                 .n_world_contact = 6,
                                                 .n_pair_contact = 4,
                                                 .n_link = with_chain ? 8 : 0,
                                                 .distinct_nodes = true,
                                                 .anisotropic = seed % 3 == 0,
                                                 .theta = seed % 2 == 0 ? 1 : 0.5});
        const Solution plain = by_energy("newton_reference", 1e-9, projection, p),
                       fast = by_energy("newton", 1e-9, projection, p);
        SCOPED_TRACE(testing::Message() << "seed " << seed << " " << name_of(projection));
        if (plain.env[0].status != SolveStatus::converged ||
            fast.env[0].status != SolveStatus::converged) {
          EXPECT_EQ(projection, Projection::strict);
          continue;
        }
        EXPECT_LT(test::largest_difference(fast.v, plain.v), 1e-7);
        EXPECT_LT(test::largest_difference(fast.lambda, plain.lambda), 1e-6);
        ++n;
        const int more = std::abs(plain.env[0].iterations - fast.env[0].iterations);
        n_as_many += more <= 1;
        EXPECT_LE(more, projection == Projection::proximal ? 1 : 60);
      }
  EXPECT_GE(n, 38) << "of 40: sliding chains may cycle without the watch over the progress";
  EXPECT_GE(n_as_many, 0.8 * n);
}

TEST(NewtonReference, OfBodiesAndSharedNodesTheForcesAgreeInSum) {
  // Statics leaves single forces open there: held against each other are velocities.
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const ContactProblem p = random_problem(
        {.seed = seed, .n_node = 20, .n_world_contact = 4, .n_pair_contact = 2, .n_link = 4});
    const Solution plain = by_energy("newton_reference", 1e-8, Projection::strict, p),
                   fast = by_energy("newton", 1e-8, Projection::strict, p);
    if (plain.env[0].status != SolveStatus::converged ||
        fast.env[0].status != SolveStatus::converged)
      continue;
    EXPECT_LT(test::largest_difference(fast.v, plain.v), 1e-6) << "seed " << seed;
  }
}

}  // namespace
}  // namespace nodia

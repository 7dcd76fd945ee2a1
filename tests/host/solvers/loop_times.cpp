/// Where COND says its time goes.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/solvers/catalogue.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

double loop_s(const ContactProblem& problem, int iterations) {
  SolverOptions options;
  options.solver = "cond";
  options.stop = StopRule::paper;
  options.tolerance = 1e-300;
  options.max_iterations = iterations;
  options.execution.threads = 1;
  const auto solver = make_solver(options);
  Solution solution;
  double least = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    solver->solve(problem, {}, &solution);
    double all = 0;
    for (const SolveReport& report : solution.env) {
      EXPECT_EQ(report.iterations, iterations);
      EXPECT_GT(report.before_loop_s, 0);
      EXPECT_GT(report.loop_s, 0);
      EXPECT_LE(report.before_loop_s + report.loop_s, report.time_s);
      all += report.loop_s;
    }
    least = std::min(least, all);
  }
  return least;
}

TEST(LoopTimes, GrowWithTheIterationsAndLieWithinTheSolve) {
  const ContactProblem problem = random_problem({.seed = 5, .n_env = 2, .n_node = 400});
  EXPECT_GT(loop_s(problem, 800), 4 * loop_s(problem, 80));
}

}  // namespace
}  // namespace nodia

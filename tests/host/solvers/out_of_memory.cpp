/// COND on a batch whose memory runs out throws, in whichever thread that was, and leaves the
/// program alive.
#include <gtest/gtest.h>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

#if !defined(__SANITIZE_ADDRESS__)  // the address sanitizer replaces operator new itself

namespace nodia::test {
namespace {

TEST(OutOfMemory, CondThrowsWhereverMemoryEnds) {
  const ContactProblem problem = random_problem({.seed = 4,
                                                 .n_env = 3,
                                                 .n_body = 1,
                                                 .n_body_contact = 2,
                                                 .n_triangle_contact = 2,
                                                 .n_link = 4});
  SolverOptions options;
  options.execution.threads = 2;
  options.max_iterations = 16;
  Solution expected;
  make_solver(options)->solve(problem, {}, &expected);
  int n_thrown = 0;
  for (long n_good = 0, ends = 0; ends == 0; ++n_good) {
    const auto solver = make_solver(options);
    Solution solution;
    const FailingMemory memory(n_good);
    try {
      solver->solve(problem, {}, &solution);
      EXPECT_EQ(count_different(solution.v, expected.v), 0);
      ends = memory.has_failed() ? 0 : 1;
    } catch (const std::bad_alloc&) {
      ++n_thrown;
    }
  }
  EXPECT_GT(n_thrown, 100);
}

}  // namespace
}  // namespace nodia::test

#endif

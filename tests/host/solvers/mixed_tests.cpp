/// Tests of the residual in mixed precision: the double matrix decides on a stop, in the same body
/// of the loop where the stop could be foreseen.
#include <gtest/gtest.h>

#include "host/solvers/solver_options.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/support/loop_batch.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/take_solution.hpp"

namespace nodia {
namespace {

struct BodyCounter : CpuLauncher {
  BodyCounter() : CpuLauncher(chosen_isa(), 1) {}

  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    CpuLauncher::repeat_while(condition, body);
    n_body = condition->n_body;
  }
  std::int64_t n_body = 0;
};

struct Counted {
  SolveReport report;
  std::int64_t n_body = 0, n_test = 0;  ///< bodies of the loop; those that its iterations need
};

Counted run(unsigned seed, double tolerance, int check_every) {
  const ContactProblem p = random_problem({.seed = seed,
                                           .n_node = 30,
                                           .n_world_contact = 14,
                                           .n_pair_contact = 0,
                                           .distinct_nodes = true});
  SolverOptions options;
  options.tolerance = tolerance;
  options.check_every = check_every;
  LoopProblem<MixedPrecision> problem(options, options.of<CondOptions>());
  const WarmStart cold;
  problem.set(p, cold);
  test::LoopBatch<MixedPrecision> batch(&problem, 1);
  BodyCounter launcher;
  batch.solve(&launcher);
  Solution solution;
  test::take_solution(&problem, &solution);
  const SolveReport& report = solution.env[0];
  return {report, launcher.n_body, (report.iterations + check_every - 1) / check_every};
}

TEST(MixedTests, AStopThatNothingForetoldWaitsForTheDoubleMatrix) {
  const Counted r = run(1, 1e-3, 300);
  EXPECT_EQ(r.report.status, SolveStatus::converged);
  EXPECT_EQ(r.report.iterations, 300) << "it took no step while it waited";
  EXPECT_EQ(r.n_body, 2);
}

TEST(MixedTests, AStopThatIsNearIsDecidedAtOnce) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Counted r = run(seed, 1e-6, 1);
    EXPECT_EQ(r.report.status, SolveStatus::converged);
    EXPECT_GT(r.report.iterations, 20);
    EXPECT_EQ(r.n_body, r.n_test) << "seed " << seed;
  }
}

TEST(MixedTests, ASolveWaitsOnceAtMost) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    for (const double tolerance : {1e-2, 1e-5, 1e-9})
      for (const int check_every : {1, 2, 8, 50}) {
        const Counted r = run(seed, tolerance, check_every);
        EXPECT_EQ(r.report.status, SolveStatus::converged);
        ASSERT_EQ(r.report.restarts, 0);
        EXPECT_GE(r.n_body, r.n_test);
        EXPECT_LE(r.n_body, r.n_test + 1) << seed << " " << tolerance << " " << check_every;
      }
}

}  // namespace
}  // namespace nodia

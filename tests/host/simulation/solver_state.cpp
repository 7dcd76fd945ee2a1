/// Tests that a run continues with the same bits after its solver's state moved to a new solver,
/// and that setting an environment's state restarts its solver.
#include <gtest/gtest.h>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

Scene lifted_mat(double youngs_modulus_Pa) {
  return mat_on_rising_ball(youngs_modulus_Pa, 300, 0.02, 0.1);
}

void step(Simulation* simulation, ContactSolver* solver) {
  WarmStart warm;
  const ContactProblem problem = simulation->build_problem(&warm);
  Solution solution;
  solver->solve(problem, warm, &solution);
  simulation->advance(problem, solution);
}

TEST(SolverStates, HandedOnInTheMiddleOfARunTheRunHasTheSameBits) {
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_})
    for (const int w_recycle_steps : {1, 4}) {
      SolverOptions options;
      options.solver = "cond";
      options.tolerance = 1e-5;
      options.execution.precision = precision;
      options.of<CondOptions>().w_recycle_steps = w_recycle_steps;
      const std::vector<Scene> scenes{lifted_mat(75e3), lifted_mat(2e5)};
      Simulation whole(scenes, options), parted(scenes, options);
      const auto one = make_solver(options), first = make_solver(options),
                 second = make_solver(options);
      for (int k = 0; k < 12; ++k) {
        if (k == 6) set_states_of(second.get(), states_of(first.get(), 2));
        step(&whole, one.get());
        step(&parted, k < 6 ? first.get() : second.get());
      }
      for (int e = 0; e < 2; ++e) {
        EXPECT_EQ(count_different(whole.state(e).x, parted.state(e).x), 0) << name_of(precision);
        EXPECT_EQ(count_different(whole.state(e).v, parted.state(e).v), 0) << name_of(precision);
      }
    }
}

TEST(SolverStates, AnEnvironmentWhoseStateIsSetStartsAsAFreshOne) {
  const std::vector<Scene> scenes{lifted_mat(75e3), lifted_mat(2e5)};
  Simulation fresh(scenes, {}), used(scenes, {}), untouched(scenes, {});
  const State start = used.state(0);
  for (int k = 0; k < 5; ++k) {
    used.step();
    untouched.step();
  }
  used.set_state(0, start);
  for (int k = 0; k < 5; ++k) {
    fresh.step();
    used.step();
    untouched.step();
    EXPECT_EQ(count_different(fresh.state(0).x, used.state(0).x), 0) << k;
    EXPECT_EQ(count_different(untouched.state(1).x, used.state(1).x), 0) << k;
  }
}

}  // namespace
}  // namespace nodia::test

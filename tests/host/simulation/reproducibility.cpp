/// The same bits from run to run, for every number of threads, and alone or in a batch.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/solvers/cond/options.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/random_scenes.hpp"

namespace nodia::test {
namespace {

Scene dragged_mat(double youngs_modulus_Pa, int n_node) {
  Scene scene = mat_on_rising_ball(youngs_modulus_Pa, n_node, 0.01, 0.3);
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "mat";
  grip.node_set = "x_max";
  grip.path.keys = {{0, {0, 0, 0}, {}}, {0.3, {0.03, 0, 0.02}, {}}};
  scene.attachments.push_back(grip);
  return scene;
}

std::vector<State> states_after(const std::vector<Scene>& scenes, SolverOptions options,
                                int steps) {
  Simulation simulation(scenes, options);
  for (int k = 0; k < steps; ++k) simulation.step();
  std::vector<State> states;
  for (int e = 0; e < simulation.n_env(); ++e) states.push_back(simulation.state(e));
  return states;
}

TEST(Reproducibility, TwoRunsAreBitIdentical) {
  const Scene scene = dragged_mat(75e3, 700);
  EXPECT_TRUE(same_bits(states_after({scene}, {}, 25)[0], states_after({scene}, {}, 25)[0]));
}

TEST(Reproducibility, AStateThatSomebodyKeepsNeverChangesAndChangesNothing) {
  const Scene scene = dragged_mat(75e3, 600);
  Simulation simulation({scene}, {});
  std::vector<std::shared_ptr<const State>> kept;
  std::vector<State> copies;
  for (int k = 0; k < 8; ++k) {
    kept.push_back(simulation.shared_state());
    copies.push_back(*kept.back());
    simulation.step();
  }
  for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_TRUE(same_bits(*kept[k], copies[k]));
  EXPECT_EQ(kept[3]->step, 3);
  EXPECT_TRUE(same_bits(simulation.state(), states_after({scene}, {}, 8)[0]));
  simulation.set_state(0, *kept[2]);
  simulation.step();
  EXPECT_TRUE(same_bits(*kept[2], copies[2]));
}

TEST(Reproducibility, OneAndTwoThreadsAreBitIdentical) {
  const Scene scene = dragged_mat(75e3, 600);
  for (Acceleration acceleration : {Acceleration::chebyshev, Acceleration::nesterov}) {
    SolverOptions one, two;
    one.solver = two.solver = "cond";
    one.execution.threads = 1;
    two.execution.threads = 2;
    one.of<CondOptions>().acceleration = two.of<CondOptions>().acceleration = acceleration;
    EXPECT_TRUE(same_bits(states_after({scene}, one, 6)[0], states_after({scene}, two, 6)[0]));
  }
}

TEST(Reproducibility, AnEnvironmentOfABatchIsBitIdenticalToItselfAlone) {
  const std::vector<Scene> scenes{dragged_mat(60e3, 500), dragged_mat(90e3, 700),
                                  dragged_mat(75e3, 300)};
  const std::vector<State> batch = states_after(scenes, {}, 20);
  for (std::size_t e = 0; e < scenes.size(); ++e)
    EXPECT_TRUE(same_bits(batch[e], states_after({scenes[e]}, {}, 20)[0])) << e;
}

TEST(Reproducibility, AnEnvironmentThatTurnsToNanStopsAlone) {
  const std::vector<Scene> scenes{dragged_mat(60e3, 300), dragged_mat(90e3, 300)};
  Simulation simulation(scenes, {});
  State broken = simulation.state(0);
  broken.v[3].y = std::numeric_limits<double>::quiet_NaN();
  simulation.set_state(0, broken);
  const std::vector<StepRecord> records = simulation.step();
  EXPECT_EQ(records[0].solve.status, SolveStatus::not_a_number);
  EXPECT_FALSE(records[0].solve.reason.empty());
  EXPECT_TRUE(simulation.failed(0));
  EXPECT_FALSE(simulation.failed(1));
  for (int k = 0; k < 4; ++k) simulation.step();
  EXPECT_TRUE(same_bits(simulation.state(1), states_after({scenes[1]}, {}, 5)[0]));
  EXPECT_EQ(simulation.state(0).step, 0);
}

TEST(Reproducibility, AStoredStateContinuesBitIdentically) {
  const Scene scene = dragged_mat(75e3, 300);
  SolverOptions options;
  Simulation first({scene}, options);
  for (int k = 0; k < 5; ++k) first.step();
  Simulation second({scene}, options), third({scene}, options);
  second.set_state(0, first.state());
  third.set_state(0, first.state());
  for (int k = 0; k < 5; ++k) {
    second.step();
    third.step();
  }
  EXPECT_TRUE(same_bits(second.state(), third.state()));
  EXPECT_DOUBLE_EQ(second.state().time_s, 10 * scene.time.step_s);
}

}  // namespace
}  // namespace nodia::test

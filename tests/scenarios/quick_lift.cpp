/// The task of scenarios/quick_lift: done by its script wherever the ball is drawn, not without a
/// grip.
#include <gtest/gtest.h>

#include "scenarios/build/scenario.hpp"
#include "scenarios/task/task_environments.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

const std::string kFile = test::source_file("scenarios/quick_lift/quick_lift.yaml");

Scenario load(std::vector<std::string> values = {}) {
  values.push_back("solver.threads=1");
  return load_scenario(kFile, values);
}

TaskEnvironments environment(const Scenario& scenario) {
  return TaskEnvironments({scenario.scene}, scenario.solver, *scenario.task);
}

TEST(QuickLift, IsDoneByItsScriptAtEveryCornerOfItsRanges) {
  for (int corner = 0; corner < 16; ++corner) {
    const auto at = [&](int bit, const char* key, const char* low, const char* high) {
      return std::string(key) + "=" + ((corner >> bit & 1) ? high : low);
    };
    const std::vector<std::string> values{at(0, "bodies.ball.youngs_modulus_Pa", "8e4", "2e5"),
                                          at(1, "bodies.ball.friction", "0.6", "1"),
                                          at(2, "bodies.ball.position_m.0", "-0.008", "0.008"),
                                          at(3, "bodies.ball.position_m.1", "-0.008", "0.008")};
    TaskEnvironments envs = environment(load(values));
    while (!envs.report(0).ended()) {
      envs.step(envs.script_action(0));
      EXPECT_EQ(envs.report(0).status, SolveStatus::converged) << corner;
      EXPECT_TRUE(envs.report(0).clipped.empty()) << corner;
    }
    EXPECT_TRUE(envs.report(0).success) << corner;
    EXPECT_EQ(envs.report(0).reward, 1) << corner;
  }
}

TEST(QuickLift, BeginsWithTheBallAtRest) {
  const Scenario scenario = load();
  TaskEnvironments envs = environment(scenario);
  const Settled settled = envs.reset(0, scenario.scene);
  EXPECT_TRUE(settled.at_rest);
  EXPECT_EQ(settled.status, SolveStatus::converged);
  EXPECT_NEAR(envs.observation(3)[2], 2.43066, 0.02) << "the floor carries its weight";
}

TEST(QuickLift, IsNotDoneWithoutAGrip) {
  TaskEnvironments envs = environment(load());
  while (!envs.report(0).ended()) {
    std::vector<double> action = envs.script_action(0);
    action.back() = 0.05;  // open
    envs.step(action);
  }
  EXPECT_TRUE(envs.report(0).truncated);
  EXPECT_FALSE(envs.report(0).success);
  EXPECT_EQ(envs.report(0).reward, 0);
}

TEST(QuickLift, IsNotDoneWithoutFriction) {
  TaskEnvironments envs = environment(load({"bodies.ball.friction=0.1"}));
  while (!envs.report(0).ended()) envs.step(envs.script_action(0));
  EXPECT_TRUE(envs.report(0).truncated);
}

}  // namespace
}  // namespace nodia

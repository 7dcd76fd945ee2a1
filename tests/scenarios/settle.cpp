#include "scenarios/task/settle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

Scenario scenario_of(const std::string& without_grip = "") {
  std::string text =
      test::task_scenario("{text: t, control_hz: 25, observe: time, action: {joints: base_x}}");
  if (!without_grip.empty()) {
    const std::size_t at = text.find("attachments:"), end = text.find("task:");
    text.erase(at, end - at);
  }
  return load_scenario(test::ScenarioFile(text).path());
}

std::vector<Settled> settled(const std::vector<Scene>& scenes, const SettleDescription& how) {
  return settle(scenes, scenario_of().solver, how, 4, [](int, const StepView&) {});
}

bool same(const State& a, const State& b) {
  return test::same_bits(a.x, b.x) && test::same_bits(a.q, b.q) && test::same_bits(a.v, b.v);
}

TEST(Settle, EndsAtRestWithTheClockAtZero) {
  const Scenario scenario = scenario_of("without");
  const Settled result = settled({scenario.scene}, {1e-3, 2}).front();
  EXPECT_TRUE(result.at_rest);
  EXPECT_LE(result.speed_m_s, 1e-3);
  EXPECT_GE(result.time_s, 0.04) << "a control step at least";
  EXPECT_LT(result.time_s, 2);
  EXPECT_EQ(result.status, SolveStatus::converged);
  EXPECT_EQ(result.state.time_s, 0);
  EXPECT_EQ(result.state.step, 0);
  // The block of 0.064 kg stands on the floor.
  double lowest = 1;
  for (const Vec3d x : result.state.x) lowest = std::min(lowest, x.z);
  EXPECT_NEAR(lowest, 0, 1e-6);
  Simulation simulation({scenario.scene}, scenario.solver);
  EXPECT_LE(largest_speed(result.state, simulation.layout()), 1e-3);
}

TEST(Settle, PathsWaitForTheEpisode) {
  const Scenario scenario = scenario_of();
  const Settled result = settled({scenario.scene}, {1e-3, 0.02}).front();
  EXPECT_FALSE(result.at_rest) << "the time is over before";
  EXPECT_NEAR(result.time_s, 0.04, 1e-12) << "a control step at least";
  EXPECT_NEAR(result.state.q[0], 0, 1e-4) << "base_x goes to 0.1 m within a second of the episode";
}

TEST(Settle, EveryEnvironmentHasTheResultItHasAlone) {
  std::vector<Scene> scenes{scenario_of("without").scene, scenario_of("without").scene,
                            scenario_of("without").scene};
  scenes[1].soft_bodies[0].pose.position.z = 0.01;
  scenes[2].soft_bodies[0].material.youngs_modulus_Pa = 1e4;
  const SettleDescription how{1e-3, 2};
  const std::vector<Settled> together = settled(scenes, how);
  EXPECT_NE(together[0].time_s, together[1].time_s);
  for (std::size_t e = 0; e < scenes.size(); ++e) {
    const Settled alone = settled({scenes[e]}, how).front();
    EXPECT_TRUE(same(alone.state, together[e].state)) << e;
    EXPECT_EQ(alone.time_s, together[e].time_s);
    EXPECT_TRUE(together[e].at_rest);
  }
}

TEST(Settle, AStepWithoutAnswerEndsIt) {
  Scene bad = scenario_of("without").scene;
  bad.soft_bodies[0].velocity = {0, 0, 1e200};
  const std::vector<Settled> results = settled({bad, scenario_of("without").scene}, {1e-3, 1});
  EXPECT_FALSE(results[0].at_rest);
  EXPECT_EQ(results[0].status, SolveStatus::not_a_number);
  EXPECT_TRUE(results[1].at_rest);
}

TEST(LargestSpeed, IsOfNodesFramesAndJoints) {
  BodyLayout layout;
  layout.add(BodyKind::soft, 2);
  layout.add(BodyKind::rigid, 1);
  layout.add(BodyKind::robot, 4);
  State state;
  state.v.assign(static_cast<std::size_t>(layout.n_row()), Vec3d{});
  ASSERT_EQ(state.v.size(), 6u);
  state.v[1] = {3, 0, 4};
  EXPECT_EQ(largest_speed(state, layout), 5);
  state.v[2] = {0, 6, 0};
  state.v[3] = {100, 0, 0};  // the body turns
  EXPECT_EQ(largest_speed(state, layout), 6);
  state.v[5] = {-7, 0, 0};
  EXPECT_EQ(largest_speed(state, layout), 7);
}

}  // namespace
}  // namespace nodia

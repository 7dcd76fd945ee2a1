/// Environments of a task continue from checkpoints with equal bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "scenarios/task/task_environments.hpp"
#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string name, task;
  std::vector<double> low, high;  ///< of the random actions
};

const Case kCases[] = {
    {"joints",
     "{text: t, control_hz: 25, observe: [arm.joints, arm.joint_targets, arm.wrist, block.nodes, "
     "block.contact_force, time], action: {joints: base_x, gripper: finger_left}, noise: "
     "{block.nodes: 1e-3}, delay_steps: 2, settle: {speed_m_s: 1e-3, at_most_s: 0.1}, reward: "
     "success, success: {check: contact_force, on: block, by: floor, part: z, value_N: 0.3, "
     "tolerance_N: 0.4, for_s: 0.12}}",
     {-0.05, 0},
     {0.05, 0.05}},
    {"picker",
     "{text: t, control_hz: 25, observe: [block.nodes, grip.pose, grip.force], action: {space: "
     "picker, frame: grip, bounds_m: 0.05}, reward: shortfall, success: {check: node_position, "
     "body: block, of: mean, above_m: 0.03, for_s: 0.12}}",
     {-0.01, -0.01, 0, 0.4},
     {0.01, 0.01, 0.02, 1}},
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

class TaskCheckpoints : public ::testing::TestWithParam<Case> {
 protected:
  TaskEnvironments environments(int n) const {
    return {std::vector<Scene>(static_cast<std::size_t>(n), scenario_.scene),
            scenario_.solver,
            *scenario_.task,
            {},
            FirstEpisode::by_reset};
  }
  std::vector<double> random_action() {
    std::vector<double> action;
    for (std::size_t k = 0; k < GetParam().low.size(); ++k)
      action.push_back(
          std::uniform_real_distribution<double>(GetParam().low[k], GetParam().high[k])(random_));
    return action;
  }
  /// Everything that a caller can read of an environment.
  static std::vector<double> readings(const TaskEnvironments& envs, int env) {
    std::vector<double> all;
    const auto add = [&](const std::vector<double>& values) {
      all.insert(all.end(), values.begin(), values.end());
    };
    for (std::size_t k = 0; k < envs.observation_space().size(); ++k) {
      const int size = envs.observation_space()[k].size();
      for (const auto* values :
           {&envs.observation(static_cast<int>(k)), &envs.true_observation(static_cast<int>(k))})
        add({values->begin() + env * size, values->begin() + (env + 1) * size});
    }
    add(envs.action(env));
    add(envs.targets(env).joints);
    add(envs.script_action(env));
    const TaskReport& r = envs.report(env);
    for (const int clipped : r.clipped) all.push_back(clipped);
    add({r.reward, double(r.step), double(r.status), double(r.terminated), double(r.truncated),
         double(r.success), double(r.failed), double(r.fault), double(envs.delay_steps(env))});
    return all;
  }

  const Scenario scenario_ = test::load_task(GetParam().task);
  const EpisodeDraw draw_{{7, 3}, {}};
  std::mt19937 random_{11};
};

TEST_P(TaskCheckpoints, ContinueWithEqualBitsAtEveryPlace) {
  TaskEnvironments envs = environments(1);
  envs.reset(0, scenario_.scene, draw_);
  int n_success = 0;
  for (int n_before = 0; n_before < 10; ++n_before) {
    const TaskCheckpoint checkpoint = envs.save(0);
    TaskEnvironments others = environments(2);
    others.reset(0, scenario_.scene, {});
    others.place(1, scenario_.scene, {draw_.drawn_by, 0});
    others.load(1, checkpoint);
    EXPECT_TRUE(test::same_bits(readings(others, 1), readings(envs, 0))) << n_before;
    std::vector<std::vector<double>> rows;
    for (int step = 0; step < 5; ++step) {
      const std::vector<double> action = random_action();
      std::vector<double> both = action;
      both.insert(both.end(), action.begin(), action.end());
      envs.step(action);
      others.step(both);
      rows.push_back(readings(envs, 0));
      EXPECT_TRUE(test::same_bits(readings(others, 1), rows.back())) << n_before << ' ' << step;
      n_success += envs.report(0).success ? 1 : 0;
    }
    envs.load(0, checkpoint);
    envs.step(random_action());
    if (envs.report(0).ended()) break;
  }
  EXPECT_GT(n_success, 0) << "no comparison reached the end of an episode by success";
}

TEST_P(TaskCheckpoints, AFailedEnvironmentStaysFailed) {
  TaskEnvironments envs = environments(1), other = environments(1);
  envs.reset(0, scenario_.scene, draw_);
  std::vector<double> action = random_action();
  envs.step(action);
  action[0] = std::numeric_limits<double>::quiet_NaN();
  envs.step(action);
  ASSERT_TRUE(envs.report(0).failed);
  other.place(0, scenario_.scene, draw_);
  other.load(0, envs.save(0));
  EXPECT_EQ(other.report(0).cause, envs.report(0).cause);
  EXPECT_TRUE(other.report(0).ended());
  other.step(random_action());
  EXPECT_EQ(other.report(0).step, envs.report(0).step) << "an ended episode takes no action";
}

TEST_P(TaskCheckpoints, NeedAnEpisodeOfTheSameScene) {
  TaskEnvironments envs = environments(1), heavy = environments(1);
  EXPECT_THAT([&] { envs.save(0); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("must begin its first episode")));
  envs.reset(0, scenario_.scene, draw_);
  Scene scene = scenario_.scene;
  scene.soft_bodies[0].material.density_kg_m3 *= 2;
  heavy.reset(0, scene, draw_);
  const std::vector<double> before = readings(heavy, 0);
  EXPECT_THAT([&] { heavy.load(0, envs.save(0)); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("must be of the same scene")));
  EXPECT_TRUE(test::same_bits(readings(heavy, 0), before));
}

INSTANTIATE_TEST_SUITE_P(Tasks, TaskCheckpoints, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace nodia

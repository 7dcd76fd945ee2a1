/// Noise on observations and delay of actions in the environments of a task.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "scenarios/task/task_environments.hpp"
#include "tests/scenarios/task_scenario.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string task_with(const std::string& keys) {
  return "{text: t, control_hz: 25, observe: [arm.joints, block.nodes, arm.palm, time], action: "
         "{joints: [base_x, base_yaw], low: {base_yaw: -1}, high: {base_yaw: 1}}" +
         keys + "}";
}

const std::string kNoise = ", noise: {block.nodes: 1e-3, arm.palm: 0.01}";

TaskEnvironments environments(const std::string& keys, std::vector<EpisodeDraw> draws = {{}}) {
  const Scenario scenario = test::load_task(task_with(keys));
  return TaskEnvironments(std::vector<Scene>(draws.size(), scenario.scene), scenario.solver,
                          *scenario.task, draws);
}

std::vector<double> row(const std::vector<double>& values, int n_env, int env) {
  const auto size = values.size() / static_cast<std::size_t>(n_env);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(size) * env;
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

TEST(Noise, IsOnWhatItIsAskedForAndLeavesTheTruth) {
  TaskEnvironments noisy = environments(kNoise), plain = environments("");
  for (int step = 0; step < 3; ++step) {
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(noisy.true_observation(k), plain.observation(k));
      EXPECT_EQ(noisy.observation(k) == plain.observation(k), k == 0 || k == 3) << k;
    }
    const std::vector<double>& palm = noisy.observation(2);
    EXPECT_NEAR(std::hypot(std::hypot(palm[3], palm[4]), std::hypot(palm[5], palm[6])), 1, 1e-14);
    EXPECT_GE(palm[3], 0);
    noisy.step({0.01, 0.1});
    plain.step({0.01, 0.1});
  }
}

TEST(Noise, DependsOnTheEpisodeAndOnNothingBeside) {
  const std::vector<EpisodeDraw> draws = {
      {{7, 0}, {}}, {{7, 1}, {}}, {{8, 0}, {}}, {{7, 0, 1}, {}}};
  TaskEnvironments all = environments(kNoise, draws);
  for (int step = 0; step < 2; ++step) {
    for (int env = 0; env < 4; ++env) {
      TaskEnvironments alone = environments(kNoise, {draws[static_cast<std::size_t>(env)]});
      for (int k = 0; k < step; ++k) alone.step({0.01, 0.1});
      EXPECT_EQ(alone.observation(1), row(all.observation(1), 4, env));
      for (int other = 0; other < env; ++other)
        EXPECT_NE(row(all.observation(1), 4, other), row(all.observation(1), 4, env));
    }
    all.step({0.01, 0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 0.1});
  }
  const Scene scene = test::load_task(task_with(kNoise)).scene;
  all.reset(2, scene, draws[0]);
  EXPECT_EQ(row(all.observation(1), 4, 2), environments(kNoise, {draws[0]}).observation(1));
}

/// Mean 0, the wanted deviation, and no correlation from component to component, from step to step,
/// from episode to episode: 5 standard deviations of the estimates.
TEST(Noise, IsNormalAndIndependent) {
  const Scenario scenario = test::load_task(task_with(kNoise));
  const std::vector<Observable> observed =
      observables(scenario.scene, {"block.nodes"}, "task.observe");
  constexpr int kSteps = 2000, kComponents = 24, n = kSteps * kComponents;
  const auto noise_of = [&](std::uint64_t episode, int step) {
    std::vector<double> values(kComponents, 0.0);
    Noise(*scenario.task, observed, {7, episode}).add(0, observed[0], step, values.data());
    return values;
  };
  double sum = 0, square = 0, fourth = 0, beside = 0, later = 0, other = 0;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> now = noise_of(0, step), next = noise_of(0, step + 1),
                              elsewhere = noise_of(1, step);
    for (std::size_t i = 0; i < kComponents; ++i) {
      const double z = now[i] / 1e-3;
      sum += z;
      square += z * z;
      fourth += z * z * z * z;
      beside += z * now[(i + 1) % kComponents] / 1e-3;
      later += z * next[i] / 1e-3;
      other += z * elsewhere[i] / 1e-3;
    }
  }
  const double deviation = 1 / std::sqrt(n);
  EXPECT_NEAR(sum / n, 0, 5 * deviation);
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2) * deviation);
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96) * deviation);
  for (const double product : {beside, later, other}) EXPECT_NEAR(product / n, 0, 5 * deviation);
}

/// The same targets, so many control steps later.
TEST(Delay, ActionsTakeEffectLater) {
  const std::vector<std::vector<double>> actions = {
      {0.01, 0.1}, {0.02, -0.1}, {0.03, 0.3}, {0.01, 0.2}};
  TaskEnvironments late = environments(", delay_steps: 2"), prompt = environments("");
  const std::vector<double> at_start = prompt.targets(0).joints;
  std::vector<std::vector<double>> wanted;
  for (const std::vector<double>& action : actions) {
    prompt.step(action);
    wanted.push_back(prompt.targets(0).joints);
  }
  for (std::size_t k = 0; k < actions.size(); ++k) {
    late.step(actions[k]);
    EXPECT_EQ(late.action(0), actions[k]) << "as it was given";
    const std::vector<double>& expected = k < 2 ? at_start : wanted[k - 2];
    EXPECT_EQ(late.targets(0).joints[0], expected[0]);
    EXPECT_EQ(late.targets(0).joints[1], expected[1]);
  }
}

TEST(Delay, IsTheEpisodesOwnAndEndsWithIt) {
  TaskEnvironments envs = environments(", delay_steps: 1", {{{}, std::nullopt}, {{}, 0}, {{}, 3}});
  EXPECT_EQ(envs.delay_steps(0), 1);
  EXPECT_EQ(envs.delay_steps(1), 0);
  EXPECT_EQ(envs.delay_steps(2), 3);
  const std::vector<double> action = {0.05, 0.5, 0.05, 0.5, 0.05, 0.5};
  envs.step(action);
  envs.step(action);
  EXPECT_THAT(envs.targets(0).joints[1], 0.5);
  EXPECT_THAT(envs.targets(2).joints[1], 0);
  envs.reset(2, test::load_task(task_with("")).scene, {{}, 1});
  envs.step(action);
  EXPECT_EQ(envs.targets(2).joints[1], 0) << "nothing of the episode before takes effect";
}

/// Actions by the script take effect when its paths want them.
TEST(Delay, TheScriptActsSoMuchEarlier) {
  const std::string delta =
      "{text: t, control_hz: 25, observe: time, action: {joints: base_x, space: joint_delta, "
      "bounds_m: 0.02}";
  for (const int delay : {0, 1, 3}) {
    const Scenario scenario =
        test::load_task(delta + ", delay_steps: " + std::to_string(delay) + "}");
    TaskEnvironments envs({scenario.scene}, scenario.solver, *scenario.task);
    for (int k = 1; k <= 10; ++k) {
      envs.step(envs.script_action(0));
      EXPECT_EQ(envs.report(0).clipped.size(), 0u);
      if (k <= delay) continue;
      const double on_path = ActionMap(*scenario.task, scenario.scene).of_paths(0.04 * k).joints[0];
      EXPECT_NEAR(envs.targets(0).joints[0], on_path, 1e-12) << "delay " << delay << ", " << k;
    }
  }
}

TEST(Delay, IsShorterThanTheEpisode) {
  const auto refusal = [](const std::string& keys, std::vector<EpisodeDraw> draws) {
    try {
      environments(keys, std::move(draws));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(", delay_steps: 24", {{}}), "");
  const char* const told =
      "task.delay_steps = 25 (must be less than the episode's 25 control steps; no action would "
      "take effect)";
  EXPECT_EQ(refusal(", delay_steps: 25", {{}}), told);
  EXPECT_EQ(refusal("", {{}, {{}, 25}}), told);
  EXPECT_EQ(refusal(", delay_steps: 25", {{{}, 3}}), "") << "the episode's own counts";
  TaskEnvironments envs = environments("");
  EXPECT_THROW(envs.reset(0, test::load_task(task_with("")).scene, {{}, 30}), InputError);
  EXPECT_EQ(message(test::ScenarioFile(test::task_scenario(task_with(", delay_steps: 25")))), "")
      << "a run reads past the task";
}

TEST(Delay, ABadActionFailsAtOnce) {
  TaskEnvironments envs = environments(", delay_steps: 3");
  envs.step({0.01, std::nan("")});
  EXPECT_TRUE(envs.report(0).failed);
  EXPECT_THAT(envs.report(0).cause, HasSubstr("base_yaw) is nan"));
}

TEST(LoadTask, NoiseAndDelay) {
  const Scenario read = test::load_task(task_with(kNoise + ", delay_steps: 2"));
  EXPECT_EQ(read.task->delay_steps, 2);
  EXPECT_EQ(read.task->noise->size(), 2u);
  const test::ScenarioFile copy(read.resolved_yaml);
  EXPECT_EQ(load_scenario(copy.path()).resolved_yaml, read.resolved_yaml);
  const auto message = [](const std::string& keys) { return test::task_message(task_with(keys)); };
  EXPECT_THAT(message(", noise: {block.node: 1}"),
              HasSubstr("task.noise.block.node = block.node (must be something that task.observe "
                        "names; did you mean block.nodes?)"));
  EXPECT_THAT(message(", noise: {block.centre: 1}"), HasSubstr("task.observe names"));
  EXPECT_THAT(message(", noise: {block.nodes: -1}"), HasSubstr("must be >= 0"));
  EXPECT_THAT(message(", noise: {block.nodes: .nan}"), HasSubstr("must be a finite number"));
  EXPECT_THAT(message(", noise: 1"), HasSubstr("names with numbers"));
  EXPECT_THAT(message(", delay_steps: -1"), HasSubstr("task.delay_steps = -1 (must be"));
  EXPECT_THAT(message(", delay_steps: 0.5"), HasSubstr("a whole number"));
}

TEST(LoadTask, DelayIsDrawnForEveryEnvironment) {
  const test::ScenarioFile file(test::task_scenario(task_with("")) +
                                "randomize:\n  task.delay_steps: {integer: [0, 4]}\n");
  std::set<int> delays;
  for (const Scenario& environment : load_batch(file.path(), {"environments=40"}).environments)
    delays.insert(*environment.task->delay_steps);
  EXPECT_THAT(delays, ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace nodia

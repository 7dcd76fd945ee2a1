#include "scenarios/task/task_environments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const char* const kJoints =
    "{text: t, control_hz: 25, observe: [arm.joints, arm.joint_targets, block.nodes, time], "
    "action: "
    "{joints: [base_x, base_yaw], low: {base_yaw: -1}, high: {base_yaw: 1}, gripper: finger_left}}";

Scenario load(const std::string& task = kJoints) {
  return test::load_task(task);
}

TaskEnvironments environments(const Scenario& scenario, int n = 1) {
  return TaskEnvironments(std::vector<Scene>(static_cast<std::size_t>(n), scenario.scene),
                          scenario.solver, *scenario.task);
}

/// Of environment `env`, all observables in a row.
std::vector<double> observed(const TaskEnvironments& envs, int env = 0) {
  std::vector<double> all;
  for (std::size_t k = 0; k < envs.observation_space().size(); ++k) {
    const std::vector<double>& values = envs.observation(static_cast<int>(k));
    const int size = envs.observation_space()[k].size();
    all.insert(all.end(), values.begin() + env * size, values.begin() + (env + 1) * size);
  }
  return all;
}

TEST(TaskEnvironments, AnActionIsATargetAtTheEndOfItsControlStep) {
  TaskEnvironments envs = environments(load());
  EXPECT_EQ(envs.steps_per_action(), 4);
  EXPECT_EQ(envs.actions_per_episode(), 25);
  EXPECT_THAT(envs.action(0), IsEmpty());
  int n_step = 0;
  envs.step({0.01, 0.2, 0.03},
            [&](const StepView& view) { EXPECT_EQ(view.record.step, ++n_step); });
  EXPECT_EQ(n_step, 4);
  EXPECT_THAT(envs.action(0), ElementsAre(0.01, 0.2, 0.03));
  EXPECT_THAT(envs.targets(0).joints, ElementsAre(0.01, 0.2, 0.03, 0.05));
  const std::vector<double>& targets = envs.observation(1);
  EXPECT_NEAR(targets[0], 0.01, 1e-9);
  EXPECT_NEAR(targets[1], 0.2, 1e-9);
  EXPECT_NEAR(targets[3], 0.05, 1e-15);
  EXPECT_NEAR(envs.observation(3)[0], 0.04, 1e-15);
  for (int k = 0; k < 10; ++k) envs.step({0.01, 0.2, 0.03});
  // The hand's drive of 2000 N/m and 20 N m/rad pulls back to its own path.
  EXPECT_NEAR(envs.observation(0)[0], 0.01 * 5 / 7, 1e-4);
  EXPECT_NEAR(envs.observation(0)[3], 0.2 * 200 / 220, 1e-3);
  EXPECT_NEAR(envs.observation(0)[6], 0.03, 1e-4);
}

TEST(TaskEnvironments, ObservationsAreThoseOfTheSimulation) {
  TaskEnvironments envs = environments(load(
      "{text: t, control_hz: 25, observe: [block.centre, block.velocities, arm.palm, arm.wrist, "
      "grip.pose, plate.pose, block.contact_force, grip.force], action: {joints: base_x}}"));
  EXPECT_THAT(std::vector<double>(envs.observation(3)), ElementsAre(0, 0, 0, 0, 0, 0));
  StepRecord record;
  Vec3d on_block{};
  envs.step({0.01}, [&](const StepView& view) {
    record = view.record;
    on_block = {};
    for (std::size_t m = 0; m < view.contacts().size(); ++m)
      on_block += transpose_times(view.contacts()[m].R, view.lambda()[m]);
  });
  const Simulation& simulation = envs.simulation();
  Vec3d sum{};
  for (const Vec3d x : simulation.state().x) sum += x;
  EXPECT_NEAR(envs.observation(0)[2], sum.z / 8, 1e-15);
  EXPECT_EQ(envs.observation(1)[5], simulation.state().v[1].z);
  const RobotDescription& robot = simulation.scene().robots[0].robot;
  const Pose palm = simulation.link_poses()[static_cast<std::size_t>(robot.find_link("palm"))];
  EXPECT_EQ(envs.observation(2)[2], palm.position.z);
  EXPECT_NEAR(std::fabs(envs.observation(2)[3]), 1, 1e-2);
  const std::vector<std::string> sensors = sensor_names(simulation.scene());
  const auto wrist = static_cast<std::size_t>(std::find(sensors.begin(), sensors.end(), "wrist") -
                                              sensors.begin());
  EXPECT_EQ(envs.observation(3)[2], record.sensors[wrist].force_N.z);
  EXPECT_EQ(envs.observation(3)[4], record.sensors[wrist].torque_Nm.y);
  EXPECT_NEAR(envs.observation(4)[0], 0.32, 1e-12);
  EXPECT_NEAR(envs.observation(5)[2],
              simulation.scene().obstacles[1].path.at(simulation.state().time_s).position.z, 1e-15);
  EXPECT_NEAR(envs.observation(6)[2], on_block.z, 1e-12);
  EXPECT_EQ(envs.observation(7)[2], record.sensors[0].force_N.z);
}

TEST(TaskEnvironments, ABadActionFailsItsEnvironmentAlone) {
  const Scenario scenario = load();
  TaskEnvironments alone = environments(scenario), envs = environments(scenario, 3);
  const std::vector<double> good{0.01, 0.1, 0.04};
  const auto all = [&](std::vector<double> middle) {
    std::vector<double> actions = good;
    actions.insert(actions.end(), middle.begin(), middle.end());
    actions.insert(actions.end(), good.begin(), good.end());
    return actions;
  };
  alone.step(good);
  envs.step(all(good));
  alone.step(good);
  const std::vector<double> before = observed(envs, 1);
  envs.step(all({0.01, kNaN, 0.04}));
  EXPECT_TRUE(envs.report(1).failed);
  EXPECT_TRUE(envs.report(1).terminated);
  EXPECT_FALSE(envs.report(1).truncated);
  EXPECT_EQ(envs.report(1).status, SolveStatus::not_a_number);
  EXPECT_EQ(envs.report(1).step, 5);
  EXPECT_EQ(envs.report(1).reward, 0);
  EXPECT_EQ(envs.report(1).cause, "component 1 of the action (base_yaw) is nan");
  EXPECT_TRUE(std::isnan(envs.action(1)[1])) << "as it was given";
  for (const double value : observed(envs, 1)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NEAR(observed(envs, 1).back(), before.back(), 1e-15) << "it stands still";
  for (int k = 0; k < 5; ++k) {
    alone.step(good);
    envs.step(all({kNaN, kNaN, kNaN}));
  }
  for (const int env : {0, 2}) {
    EXPECT_FALSE(envs.report(env).ended());
    EXPECT_TRUE(test::same_bits(observed(envs, env), observed(alone))) << env;
    EXPECT_TRUE(test::same_bits(envs.simulation().state(env).v, alone.simulation().state().v));
  }
  EXPECT_EQ(envs.report(1).cause, "component 1 of the action (base_yaw) is nan");

  // Begun again beside the others, it has the bits of a new one.
  envs.reset(1, scenario.scene);
  TaskEnvironments fresh = environments(scenario);
  EXPECT_FALSE(envs.report(1).ended());
  EXPECT_TRUE(test::same_bits(observed(envs, 1), observed(fresh)));
  for (int k = 0; k < 3; ++k) {
    fresh.step(good);
    alone.step(good);
    envs.step(all(good));
  }
  EXPECT_TRUE(test::same_bits(observed(envs, 1), observed(fresh)));
  EXPECT_TRUE(test::same_bits(observed(envs, 2), observed(alone)));
  envs.step(all({0.01, 0.1, HUGE_VAL}));
  EXPECT_EQ(envs.report(1).cause, "component 2 of the action (gripper) is inf");
}

TEST(TaskEnvironments, RefuseActionsOfAnotherLength) {
  TaskEnvironments envs = environments(load(), 2);
  try {
    envs.step({0, 0, 0});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "actions: 3 numbers (must be 6: 2 environments, 3 components each)");
  }
  EXPECT_EQ(envs.simulation().state().step, 0);
}

TEST(TaskEnvironments, TellWhatWasCut) {
  TaskEnvironments envs = environments(load());
  envs.step({0, 3, 0.03});
  EXPECT_THAT(envs.report(0).clipped, ElementsAre(1));
  EXPECT_THAT(envs.action(0), ElementsAre(0, 3, 0.03));
  EXPECT_EQ(envs.targets(0).joints[1], 1);
  envs.step({0, 0, 0.03});
  EXPECT_THAT(envs.report(0).clipped, IsEmpty());
}

TEST(TaskEnvironments, DeltasAddUp) {
  TaskEnvironments envs = environments(
      load("{text: t, control_hz: 25, observe: arm.joint_targets, action: {space: joint_delta, "
           "joints: base_x, bounds_m: 0.02}}"));
  envs.step({0.01});
  envs.step({0.015});
  envs.step({-0.005});
  EXPECT_NEAR(envs.observation(0)[0], 0.02, 1e-9);
  EXPECT_NEAR(envs.targets(0).joints[0], 0.02, 1e-15);
}

TEST(TaskEnvironments, PoseDrivesGoWhereTheyAreSent) {
  TaskEnvironments envs = environments(
      load("{text: t, control_hz: 25, observe: arm.palm, action: {space: pose_delta, frame: hand, "
           "bounds_m: 0.02, bounds_rad: 0.1}}"));
  const std::vector<double> start = envs.observation(0);
  for (int k = 0; k < 5; ++k) envs.step({0, 0, 0.01, 0, 0, 0.02});
  for (int k = 0; k < 15; ++k) envs.step({0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(envs.observation(0)[2], start[2] + 0.05, 1e-3);
  // The joint drive of base_yaw holds against the hand's of 20 N m/rad with 200.
  EXPECT_GT(std::fabs(envs.observation(0)[6]), 1e-3);
}

TEST(TaskEnvironments, APickerLetsGo) {
  TaskEnvironments envs = environments(
      load("{text: t, control_hz: 25, observe: block.centre, action: {space: picker, frame: grip, "
           "bounds_m: 0.05}}"));
  const double start = envs.observation(0)[2];
  for (int k = 0; k < 4; ++k) envs.step({0, 0, 0.025, 1});
  EXPECT_GT(envs.observation(0)[2], start + 0.08);
  for (int k = 0; k < 10; ++k) envs.step({0, 0, 0, 0});
  EXPECT_NEAR(envs.observation(0)[2], 0.02, 2e-3) << "on the floor again";
}

TEST(TaskEnvironments, AnActionHoldsWhateverTheReleaseTimeSays) {
  const Scenario scenario = load(
      "{text: t, control_hz: 25, observe: block.centre, action: {space: picker, frame: grip, "
      "bounds_m: 0.05}}");
  Scene released = scenario.scene;
  released.attachments[0].release_time_s = 0.12;
  TaskEnvironments envs({released}, scenario.solver, *scenario.task);
  const double start = envs.observation(0)[2];
  for (int k = 0; k < 4; ++k) envs.step({0, 0, 0.025, 1});
  for (int k = 0; k < 10; ++k) envs.step({0, 0, 0, 1});
  EXPECT_GT(envs.observation(0)[2], start + 0.08) << "still held";
  TaskEnvironments script({released}, scenario.solver, *scenario.task);
  Simulation paths({released}, scenario.solver);
  for (int k = 0; k < 10; ++k) {
    script.step(script.script_action(0));
    for (int step = 0; step < 4; ++step) paths.step();
  }
  EXPECT_TRUE(test::same_bits(script.simulation().state().x, paths.state().x))
      << "the script lets go when the scene does";
}

TEST(TaskEnvironments, ARobotHoldsAndLetsGo) {
  const Scenario scenario = load(
      "{text: t, control_hz: 25, observe: block.centre, action: {joints: base_x, hold: grip}}");
  Scene scene = scenario.scene;
  AttachmentDescription& grip = scene.attachments[0];
  grip.robot = "arm";
  grip.link = "palm";
  grip.path = {};
  scene.gravity_m_s2 = {};
  TaskEnvironments envs({scene}, scenario.solver, *scenario.task);
  ASSERT_EQ(envs.action_space()[1].name, "grip.hold");
  const auto pulled = [&](double hold) {
    const double before = envs.observation(0)[0], target = envs.targets(0).joints[0];
    for (int k = 1; k <= 5; ++k) envs.step({target + 0.01 * k, hold});
    return envs.observation(0)[0] - before;
  };
  EXPECT_GT(pulled(1), 0.01);
  envs.step({envs.targets(0).joints[0], 0});
  const double drifting = pulled(0);
  EXPECT_LT(std::fabs(pulled(0) - drifting), 1e-3) << "let go, it goes on as it did";
  EXPECT_TRUE(envs.report(0).clipped.empty());
}

TEST(TaskEnvironments, AnEpisodeEndsWithItsTime) {
  TaskEnvironments envs = environments(load());
  for (int k = 0; k < 24; ++k) envs.step({0, 0, 0.03});
  EXPECT_FALSE(envs.report(0).ended());
  envs.step({0, 0, 0.03});
  EXPECT_TRUE(envs.report(0).truncated);
  EXPECT_FALSE(envs.report(0).terminated);
  EXPECT_EQ(envs.report(0).step, 100);
  const std::vector<double> end = observed(envs);
  envs.step({1, 1, 0.03});
  EXPECT_TRUE(test::same_bits(observed(envs), end)) << "no action is taken behind the end";
}

TEST(TaskEnvironments, SuccessEndsAnEpisodeAndIsRewarded) {
  const std::string task =
      "{text: t, control_hz: 25, observe: block.centre, action: {space: picker, frame: grip, "
      "bounds_m: 0.05}, success: {check: node_position, body: block, of: mean, above_m: 0.1, "
      "for_s: "
      "0.04}, reward: ";
  TaskEnvironments envs = environments(load(task + "success}"));
  TaskEnvironments sloped = environments(load(task + "shortfall}"));
  int n = 0;
  while (!envs.report(0).ended()) {
    ASSERT_LT(++n, 25);
    envs.step({0, 0, 0.02, 1});
    sloped.step({0, 0, 0.02, 1});
    if (envs.report(0).ended()) break;
    EXPECT_EQ(envs.report(0).reward, 0);
    EXPECT_NEAR(sloped.report(0).reward, std::min(0.0, sloped.observation(0)[2] - 0.1), 1e-12);
  }
  EXPECT_TRUE(envs.report(0).success);
  EXPECT_TRUE(envs.report(0).terminated);
  EXPECT_FALSE(envs.report(0).truncated);
  EXPECT_EQ(envs.report(0).reward, 1);
  EXPECT_EQ(sloped.report(0).reward, 1);
  EXPECT_GT(envs.observation(0)[2], 0.1);
}

TEST(TaskEnvironments, BeginAtRestAndDoNotCareWhatWasBefore) {
  const Scenario scenario = load(
      "{text: t, control_hz: 25, observe: [block.nodes, block.contact_force, time], settle: "
      "{speed_m_s: 1e-3, at_most_s: 1}, action: {joints: base_x}}");
  Scene high = scenario.scene;
  high.attachments.clear();
  high.soft_bodies[0].pose.position.z = 0.005;
  TaskEnvironments envs = environments(scenario, 2);
  for (int k = 0; k < 3; ++k) envs.step({0.05, -0.05});
  const Settled settled = envs.reset(0, high);
  EXPECT_TRUE(settled.at_rest);
  EXPECT_LE(settled.speed_m_s, 1e-3);
  EXPECT_EQ(envs.observation(2)[0], 0);
  EXPECT_NEAR(envs.observation(1)[2], 0.0 + 1000 * 6.4e-5 * 9.81, 0.02) << "it stands on the floor";
  TaskEnvironments fresh({high}, scenario.solver, *scenario.task);
  EXPECT_TRUE(test::same_bits(observed(envs, 0), observed(fresh)));
  for (int k = 0; k < 3; ++k) {
    envs.step({0.02, 0.01});
    fresh.step({0.02});
  }
  EXPECT_TRUE(test::same_bits(observed(envs, 0), observed(fresh)));
}

TEST(TaskEnvironments, SettleOnceForEveryEpisode) {
  const Scenario scenario = load(
      "{text: t, control_hz: 25, observe: [block.nodes, block.contact_force], settle: {speed_m_s: "
      "1e-3, at_most_s: 1}, action: {joints: base_x}}");
  Scene high = scenario.scene;
  high.attachments.clear();
  high.soft_bodies[0].pose.position.z = 0.005;
  const auto steps_of = [&](const std::vector<Settled>& settled) {
    double steps = 0;
    for (const Settled& s : settled) steps += s.time_s / scenario.scene.time.step_s;
    return std::llround(steps);
  };
  TaskEnvironments envs({scenario.scene, scenario.scene}, scenario.solver, *scenario.task, {},
                        FirstEpisode::by_reset);
  EXPECT_EQ(envs.settle_steps(), 0);
  const std::vector<Settled> both = envs.reset({0, 1}, {high, scenario.scene});
  EXPECT_GT(both[0].time_s, both[1].time_s);
  EXPECT_EQ(envs.settle_steps(), steps_of(both));
  const Settled again = envs.reset(1, high);
  EXPECT_EQ(envs.settle_steps(), steps_of(both) + steps_of({again}));

  TaskEnvironments at_once({high}, scenario.solver, *scenario.task);
  EXPECT_EQ(at_once.settle_steps(), steps_of({again}));
  for (const int env : {0, 1}) EXPECT_TRUE(test::same_bits(observed(envs, env), observed(at_once)));
  envs.step({0.01, 0.01});
  at_once.step({0.01});
  for (const int env : {0, 1}) EXPECT_TRUE(test::same_bits(observed(envs, env), observed(at_once)));
}

TEST(TaskEnvironments, RefuseStepsBeforeTheFirstEpisode) {
  const Scenario scenario = load();
  TaskEnvironments envs({scenario.scene, scenario.scene}, scenario.solver, *scenario.task, {},
                        FirstEpisode::by_reset);
  for (const double value : observed(envs, 1)) EXPECT_EQ(value, 0);
  EXPECT_EQ(envs.simulation().scene(1).name, scenario.scene.name);
  envs.reset(0, scenario.scene);
  const auto refused = [](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "environment 1: reset (must begin its first episode)");
    }
  };
  refused([&] { envs.step({0, 0, 0.03, 0, 0, 0.03}); });
  refused([&] { envs.script_action(1); });
  EXPECT_EQ(envs.simulation().state(0).step, 0) << "nobody was stepped";
  envs.reset(1, scenario.scene);
  envs.step({0, 0, 0.03, 0, 0, 0.03});
  EXPECT_EQ(envs.simulation().state(1).step, 4);

  Scene longer = scenario.scene;
  longer.time.duration_s = 2;
  EXPECT_THROW(TaskEnvironments({scenario.scene, longer}, scenario.solver, *scenario.task, {},
                                FirstEpisode::by_reset),
               InputError);
}

TEST(TaskEnvironments, ABadStartFailsWithTheFirstAction) {
  const Scenario scenario =
      load("{text: t, control_hz: 25, observe: block.velocities, action: {joints: base_x}}");
  Scene fast = scenario.scene;
  fast.soft_bodies[0].velocity = {0, 0, 2e4};
  TaskEnvironments envs({scenario.scene, fast}, scenario.solver, *scenario.task);
  envs.step({0, 0});
  EXPECT_FALSE(envs.report(0).failed);
  EXPECT_TRUE(envs.report(1).failed);
  EXPECT_EQ(envs.report(1).cause, "the observation block.velocities left its bounds");
}

TEST(TaskEnvironments, RefuseAScenesWithOtherSpaces) {
  const Scenario scenario = load();
  const auto message = [&](const std::function<void(Scene&)>& change) -> std::string {
    Scene other = scenario.scene;
    change(other);
    TaskEnvironments envs = environments(scenario, 2);
    try {
      envs.reset(1, other);
    } catch (const InputError& error) {
      EXPECT_EQ(envs.simulation().scene(1).soft_bodies[0].mesh.nodes.size(), 8u);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([](Scene& s) { s.soft_bodies[0].material.youngs_modulus_Pa = 2e5; }), "");
  EXPECT_THAT(message([](Scene& s) { s.robots[0].joint_drives[0].joint = "base_y"; }),
              HasSubstr("task.action.joints.0 = base_x (must have a drive; add "));
  EXPECT_THAT(message([](Scene& s) { s.time.duration_s = 2; }), HasSubstr("time.duration_s = 2"));
  EXPECT_THAT(message([](Scene& s) {
                TetMesh& mesh = s.soft_bodies[0].mesh;
                mesh.nodes.push_back({0.02, 0.02, 0.08});
                mesh.tets.push_back({4, 5, 7, 8});
                s.attachments.clear();
              }),
              HasSubstr("environment 1: block.nodes has 27 numbers, not 24"));
}

TEST(TaskEnvironments, TheScriptFollowsThePaths) {
  const Scenario scenario = load();
  TaskEnvironments envs = environments(scenario);
  Simulation paths({scenario.scene}, scenario.solver);
  while (!envs.report(0).ended()) {
    envs.step(envs.script_action(0));
    EXPECT_THAT(envs.report(0).clipped, IsEmpty());
    for (int k = 0; k < 4; ++k) paths.step();
    for (std::size_t k = 0; k < 8; ++k)
      EXPECT_NEAR(envs.simulation().state().q[k], paths.state().q[k], 3e-4);
  }
  EXPECT_NEAR(envs.simulation().state().q[0], 0.1 * 5 / 7, 1e-3);
}

}  // namespace
}  // namespace nodia

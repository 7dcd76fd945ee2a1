/// Targets given while a simulation runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/simulation/simulation.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/slide.hpp"

namespace nodia::test {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Scene scene_with(RobotSceneDescription robot) {
  Scene scene;
  scene.name = "slide";
  scene.robots.push_back(std::move(robot));
  return scene;
}

void expect_within(Vec3d a, Vec3d b, double tolerance) {
  EXPECT_LE(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

TEST(Commands, AJointTargetIsReachedLinearlyAndHeld) {
  Simulation simulation({scene_with(slide("arm", 1, 1000, 100))}, {});
  EXPECT_EQ(simulation.joint_targets(0, "arm"), std::vector<double>{0});
  simulation.set_joint_targets(0, "arm", {0.4}, 0.1);
  for (int k = 1; k <= 20; ++k) {
    simulation.step();
    EXPECT_NEAR(simulation.joint_targets(0, "arm")[0], 0.4 * std::min(1.0, k / 10.0), 1e-15);
  }
  // The next command starts where the target is.
  simulation.set_joint_targets(0, "arm", {0}, 0.05);
  EXPECT_NEAR(simulation.joint_targets(0, "arm")[0], 0.4, 1e-15);
  for (int k = 0; k < 300; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-9);
}

TEST(Commands, ACommandTakesThePlaceOfTheScenesPath) {
  RobotSceneDescription arm = slide("arm", 1, 1000, 100);
  arm.joint_drives[0].path = {{0, 0}, {0.1, 1}, {0.2, -1}};
  Simulation simulation({scene_with(arm)}, {});
  for (int k = 0; k < 5; ++k) simulation.step();
  const double there = simulation.joint_targets(0, "arm")[0];
  EXPECT_NEAR(there, 0.5, 1e-12);  // the middle of a minimum-jerk way
  simulation.set_joint_targets(0, "arm", {there}, 0.01);
  for (int k = 0; k < 400; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().q[0], there, 1e-9);
}

/// The rate of the target is fed forward: a hand that is dragged at a constant speed follows
/// without lag, however often the command is renewed.
TEST(Commands, ARampIsFollowedWithoutLagHoweverItIsCut) {
  const double speed = 0.3;
  for (const int every : {1, 3, 4, 1000}) {
    Scene scene = scene_with(slide("arm", 1, 1000, 200));
    scene.time.step_s = every % 2 == 0 ? 0.01 : 0.003;  // ends of steps and of ways round apart
    Simulation simulation({scene}, {});
    const double t = scene.time.step_s;
    for (int k = 0; k < 1200; ++k) {
      if (k % every == 0)
        simulation.set_joint_targets(0, "arm", {speed * t * (k + every)}, t * every);
      simulation.step();
    }
    EXPECT_NEAR(simulation.state().q[0], speed * t * 1200, 1e-9) << every;
  }
}

TEST(Commands, AnObstacleIsMovedOnAStraightWayAndTheShortestArc) {
  Scene scene = box_scene({0.1, 0.1, 0.05}, {2, 2, 1});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.obstacles.push_back(floor_obstacle(0.5));
  Simulation simulation({scene}, {});
  for (int k = 0; k < 50; ++k) simulation.step();
  const double before = totals(simulation.model(), simulation.state()).centre.z;
  const Pose target{{0, 0, 0.1}, rotation_exp({0, 0, 0.4})};
  simulation.set_frame_target(0, "floor", target, 0.5);
  for (int k = 0; k < 25; ++k) simulation.step();
  const Pose half = simulation.obstacle_poses()[0];
  expect_within(half.position, {0, 0, 0.05}, 1e-15);
  expect_within(half.rotation * Vec3d{1, 0, 0}, {std::cos(0.2), std::sin(0.2), 0}, 1e-14);
  for (int k = 0; k < 75; ++k) simulation.step();
  expect_within(simulation.frame_target(0, "floor").position, target.position, 1e-15);
  EXPECT_NEAR(totals(simulation.model(), simulation.state()).centre.z, before + 0.1, 2e-5);
}

TEST(Commands, AMountAndAPoseDriveTakeWhatTheyHoldAlong) {
  Scene scene = scene_with(slide("arm", 1, 0, 0));
  scene.gravity_m_s2 = {};
  scene.robots[0].joint_drives.clear();
  PoseDriveDescription drive;
  drive.link = "hand";
  drive.stiffness_N_m = 1000;
  drive.damping_N_s_m = 100;
  scene.robots[0].pose_drives.push_back(drive);
  RigidBodyDescription cube;
  cube.name = "cube";
  cube.shape.kind = ShapeKind::sphere;
  cube.shape.radius = 0.01;
  cube.pose.position = {0, 1, 0};
  scene.rigid_bodies.push_back(cube);
  MountDescription mount;
  mount.name = "grip";
  mount.body = "cube";
  mount.path.keys = {{0, {0, 1, 0}, {}}};
  mount.stiffness_N_m = 1000;
  mount.stiffness_Nm_rad = 10;
  mount.damping_s = 0.05;
  scene.mounts.push_back(mount);
  Simulation simulation({scene}, {});
  simulation.set_pose_target(0, "arm", 0, {{0.2, 0, 0}, Mat3d::identity()}, 0.1);
  simulation.set_frame_target(0, "grip", {{0, 1, 0.3}, Mat3d::identity()}, 0.1);
  for (int k = 0; k < 500; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().q[0], 0.2, 1e-6);
  expect_within(simulation.state().frames[0].position, {0, 1, 0.3}, 1e-6);
  expect_within(simulation.pose_target(0, "arm", 0).position, {0.2, 0, 0}, 1e-15);
}

Scene hanging_box() {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {2, 2, 2});
  scene.gravity_m_s2 = {0, 0, -9.81};
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "box";
  grip.node_set = "z_max";
  scene.attachments.push_back(grip);
  return scene;
}

TEST(Commands, WhatIsLetGoFallsFreelyAndIsTakenWhereItIs) {
  const Scene scene = hanging_box();
  Simulation simulation({scene}, {});
  for (int k = 0; k < 5; ++k) simulation.step();
  simulation.set_holding(0, "grip", false);
  const double t = scene.time.step_s;
  const Totals before = totals(simulation.model(), simulation.state());
  for (int k = 0; k < 10; ++k) simulation.step();
  const Totals after = totals(simulation.model(), simulation.state());
  EXPECT_NEAR(after.momentum.z, before.momentum.z - 9.81 * before.mass * 10 * t,
              1e-4 * before.mass);
  simulation.set_holding(0, "grip", true);
  const std::vector<StepRecord>& records = simulation.step();
  // The springs begin without strain: in one step they pull as far as the box falls in it.
  const double n_held = static_cast<double>(scene.soft_bodies[0].mesh.node_sets.at("z_max").size());
  EXPECT_LT(norm(records[0].sensors[0].force_N), 1.01 * 1000 * n_held * 10 * 9.81 * t * 2 * t);
  for (int k = 0; k < 2000; ++k) simulation.step();
  EXPECT_NEAR(simulation.step()[0].sensors[0].force_N.z, -9.81 * before.mass,
              0.02 * 9.81 * before.mass);
  // Held already: nothing is taken anew.
  const State here = simulation.state();
  simulation.set_holding(0, "grip", true);
  EXPECT_NEAR(simulation.step()[0].sensors[0].force_N.z, -9.81 * before.mass,
              0.02 * 9.81 * before.mass);
}

TEST(Commands, OneThatIsNotFiniteFailsItsEnvironmentAlone) {
  constexpr int kBatch = 6;
  std::vector<Scene> scenes;
  for (unsigned e = 0; e < kBatch; ++e) scenes.push_back(random_scene(2 * e));
  Simulation asked(scenes, {}), untouched(scenes, {});
  for (int k = 0; k < 10; ++k) {
    if (k == 4) {
      asked.set_frame_target(2, "ball", {{0, kNaN, 0}, Mat3d::identity()}, 0.02);
      EXPECT_FALSE(asked.failed(2)) << "it fails in its step";
    }
    const std::vector<StepRecord>& records = asked.step();
    untouched.step();
    for (int e = 0; e < kBatch; ++e) {
      const bool fails = e == 2 && k >= 4;
      EXPECT_EQ(asked.failed(e), fails);
      if (!fails) {
        EXPECT_TRUE(same_bits(asked.state(e), untouched.state(e))) << e;
      } else {
        EXPECT_EQ(records[2].solve.status, SolveStatus::not_a_number);
        EXPECT_THAT(records[2].solve.reason, HasSubstr("the target pose of 'ball' is not finite"));
        EXPECT_EQ(records[2].step, 5);
      }
    }
  }
  // Set back, it goes on with the path that it had.
  asked.set_state(2, asked.state(2));
  asked.step();
  EXPECT_FALSE(asked.failed(2));
}

TEST(Commands, OfJointsThatAreNotFiniteAreNamed) {
  Simulation simulation({scene_with(slide("arm", 1, 1000, 100))}, {});
  simulation.set_joint_targets(0, "arm", {std::numeric_limits<double>::infinity()}, 0.1);
  EXPECT_THAT(simulation.step()[0].solve.reason,
              HasSubstr("the targets of robot 'arm' are not finite: [inf]"));
}

TEST(Commands, WhatIsNotThereIsNamed) {
  Scene scene = hanging_box();
  scene.robots.push_back(slide("arm", 1, 1000, 100));
  scene.obstacles.push_back(floor_obstacle(0.3));
  AttachmentDescription by_robot = scene.attachments[0];
  by_robot.name = "hold";
  by_robot.robot = "arm";
  by_robot.link = "hand";
  scene.attachments.push_back(by_robot);
  Simulation s({scene}, {});
  const Pose pose;
  EXPECT_THAT(error_of<InputError>([&] { s.set_joint_targets(0, "amr", {0}, 1); }),
              HasSubstr("robot = amr (must be the name of a robot; did you mean arm?)"));
  EXPECT_THAT(
      error_of<InputError>([&] {
        s.set_joint_targets(0, "arm", {0, 1}, 1);
      }),
      HasSubstr("targets = [0, 1] (must be 1 numbers, one for each joint drive of robot 'arm'"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_joint_targets(0, "arm", {0}, 0); }),
              HasSubstr("reach_s = 0 (must be > 0"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_joint_targets(0, "arm", {0}, kNaN); }),
              HasSubstr("reach_s"));
  EXPECT_THAT(
      error_of<InputError>([&] { s.set_pose_target(0, "arm", 0, pose, 1); }),
      HasSubstr("drive = 0 (must be the place of a pose drive of robot 'arm', which has 0"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_frame_target(0, "flour", pose, 1); }),
              HasSubstr("did you mean floor?"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_frame_target(0, "hold", pose, 1); }),
              HasSubstr("robot 'arm' holds it: command its drives"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_holding(0, "grap", true); }),
              HasSubstr("did you mean grip?"));
  EXPECT_THAT(error_of<InputError>([&] { s.set_holding(1, "grip", true); }),
              HasSubstr("env = 1 (must be in [0, 1), the environments of the simulation"));
  // An attachment named as an obstacle cannot be told from it.
  scene.attachments[0].name = "floor";
  Simulation same({scene}, {});
  EXPECT_THAT(error_of<InputError>([&] { same.set_frame_target(0, "floor", pose, 1); }),
              HasSubstr("two have it: rename one"));
}

TEST(Commands, OfOneStepLengthEachAreTheTargetsOfTheirSteps) {
  // The path of a scene, sampled at the ends of steps and commanded step by step, moves frames as
  // the path does.
  Scene by_path = random_scene(4);
  Simulation path({by_path}, {}), commanded({by_path}, {});
  const double t = by_path.time.step_s;
  for (int k = 0; k < 25; ++k) {
    for (const auto& [name, frame] : {std::pair("ball", by_path.obstacles[1].path),
                                      std::pair("grip", by_path.attachments[0].path)})
      commanded.set_frame_target(0, name, frame.at((k + 1) * t), t);
    path.step();
    commanded.step();
  }
  double difference = 0;
  for (std::size_t i = 0; i < path.state().x.size(); ++i)
    difference = std::max(difference, norm(path.state().x[i] - commanded.state().x[i]));
  EXPECT_LT(difference, 1e-9);
}

}  // namespace
}  // namespace nodia::test

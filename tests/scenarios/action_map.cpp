#include "scenarios/task/action_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/core/rotation.hpp"
#include "tests/scenarios/task_scenario.hpp"

namespace nodia {
namespace {

using test::task_message;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

std::string task_of(const std::string& action) {
  return "{text: t, control_hz: 25, observe: time, action: {" + action + "}}";
}

struct Map {
  explicit Map(const std::string& action)
      : scenario(test::load_task(task_of(action))), map(*scenario.task, scenario.scene) {}

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ActionComponent& c : map.components()) names.push_back(c.name);
    return names;
  }
  AppliedAction apply(const std::vector<double>& action, double now_s = 0) const {
    EXPECT_EQ(action.size(), map.components().size());
    return map.apply(action.data(), map.of_paths(now_s), map.of_paths(now_s + 0.04));
  }

  Scenario scenario;
  ActionMap map;
};

/// Angle between two rotations [rad].
double angle(const Mat3d& a, const Mat3d& b) {
  return norm(rotation_log(a * transpose(b)));
}

TEST(ActionMap, JointPositionsAreTargetsWithinLimits) {
  const Map m(
      "space: joint_position, joints: [base_yaw, base_x], low: {base_yaw: -1}, high: {base_yaw: "
      "2}, "
      "gripper: [finger_left, finger_right]");
  EXPECT_THAT(m.names(), ElementsAre("base_yaw", "base_x", "gripper"));
  const auto& c = m.map.components();
  EXPECT_EQ(c[0].unit, "rad");
  EXPECT_EQ(c[0].low, -1);
  EXPECT_EQ(c[0].high, 2);
  EXPECT_EQ(c[1].unit, "m");
  EXPECT_EQ(c[1].low, -2);
  EXPECT_EQ(c[1].high, 2);
  EXPECT_EQ(c[2].low, 0);
  EXPECT_EQ(c[2].high, 0.06);

  const AppliedAction applied = m.apply({0.5, -1.5, 0.02});
  EXPECT_THAT(applied.targets.joints, ElementsAre(-1.5, 0.5, 0.02, 0.02));
  EXPECT_THAT(applied.clipped, IsEmpty());
  const AppliedAction beyond = m.apply({2.5, 0, -1});
  EXPECT_THAT(beyond.targets.joints, ElementsAre(0, 2, 0, 0));
  EXPECT_THAT(beyond.clipped, ElementsAre(0, 2));
}

TEST(ActionMap, DrivesThatNoComponentMovesFollowTheirPaths) {
  const Map m("space: joint_position, joints: base_yaw, low: {base_yaw: -1}, high: {base_yaw: 1}");
  const AppliedAction applied = m.apply({0.5}, 0.46);
  EXPECT_NEAR(applied.targets.joints[0], 0.05, 1e-15) << "base_x, halfway at 0.5 s";
  EXPECT_EQ(applied.targets.joints[1], 0.5);
  EXPECT_EQ(applied.targets.joints[2], 0.05) << "where the finger stands";
}

TEST(ActionMap, JointDeltasAreAddedToWhatIsWantedNow) {
  const Map m(
      "space: joint_delta, joints: [base_x, base_yaw], bounds_m: 0.02, bounds_rad: 0.1, "
      "high: {base_x: 0.055}, gripper: finger_left");
  const auto& c = m.map.components();
  EXPECT_EQ(c[0].low, -0.02);
  EXPECT_EQ(c[0].high, 0.02);
  EXPECT_EQ(c[1].high, 0.1);
  const AppliedAction applied = m.apply({-0.01, 0.1, 0.03}, 0.5);
  EXPECT_THAT(applied.targets.joints, Pointwise(DoubleNear(1e-15), {0.04, 0.1, 0.03, 0.05}));
  EXPECT_THAT(applied.clipped, IsEmpty());
  const AppliedAction beyond = m.apply({0.01, 0.2, 0.03}, 0.5);
  EXPECT_EQ(beyond.targets.joints[0], 0.055) << "the target's own bound";
  EXPECT_EQ(beyond.targets.joints[1], 0.1);
  EXPECT_THAT(beyond.clipped, ElementsAre(0, 1));
}

TEST(ActionMap, PoseTurnsFromWhereTheEpisodeBegan) {
  const Map m("space: pose, frame: hand, low_m: [-1, -1, 0], high_m: [1, 1, 1], bounds_rad: 1.5");
  EXPECT_THAT(m.names(),
              ElementsAre("hand.x", "hand.y", "hand.z", "hand.rx", "hand.ry", "hand.rz"));
  const Pose start = m.map.at_start().frames[0];
  const AppliedAction applied = m.apply({0.1, 0.2, 0.3, 0, 0.5, 0}, 0.5);
  const Pose& pose = applied.targets.frames[0];
  EXPECT_EQ(pose.position.x, 0.1);
  EXPECT_EQ(pose.position.z, 0.3);
  EXPECT_LT(angle(pose.rotation, rotation_exp({0, 0.5, 0}) * start.rotation), 1e-14);
  EXPECT_THAT(applied.clipped, IsEmpty());
  const AppliedAction beyond = m.apply({0, 0, -1, 2, 0, 0});
  EXPECT_EQ(beyond.targets.frames[0].position.z, 0);
  EXPECT_LT(angle(beyond.targets.frames[0].rotation, rotation_exp({1.5, 0, 0}) * start.rotation),
            1e-14);
  EXPECT_THAT(beyond.clipped, ElementsAre(2, 3));
}

TEST(ActionMap, PoseDeltasMoveAndTurnInWorldAxes) {
  const Map m(
      "space: pose_delta, frame: hand, bounds_m: 0.02, bounds_rad: 0.1, low_m: [-1, -1, 0.59], "
      "high_m: [1, 1, 1], gripper: finger_left");
  const Pose now = m.map.of_paths(0.5).frames[0];
  const AppliedAction applied = m.apply({0.01, -0.02, 0, 0.1, 0, 0, 0.03}, 0.5);
  const Pose& pose = applied.targets.frames[0];
  EXPECT_NEAR(pose.position.x, now.position.x + 0.01, 1e-16);
  EXPECT_NEAR(pose.position.y, now.position.y - 0.02, 1e-16);
  EXPECT_LT(angle(pose.rotation, rotation_exp({0.1, 0, 0}) * now.rotation), 1e-14);
  EXPECT_EQ(applied.targets.joints[2], 0.03);
  const AppliedAction beyond = m.apply({0, 0, -0.015, 0, 0, -1, 0.03}, 0.5);
  EXPECT_EQ(beyond.targets.frames[0].position.z, 0.59);
  EXPECT_THAT(beyond.clipped, ElementsAre(2, 5));
}

TEST(ActionMap, WithoutABoundFramesDoNotTurn) {
  const Map m("space: pose_delta, frame: [hand, soft], bounds_m: 0.02");
  EXPECT_THAT(m.names(), ElementsAre("hand.x", "hand.y", "hand.z", "soft.x", "soft.y", "soft.z"));
  EXPECT_THAT(m.map.pose_drives(), ElementsAre(0, 1));
  const AppliedAction applied = m.apply({0, 0, 0.01, 0, 0.01, 0}, 0.5);
  const ActionTargets now = m.map.of_paths(0.5);
  EXPECT_EQ(applied.targets.frames[0].rotation(0, 0), now.frames[0].rotation(0, 0));
  EXPECT_EQ(applied.targets.frames[1].position.y, now.frames[1].position.y + 0.01);
}

TEST(ActionMap, PickersMoveFramesAndHold) {
  const Map m("space: picker, frame: [grip, plate], bounds_m: 0.05");
  EXPECT_THAT(m.names(), ElementsAre("grip.x", "grip.y", "grip.z", "grip.hold", "plate.x",
                                     "plate.y", "plate.z"));
  EXPECT_EQ(m.map.robot(), -1);
  EXPECT_THAT(m.map.attachments(), ElementsAre("grip"));
  const AppliedAction applied = m.apply({0.05, 0, 0, 0.4, 0, 0, -0.05}, 0.5);
  EXPECT_NEAR(applied.targets.frames[0].position.x, 0.37, 1e-15);
  EXPECT_NEAR(applied.targets.frames[1].position.z, 0.2, 1e-15);
  EXPECT_THAT(applied.targets.holding, ElementsAre(0));
  EXPECT_THAT(m.apply({0, 0, 0, 0.6, 0, 0, 0}).targets.holding, ElementsAre(1));
}

TEST(ActionMap, AttachmentsHoldBesideEverySpace) {
  const Map m("space: pose_delta, frame: hand, bounds_m: 0.02, hold: grip, gripper: finger_left");
  EXPECT_THAT(m.names(), ElementsAre("hand.x", "hand.y", "hand.z", "grip.hold", "gripper"));
  EXPECT_EQ(m.map.components()[3].low, 0);
  EXPECT_EQ(m.map.components()[3].high, 1);
  const AppliedAction applied = m.apply({0, 0, 0, 0.5, 0.03});
  EXPECT_THAT(applied.targets.holding, ElementsAre(0));
  EXPECT_EQ(applied.targets.joints[2], 0.03);
  EXPECT_THAT(m.apply({0, 0, 0, 0.51, 0.03}).targets.holding, ElementsAre(1));
  EXPECT_THAT(m.apply({0, 0, 0, 7, 0.03}).clipped, ElementsAre(3));

  const Map joints("joints: base_x, hold: [grip]");
  EXPECT_THAT(joints.names(), ElementsAre("base_x", "grip.hold"));
  EXPECT_THAT(joints.apply({0, 0}).targets.holding, ElementsAre(0));
  const Map picker("space: picker, frame: plate, bounds_m: 0.05, hold: grip");
  EXPECT_THAT(picker.names(), ElementsAre("plate.x", "plate.y", "plate.z", "grip.hold"));
}

TEST(ActionMap, AttachmentsLetGoWithTheScenesTime) {
  Map m("joints: base_x, hold: grip");
  m.scenario.scene.attachments[0].release_time_s = 0.5;
  EXPECT_THAT(m.map.of_paths(0.5).holding, ElementsAre(1)) << "up to there";
  EXPECT_THAT(m.map.of_paths(0.54).holding, ElementsAre(0));
  EXPECT_EQ(m.map.action_to(m.map.of_paths(0.54), m.map.of_paths(0.5))[1], 0);
}

TEST(ActionMap, AnActionOfThePathsGoesAlongThem) {
  for (const char* action :
       {"space: joint_position, joints: base_x, gripper: finger_left",
        "space: joint_delta, joints: base_x, bounds_m: 0.02, gripper: [finger_left, finger_right]",
        "space: pose, frame: hand, low_m: [-1, -1, 0], high_m: [1, 1, 1], bounds_rad: 1",
        "space: pose_delta, frame: hand, bounds_m: 0.02, bounds_rad: 0.1",
        "space: picker, frame: [plate, grip], bounds_m: 0.02",
        "joints: base_x, hold: grip, gripper: finger_left",
        "space: picker, frame: plate, bounds_m: 0.02, hold: grip"}) {
    const Map m(action);
    for (const double now_s : {0.0, 0.3, 0.98}) {
      const ActionTargets now = m.map.of_paths(now_s), wanted = m.map.of_paths(now_s + 0.04);
      const std::vector<double> made = m.map.action_to(wanted, now);
      const AppliedAction applied = m.map.apply(made.data(), now, wanted);
      EXPECT_THAT(applied.clipped, IsEmpty()) << action;
      EXPECT_THAT(applied.targets.joints, Pointwise(DoubleNear(1e-15), wanted.joints)) << action;
      EXPECT_EQ(applied.targets.holding, wanted.holding);
      for (std::size_t f = 0; f < wanted.frames.size(); ++f) {
        EXPECT_LT(norm(applied.targets.frames[f].position - wanted.frames[f].position), 1e-15);
        EXPECT_LT(angle(applied.targets.frames[f].rotation, wanted.frames[f].rotation), 1e-14);
      }
    }
  }
}

TEST(ActionMap, AnActionOfFastPathsIsCut) {
  const Map m("space: joint_delta, joints: base_x, bounds_m: 0.001");
  const ActionTargets now = m.map.of_paths(0.5), wanted = m.map.of_paths(0.54);
  ASSERT_GT(wanted.joints[0] - now.joints[0], 0.005);
  EXPECT_THAT(m.map.action_to(wanted, now), ElementsAre(0.001));
}

TEST(ActionMap, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& action) { return task_message(task_of(action)); };
  EXPECT_THAT(refused("robot: arms"), HasSubstr("task.action.robot = arms (must be the name of a "
                                                "robot; did you mean arm?)"));
  EXPECT_THAT(refused("joints: [base_x, base_yow]"),
              HasSubstr("task.action.joints.1 = base_yow (must be a joint with a drive; did you "
                        "mean base_yaw?)"));
  EXPECT_THAT(refused("joints: [base_x, base_pitch]"),
              HasSubstr("task.action.joints.1 = base_pitch (must have a drive; add "
                        "robots.arm.joint_drives.base_pitch)"));
  EXPECT_THAT(refused("space: pose_delta, frame: hand, bounds_m: 0.02, gripper: base_roll"),
              HasSubstr("task.action.gripper = base_roll (must have a drive; add "
                        "robots.arm.joint_drives.base_roll)"));
  EXPECT_THAT(refused("joints: base_x, gripper: finger_lift"),
              HasSubstr("task.action.gripper = finger_lift (must be a joint with a drive; did you "
                        "mean finger_left?)"));
  EXPECT_THAT(refused("joints: tool_joint"), HasSubstr("(must be a joint with a drive"))
      << "it is fixed: a drive is no help";
  EXPECT_THAT(refused("joints: [base_x, base_x]"), HasSubstr("named once"));
  EXPECT_THAT(refused("joints: base_x, gripper: base_x"),
              HasSubstr("task.action.gripper = base_x"));
  EXPECT_THAT(refused("joints: base_yaw"),
              HasSubstr("task.action.low.base_yaw is missing (the joint has no limit)"));
  EXPECT_THAT(refused("joints: base_x, low: {base_x: 3}"),
              HasSubstr("task.action.low.base_x = 3 (must be < 2)"));
  EXPECT_THAT(refused("joints: base_x, low: {base_y: 0}"),
              HasSubstr("task.action.low.base_y = 0 (must be a joint of the action; did you mean "
                        "base_x?)"));
  EXPECT_THAT(refused("joints: base_x, bounds_m: 1"),
              HasSubstr("task.action.bounds_m (must be left out"));
  EXPECT_THAT(refused("joints: base_x, frame: hand"),
              HasSubstr("task.action.frame (must be left out"));
  EXPECT_THAT(refused("space: joint_delta, joints: base_x"),
              HasSubstr("task.action.bounds_m is missing (base_x needs it)"));
  EXPECT_THAT(refused("space: joint_delta, joints: base_x, bounds_m: 1, bounds_rad: 1"),
              HasSubstr("no joint turns"));
  EXPECT_THAT(
      refused("joints: base_x, gripper: [finger_left, base_yaw]"),
      HasSubstr("task.action.gripper.1 = base_yaw (must be joints that all slide or all turn"));
  EXPECT_THAT(refused("space: pose"), HasSubstr("task.action.frame is missing"));
  EXPECT_THAT(refused("space: pose, frame: hund, low_m: [0, 0, 0], high_m: [1, 1, 1]"),
              HasSubstr("task.action.frame = hund (must be a pose drive of the robot; did you mean "
                        "hand?)"));
  EXPECT_THAT(refused("space: pose, frame: hand, low_m: [0, 0, 0]"),
              HasSubstr("task.action.high_m is missing"));
  EXPECT_THAT(refused("space: pose, frame: hand, low_m: [0, 1, 0], high_m: [1, 1, 1]"),
              HasSubstr("task.action.low_m.1 = 1 (must be < high_m = 1)"));
  EXPECT_THAT(refused("space: pose_delta, frame: soft, bounds_m: 0.1, bounds_rad: 0.1"),
              HasSubstr("task.action.frame = soft (must be a drive with stiffness_Nm_rad"));
  EXPECT_THAT(refused("space: pose_delta, frame: hand"),
              HasSubstr("task.action.bounds_m is missing"));
  EXPECT_THAT(refused("space: pose_delta, frame: hand, bounds_m: 1, low: {base_x: 0}"),
              HasSubstr("task.action.low (must be left out; no joint is moved)"));
  EXPECT_THAT(refused("space: picker, frame: plat, bounds_m: 1"), HasSubstr("did you mean plate?"));
  EXPECT_THAT(refused("space: picker, robot: arm, frame: plate, bounds_m: 1"),
              HasSubstr("task.action.robot (must be left out"));
  EXPECT_THAT(refused("space: picker, frame: plate, bounds_m: 1, gripper: finger_left"),
              HasSubstr("task.action.gripper (must be left out"));
  EXPECT_THAT(refused("space: picker, frame: plate, bounds_m: 1, bounds_rad: 1"),
              HasSubstr("picker does not turn"));
  EXPECT_THAT(refused("joints: base_x, hold: grap"),
              HasSubstr("task.action.hold = grap (must be the name of an attachment; did you mean "
                        "grip?)"));
  EXPECT_THAT(refused("joints: base_x, hold: [grip, grip]"), HasSubstr("named once"));
  EXPECT_THAT(refused("space: picker, frame: grip, bounds_m: 1, hold: grip"),
              HasSubstr("task.action.hold = grip (must be no frame"));
  EXPECT_THAT(refused("space: joints"), HasSubstr("must be one of joint_position, joint_delta"));
}

}  // namespace
}  // namespace nodia

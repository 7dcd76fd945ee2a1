#include "scenarios/task/idle_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/task_scenario.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

/// What is told of a task with this action; empty where nothing is.
template <class Change>
std::string told(const std::string& action, Change change) {
  Scenario scenario =
      test::load_task("{text: t, control_hz: 25, observe: time, action: {" + action + "}}");
  change(scenario);
  return idle_script(*scenario.task, scenario.scene).value_or("");
}
std::string told(const std::string& action) {
  return told(action, [](Scenario&) {});
}

const std::string kYaw = "joints: base_yaw, low: {base_yaw: -1}, high: {base_yaw: 1}";

TEST(IdleScript, IsOneWhereNothingThatAnActionMovesHasAPath) {
  EXPECT_EQ(told(kYaw),
            "task.policy: the script has no path to follow, and its actions move nothing (give "
            "robots.arm.joint_drives.base_yaw a path, or name a class of Python or a log as "
            "task.policy)")
      << "base_x has a path, and is not moved by actions";
  EXPECT_THAT(told(kYaw + ", gripper: [finger_left, finger_right]"), HasSubstr("base_yaw a path"));
  EXPECT_THAT(told("space: pose_delta, frame: soft, bounds_m: 0.02"),
              HasSubstr("give robots.arm.pose_drives.soft a path"));
  EXPECT_THAT(told("space: picker, frame: floor, bounds_m: 0.02"),
              HasSubstr("give obstacles.floor a path"));
  EXPECT_THAT(told("space: picker, frame: grip, bounds_m: 0.02"),
              HasSubstr("give attachments.grip a path"));
}

TEST(IdleScript, OnePathIsEnough) {
  EXPECT_EQ(told("joints: base_x"), "");
  EXPECT_EQ(told("space: joint_delta, bounds_m: 0.1, bounds_rad: 0.1"), "") << "all joints";
  EXPECT_EQ(told("space: pose_delta, frame: hand, bounds_m: 0.02"), "");
  EXPECT_EQ(told("space: picker, frame: [grip, plate], bounds_m: 0.02"), "");
  EXPECT_EQ(told(kYaw + ", gripper: finger_left",
                 [](Scenario& s) {
                   s.scene.robots[0].joint_drives[2].path = {{0, 0.01}};
                 }),
            "")
      << "a single key is a target elsewhere";
}

TEST(IdleScript, WhatLetsGoMoves) {
  EXPECT_THAT(told(kYaw + ", hold: grip"), HasSubstr("no path"));
  EXPECT_EQ(
      told(kYaw + ", hold: grip", [](Scenario& s) { s.scene.attachments[0].release_time_s = 0.5; }),
      "");
}

TEST(IdleScript, OtherPoliciesNeedNoPath) {
  for (const char* policy : {"grasp.py:Grasp", "actions.csv"})
    EXPECT_EQ(told(kYaw, [&](Scenario& s) { s.task->policy = policy; }), "") << policy;
}

}  // namespace
}  // namespace nodia

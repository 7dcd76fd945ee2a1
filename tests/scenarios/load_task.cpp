/// The block `task` of scenario files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/task/action_map.hpp"
#include "scenarios/task/observables.hpp"
#include "tests/scenarios/task_scenario.hpp"

namespace nodia {
namespace {

using test::task_message;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

const std::string kAction = "action: {joints: base_x}";

std::string with_keys(const std::string& keys) {
  return "{text: lift it, " + kAction + ", " + keys + "}";
}

TEST(LoadTask, ReadsEveryKeyAndResolvesToTheSame) {
  const Scenario read = test::load_task(with_keys(
      "control_hz: 25, observe: [arm.joints, block.nodes], settle: {speed_m_s: 0.01, at_most_s: "
      "2}, "
      "success: {check: drift, body: block, bound_m_s: 0.02, for_s: 0.2}, reward: success"));
  ASSERT_TRUE(read.task);
  const TaskDescription& task = *read.task;
  EXPECT_EQ(task.text, "lift it");
  EXPECT_EQ(task.control_hz, 25);
  EXPECT_THAT(task.action.joints, ElementsAre("base_x"));
  EXPECT_THAT(task.observe, ElementsAre("arm.joints", "block.nodes"));
  EXPECT_EQ(task.settle->speed_m_s, 0.01);
  EXPECT_EQ(task.settle->at_most_s, 2);
  EXPECT_EQ(task.success->for_s, 0.2);
  EXPECT_EQ(std::get<Timeless<Drift>>(task.success->kind).check.bound_m_s, 0.02);
  EXPECT_EQ(task.policy, "script");
  EXPECT_EQ(steps_per_action(task, read.scene), 4);
  EXPECT_EQ(actions_per_episode(task, read.scene), 25);
  const test::ScenarioFile copy(read.resolved_yaml);
  EXPECT_EQ(load_scenario(copy.path()).resolved_yaml, read.resolved_yaml);
}

TEST(LoadTask, IsAbsentWhereTheFileHasNone) {
  EXPECT_FALSE(load_scenario(test::ScenarioFile().path()).task);
}

TEST(LoadTask, RefusesARateThatIsNoWholeNumberOfSteps) {
  const auto message = [](const std::string& hz) {
    return task_message(with_keys("observe: time, control_hz: " + hz));
  };
  EXPECT_THAT(message("30"),
              HasSubstr("task.control_hz = 30 (must be 1/(time.step_s = 0.01 times a "
                        "whole number); nearest: 33.3333 or 25)"));
  EXPECT_THAT(message("200"), HasSubstr("at most 100"));
  EXPECT_THAT(message("0"), HasSubstr("task.control_hz = 0 (must be > 0"));
  for (const char* rate : {"33.333333333333", "33.3333", "14.2857"})  // as printed
    EXPECT_EQ(message(rate), "") << rate;
  EXPECT_EQ(message("100"), "");
}

TEST(LoadTask, RefusesWhatTheSceneDoesNotHave) {
  const auto message = [](const std::string& keys) {
    return task_message(with_keys("control_hz: 25, " + keys));
  };
  EXPECT_THAT(message("observe: [time, arm.joint]"),
              HasSubstr("task.observe.1 = arm.joint (must be something that can be observed; did "
                        "you mean arm.joints?)"));
  EXPECT_THAT(message("observe: [block]"),
              HasSubstr("task.observe = [block] (must be something that can be observed; block has "
                        "block.nodes, block.velocities, block.centre, block.contact_force)"));
  EXPECT_THAT(message("observe: [blok]"), HasSubstr("; block has block.nodes, block.velocities,"));
  EXPECT_THAT(
      message("observe: arm"),
      HasSubstr("; arm has arm.contact_force, arm.joints, arm.joint_velocities, arm.effort, "
                "arm.joint_targets, arm.wrist, arm."))
      << "sensors before the links, which are many";
  EXPECT_THAT(message("observe: arm"), EndsWith(" and 4 more)"));
  EXPECT_THAT(message("observe: tme"), HasSubstr("did you mean time?"));
  EXPECT_THAT(message("observe: grip.froce"), HasSubstr("did you mean grip.force?"));
  EXPECT_THAT(message("observe: arm.wirst"), HasSubstr("did you mean arm.wrist?"));
  EXPECT_THAT(message("observe: block.pose"), HasSubstr("did you mean block.nodes?"))
      << "of the block, not the pose of another";
  EXPECT_THAT(message("observe: bloc.nodes"), HasSubstr("did you mean block.nodes?"));
  EXPECT_THAT(message("observe: [time, time]"), HasSubstr("named once"));
  EXPECT_THAT(message("observe: []"), HasSubstr("task.observe (must have a name at least"));
  EXPECT_THAT(message("observe: {a: 1}"), HasSubstr("a name, or names in brackets"));
  EXPECT_THAT(
      message("observe: time, success: {check: node_position, body: blok, above_m: 1}"),
      HasSubstr("task.success.body = blok (must be the name of a body; did you mean block?)"));
  EXPECT_THAT(message("observe: time, success: {check: node_position, body: block}"),
              HasSubstr("must have above_m or below_m"));
  EXPECT_THAT(message("observe: time, success: {check: reference_csv, sensor: wrist}"),
              HasSubstr("task.success.check = reference_csv (must be one of"));
  EXPECT_THAT(
      message("observe: time, success: {check: node_position, body: block, above_m: 1, at_s: 1}"),
      HasSubstr("task.success.at_s = 1 (unknown key"));
  EXPECT_THAT(message("observe: time, success: {check: drift, body: block, to_s: 1}"),
              HasSubstr("task.success.to_s = 1 (unknown key"));
  EXPECT_THAT(message("observe: time, reward: shortfall"), HasSubstr("task.reward = shortfall"));
  EXPECT_THAT(message("observe: time, reward: shortfall, success: {check: drift, body: block}"),
              HasSubstr("task.reward = shortfall"));
  EXPECT_THAT(message("observe: time, settle: {speed_m_s: 0}"),
              HasSubstr("task.settle.speed_m_s = 0 (must be > 0"));
  EXPECT_THAT(task_message("{control_hz: 25}"), HasSubstr("task.text is missing"));
}

TEST(LoadTask, SuccessMayAskForMore) {
  const std::string base = "control_hz: 25, observe: time, ";
  const std::string success =
      "success: {check: node_position, body: block, above_m: 1, for_s: 0.1}";
  const Scenario read = test::load_task(with_keys(
      base + success +
      ", success_also: {still: {check: drift, body: block, bound_m_s: 0.02}, flat: {check: "
      "node_position, body: block, of: highest, below_m: 2}}"));
  const std::vector<SuccessCondition>& also = read.task->success_also;
  ASSERT_EQ(also.size(), 2u);
  EXPECT_EQ(also[0].name, "still");
  EXPECT_EQ(std::get<Timeless<Drift>>(also[0].kind).check.bound_m_s, 0.02);
  EXPECT_EQ(success_steps(*read.task, read.task->success->kind, read.scene), 10);
  EXPECT_EQ(success_steps(*read.task, also[0].kind, read.scene), 12) << "whole control steps";
  EXPECT_EQ(success_steps(*read.task, read.scene), 12);
  const test::ScenarioFile copy(read.resolved_yaml);
  EXPECT_EQ(load_scenario(copy.path()).resolved_yaml, read.resolved_yaml);

  EXPECT_THAT(task_message(with_keys(base + "success_also: {still: {check: drift, body: block}}")),
              HasSubstr("task.success_also (must be left out; there is no success)"));
  EXPECT_THAT(task_message(with_keys(base + success +
                                     ", success_also: {still: {check: drift, body: blok}}")),
              HasSubstr("task.success_also.still.body = blok (must be"));
  EXPECT_THAT(
      task_message(with_keys(base + success +
                             ", success_also: {still: {check: drift, body: block, for_s: 1}}")),
      HasSubstr("task.success_also.still.for_s = 1 (unknown key"));
}

TEST(LoadTask, APolicyIsAFileBesideTheScenario) {
  test::ScenarioFile file(
      test::task_scenario(with_keys("control_hz: 25, observe: time, policy: own.py:Lift")));
  EXPECT_THAT(test::message(file), HasSubstr("there is no file"));
  std::ofstream(file.folder().file("own.py")) << "class Lift: pass\n";
  EXPECT_EQ(load_scenario(file.path()).task->policy, file.folder().file("own.py") + ":Lift");
  for (const std::string end : {"", ":"})
    EXPECT_THAT(test::message(file, {"task.policy='" + file.folder().file("own.py") + end + "'"}),
                HasSubstr("task.policy = own.py" + end +
                          " (must be FILE.py:CLASS; name the class behind a colon)"));
  EXPECT_THAT(test::message(file, {"task.policy=''"}),
              HasSubstr("must be script, FILE.py:CLASS or the file of a log"));
  std::ofstream(file.folder().file("log.csv")) << "0\n";
  EXPECT_EQ(
      load_scenario(file.path(), {"task.policy=" + file.folder().file("log.csv")}).task->policy,
      file.folder().file("log.csv"));
}

TEST(LoadTask, CannotBeDrawnForABatch) {
  test::ScenarioFile file(test::task_scenario(with_keys("control_hz: 25, observe: time")) +
                          "randomize:\n  task.control_hz: [25, 50]\n");
  try {
    load_batch(file.path(), {"environments=2"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("randomize.task.control_hz"));
  }
}

TEST(Observables, HaveTheirShapesAndFiniteBounds) {
  const Scene scene = test::load_task(with_keys("control_hz: 25, observe: time")).scene;
  const auto find = [&](const std::string& name) {
    return observables(scene, {name}, "task.observe").front();
  };
  EXPECT_THAT(find("block.nodes").shape, ElementsAre(8, 3));
  EXPECT_THAT(find("block.velocities").shape, ElementsAre(8, 3));
  EXPECT_THAT(find("block.centre").shape, ElementsAre(3));
  EXPECT_THAT(find("block.contact_force").shape, ElementsAre(3));
  EXPECT_THAT(find("arm.joints").shape, ElementsAre(8));
  EXPECT_EQ(find("arm.joints").unit, "m,m,m,rad,rad,rad,m,m");
  EXPECT_EQ(find("arm.joint_velocities").unit.substr(0, 8), "m/s,m/s,");
  EXPECT_THAT(find("arm.effort").shape, ElementsAre(8));
  EXPECT_EQ(find("arm.effort").unit, "N,N,N,N m,N m,N m,N,N");
  EXPECT_THAT(find("arm.joint_targets").shape, ElementsAre(4));
  EXPECT_THAT(find("arm.wrist").shape, ElementsAre(6));
  EXPECT_THAT(find("arm.palm").shape, ElementsAre(7));
  EXPECT_THAT(find("plate.pose").shape, ElementsAre(7));
  EXPECT_THAT(find("grip.force").shape, ElementsAre(6));
  EXPECT_THAT(find("grip.pose").shape, ElementsAre(7));
  for (const Observable& o : observables(scene)) {
    ASSERT_EQ(o.low.size(), o.high.size()) << o.name;
    EXPECT_TRUE(o.low.size() == 1 || static_cast<int>(o.low.size()) == o.shape.back()) << o.name;
    for (std::size_t k = 0; k < o.low.size(); ++k) {
      EXPECT_TRUE(std::isfinite(o.low[k]) && std::isfinite(o.high[k])) << o.name;
      EXPECT_LT(o.low[k], o.high[k]) << o.name;
    }
  }
}

}  // namespace
}  // namespace nodia

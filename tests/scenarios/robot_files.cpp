/// Robots from files of other programs: what is repaired and ignored in them is a warning, and
/// their base can be free.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using test::ScenarioFile;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class RobotFiles : public ::testing::Test {
 protected:
  /// A scenario with a robot of one hinged link over a floor.
  ScenarioFile file(const std::string& izz, const std::string& robot_keys = "") const {
    std::ofstream(folder_.file("robot.urdf")) << R"(<robot name="walker">
  <link name="trunk">
    <inertial><mass value="3"/><inertia ixx="0.02" iyy="0.02" izz="0.02"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
  </link>
  <link name="tail"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz=")" +
                                                     izz + R"("/></inertial></link>
  <joint name="wag" type="continuous"><parent link="trunk"/><child link="tail"/>
    <origin xyz="0 0 0.1"/><axis xyz="0 0 1"/><dynamics damping="0.1" friction="0.3"/></joint>
</robot>)";
    return ScenarioFile(
        "name: walker\ntime: {step_s: 0.002, duration_s: 1}\nrobots:\n  walker:\n    urdf: " +
        folder_.file("robot.urdf") + "\n    position_m: [0, 0, 0.11]\n" + robot_keys +
        "obstacles:\n  floor: {shape: half_space}\n");
  }

  test::TemporaryFolder folder_;
};

TEST_F(RobotFiles, WhatIsRepairedOrIgnoredIsAWarning) {
  std::vector<std::string> warnings;
  for (const ScenarioWarning& warning : load_scenario(file("0.03").path()).warnings)
    warnings.push_back(warning.text);
  EXPECT_THAT(warnings, ElementsAre(EndsWith("joint 'wag': friction = 0.3 is ignored"),
                                    HasSubstr("link 'tail': principal moments of inertia")));
  for (const std::string& warning : warnings)
    EXPECT_THAT(warning, StartsWith("robots.walker.urdf: " + folder_.file("robot.urdf")));
}

TEST_F(RobotFiles, RepairNoneRefusesWhatCouldBeRepaired) {
  try {
    load_scenario(file("0.03", "    repair: none\n").path());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("link 'tail': greatest principal moment of inertia"));
  }
  load_scenario(file("0.015", "    repair: none\n").path());
}

/// It falls by a centimetre, lands, and the floor carries the weight of both links.
TEST_F(RobotFiles, AFreeBaseFallsAndStands) {
  const Scenario scenario = load_scenario(file("0.01", "    base: free\n").path());
  Simulation simulation({scenario.scene}, scenario.solver);
  const double t = scenario.scene.time.step_s;
  for (int k = 1; k <= 10; ++k) {
    simulation.step();
    // The implicit Euler scheme: z after k steps is g t^2 k (k + 1)/2.
    EXPECT_NEAR(simulation.state().q[2], -9.81 * t * t * k * (k + 1) / 2, 1e-9);
  }
  double force = 0;
  for (int k = 10; k < 300; ++k) {
    simulation.step([&](const StepView& view) {
      force = 0;
      for (const Vec3d& f : view.lambda())  // normal component first
        force += f.x;
    });
  }
  EXPECT_NEAR(simulation.state().q[2], -0.01, 1e-4);
  EXPECT_NEAR(force, 4 * 9.81, 4 * 9.81 * 1e-3);
}

TEST_F(RobotFiles, NoDriveActsAtAJointWithoutAnActuator) {
  const auto refusal = [&](const std::string& keys) {
    try {
      load_scenario(file("0.01", "    base: free\n" + keys).path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(refusal("    pose_drives: {hand: {link: tail, stiffness_N_m: 10}}\n"),
              HasSubstr("base.x has no actuator that could pull at the world"));
  EXPECT_EQ(refusal("    joint_drives: {wag: {stiffness: 10}}\n"), "no error");
}

}  // namespace
}  // namespace nodia

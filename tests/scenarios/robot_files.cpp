/// Robots from files of other programs: what is repaired and ignored in them is a warning, and
/// their base can be free.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/simulation/simulation.hpp"
#include "kernels/core/key.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/dataset/assets.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/triangle_meshes.hpp"

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

/// No force moves the trunk, so that a contact of it with the floor would have no solution.
TEST_F(RobotFiles, AFixedLinkInTheFloorIsInNoContact) {
  const Scenario scenario =
      load_scenario(file("0.01").path(), {"robots.walker.position_m=[0, 0, 0.05]"});
  Simulation simulation({scenario.scene}, scenario.solver);
  for (int k = 0; k < 3; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.contacts().size(), 0U);
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged);
    });
}

/// A ball that turns about a vertical axis touches the floor on this axis, where no joint moves it.
TEST_F(RobotFiles, APointOnTheAxisOfItsHingeIsInNoContact) {
  std::ofstream(folder_.file("top.urdf")) << R"(<robot name="top"><link name="base"/>
  <link name="ball"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="spin" type="continuous"><parent link="base"/><child link="ball"/><axis xyz="0 0 1"/></joint>
</robot>)";
  for (const double z : {0.1, 0.0999, 0.05}) {
    const ScenarioFile file(
        fmt::format("name: top\nrobots:\n  top: {{urdf: {}, position_m: [0, 0, {}], "
                    "orientation_wxyz: [0.6, 0, 0, "
                    "0.8]}}\nobstacles:\n  floor: {{shape: half_space}}\npushes:\n  turn: {{body: "
                    "top, link: ball, "
                    "force_N: [1, 0, 0], from_s: 0, duration_s: 1}}\n",
                    folder_.file("top.urdf"), z));
    for (const char* solver : {"auto", "cond", "pgs"}) {
      Scenario scenario = load_scenario(file.path());
      scenario.solver.solver = solver;
      Simulation simulation({scenario.scene}, scenario.solver);
      for (int k = 0; k < 3; ++k)
        simulation.step([&](const StepView& view) {
          EXPECT_EQ(view.contacts().size(), 0U) << z << " " << solver;
          EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << z << " " << solver;
        });
    }
  }
}

TEST_F(RobotFiles, AUrdfFileOfAPackageIsFoundByThePackagesFolder) {
  const ScenarioFile scenario = file("0.01");
  const std::string named = "robots.walker.urdf=package://robots/robot.urdf";
  const Scenario loaded =
      load_scenario(scenario.path(), {named, "packages.robots=" + folder_.file("")});
  EXPECT_EQ(loaded.scene.robots.front().robot.name, "walker");
  EXPECT_THAT(loaded.resolved_yaml, HasSubstr("urdf: \"" + folder_.file("robot.urdf")));
  try {
    load_scenario(scenario.path(), {named});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("robots.walker.urdf = package://robots/robot.urdf (must be a file of a "
                          "package in `packages`; name the package's folder with"));
  }
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

/// Names that other programs give to joints: with dots, digits first, blanks, words of YAML.
TEST_F(RobotFiles, AJointHasAnyNameThatUrdfAllows) {
  for (const std::string name :
       {"joint_0.0", "1st", "left hand", "a=b", "true", "12", "x: y", "#1", "arm/elbow", "\u00fc",
        "[0]", "it's", "say \"go\"", "a.\"b\".c", "-"}) {
    SCOPED_TRACE(name);
    std::string attribute = name;
    for (std::size_t at; (at = attribute.find('"')) != std::string::npos;)
      attribute.replace(at, 1, "&quot;");
    file("0.01");
    std::string urdf = test::text_of(folder_.file("robot.urdf"));
    urdf.replace(urdf.find("wag"), 3, attribute);
    std::ofstream(folder_.file("named.urdf")) << urdf;
    const std::string key = nlohmann::json(name).dump();  // a JSON string is a YAML string
    const ScenarioFile scenario(
        "name: named\nrobots:\n  walker:\n    urdf: " + folder_.file("named.urdf") + "\n    q: {" +
        key + ": 0.25}\n    joint_drives:\n      " + key + ": {stiffness: 3}\n");
    const auto check = [&](const Scenario& read, double q, double stiffness) {
      const RobotSceneDescription& robot = read.scene.robots[0];
      ASSERT_EQ(robot.joint_drives.size(), 1u);
      EXPECT_EQ(robot.joint_drives[0].joint, name);
      EXPECT_EQ(robot.joint_drives[0].stiffness, stiffness);
      EXPECT_EQ(robot.q[0], q);
    };
    const Scenario plain = load_scenario(scenario.path());
    check(plain, 0.25, 3);
    check(load_scenario(ScenarioFile(plain.resolved_yaml).path()), 0.25, 3);
    const std::string robot = "robots.walker.";
    check(
        load_scenario(scenario.path(), {robot + "q." + key_word(name) + "=0.5",
                                        robot + "joint_drives." + key_word(name) + ".stiffness=7"}),
        0.5, 7);
    // Values of joints are drawn like others.
    const ScenarioFile drawn(test::text_of(scenario.path()) + "randomize:\n  " +
                             nlohmann::json(robot + "q." + key_word(name)).dump() +
                             ": [0.1, 0.2]\n");
    const double q = load_scenario(drawn.path(), {}, DrawSeed(3)).scene.robots[0].q[0];
    EXPECT_GT(q, 0.1);
    EXPECT_LT(q, 0.2);
  }
}

class Packages : public RobotFiles {
 protected:
  Packages() {
    std::filesystem::create_directories(folder_.file("elsewhere/meshes"));
    std::ofstream(folder_.file("elsewhere/meshes/box.obj"))
        << test::obj_text(test::box_mesh({0, 0, 0}, {1, 1, 1}));
    std::ofstream(folder_.file("robot.urdf")) << R"(<robot name="r"><link name="base">
<collision><geometry><mesh filename="package://parts/meshes/box.obj"/></geometry></collision>
</link></robot>)";
  }
  std::string text(const std::string& more) const {
    return "name: packages\nrobots:\n  r: {urdf: " + folder_.file("robot.urdf") + "}\n" + more;
  }
  static std::string path_of(const Scenario& scenario) {
    return scenario.scene.robots[0].robot.links[0].collisions[0].mesh_path;
  }
};

TEST_F(Packages, AreFoundInTheFolderThatTheScenarioOrACommandNames) {
  const std::string mesh = folder_.file("elsewhere/meshes/box.obj");
  const ScenarioFile named(text("packages: {parts: " + folder_.file("elsewhere") + "}\n"));
  const Scenario scenario = load_scenario(named.path());
  EXPECT_EQ(path_of(scenario), mesh);
  EXPECT_EQ(path_of(load_scenario(ScenarioFile(scenario.resolved_yaml).path())), mesh);
  const ScenarioFile unnamed(text(""));
  EXPECT_EQ(path_of(load_scenario(unnamed.path(), {"packages.parts=" + folder_.file("elsewhere")})),
            mesh);
  EXPECT_THAT(test::message(unnamed),
              HasSubstr("mesh filename = 'package://parts/meshes/box.obj' (must be a file of a "
                        "package above the URDF file; no folder above '"));
}

TEST_F(Packages, ThatAreNoFoldersAreRefused) {
  EXPECT_THAT(test::message(text("packages: {parts: /no/such/folder}\n")),
              StartsWith("s.yaml:4: packages.parts = /no/such/folder (must be a folder; '/no/such/"
                         "folder' is none)"));
  EXPECT_THAT(test::message(text("packages: [parts]\n")), HasSubstr("must be names with folders"));
}

TEST_F(Packages, AreNotNeededByADataset) {
  ScenarioDocument document =
      ScenarioSource(
          read_yaml_file(
              ScenarioFile(text("packages: {parts: " + folder_.file("elsewhere") + "}\n")).path()))
          .document();
  const Assets assets(&document);
  const test::TemporaryFolder copy;
  std::filesystem::create_directories(copy.file(kAssetFolder));
  for (const auto& [name, bytes] : assets.files())
    std::ofstream(copy.file(std::string(kAssetFolder) + "/" + name), std::ios::binary) << bytes;
  std::ofstream(copy.file("s.yaml")) << written(document);
  std::filesystem::remove_all(folder_.file("elsewhere"));
  EXPECT_THAT(path_of(load_scenario(copy.file("s.yaml"))), StartsWith(copy.path()));
}

}  // namespace
}  // namespace nodia

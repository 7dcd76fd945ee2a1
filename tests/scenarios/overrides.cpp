#include "scenarios/build/randomize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/solvers/cond/options.hpp"
#include "kernels/core/number.hpp"
#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using test::message;
using test::ScenarioFile;
using test::with;
using ::testing::HasSubstr;

TEST(Overrides, SetKeysThatAreThereAndKeysThatAreNot) {
  const Scenario s = load_scenario(
      ScenarioFile().path(),
      {"time.step_s=0.005", "time.theta=0.5", "bodies.block.density_kg_m3=900",
       "bodies.0.poissons_ratio=0.4", "obstacles.1.position_m.2=3", "solver.w=bb1",
       "obstacles.globe.radius_m=0.2", "attachments.grip.path.1.position_m=[1, 2, 3]",
       "friction_pairs.0.friction=0.8", "checks.depth.bound_m=1e-3", "output.every_steps=4"});
  EXPECT_EQ(s.scene.time.step_s, 0.005);
  EXPECT_EQ(s.scene.time.theta, 0.5);
  EXPECT_EQ(s.scene.soft_bodies[0].material.density_kg_m3, 900);
  EXPECT_EQ(s.scene.soft_bodies[0].material.poissons_ratio, 0.4);
  EXPECT_EQ(s.scene.obstacles[1].path.at(0).position.z, 3);
  EXPECT_EQ(s.scene.obstacles[2].shape.radius, 0.2);
  EXPECT_EQ(s.scene.attachments[0].path.at(1).position.y, 2);
  EXPECT_EQ(s.scene.friction_pairs[0].friction_1, 0.8);
  EXPECT_EQ(s.solver.of<CondOptions>().w, WKind::bb1);
  EXPECT_EQ(s.output.every_steps, 4);
}

TEST(Overrides, TheLastOneWins) {
  const Scenario s = load_scenario(ScenarioFile().path(), {"time.step_s=0.1", "time.step_s=0.2"});
  EXPECT_EQ(s.scene.time.step_s, 0.2);
}

TEST(Overrides, ReplaceAndAddWholeGroups) {
  const Scenario s =
      load_scenario(ScenarioFile().path(),
                    {"bodies.block.mesh={mat: {size_m: [0.3, 0.3, 0.01], nodes: 200}}",
                     "obstacles.wall={shape: box, size_m: [1, 1, 1], position_m: [9, 0, 0]}",
                     "obstacles.wall.friction=0.25"});
  EXPECT_GT(s.scene.soft_bodies[0].mesh.nodes.size(), 100u);
  ASSERT_EQ(s.scene.obstacles.size(), 6u);
  EXPECT_EQ(s.scene.obstacles[5].name, "wall");
  EXPECT_EQ(s.scene.obstacles[5].friction, 0.25);
}

TEST(Overrides, UnknownKeysNameTheNearestKnownOne) {
  const ScenarioFile file;
  EXPECT_EQ(message(file, {"time.step=0.1"}),
            "--set time.step=0.1: time.step (unknown key; did you mean time.step_s?)");
  EXPECT_EQ(message(file, {"youngs_modulus_Pa=1e5"}),
            "--set youngs_modulus_Pa=1e5: youngs_modulus_Pa (unknown key; did you mean "
            "bodies.block.youngs_modulus_Pa?)");
  EXPECT_EQ(message(file, {"bodies.blok.friction=1"}),
            "--set bodies.blok.friction=1: bodies.blok.friction (unknown key; did you mean "
            "bodies.block.friction?)");
  EXPECT_THAT(message(file, {"obstacles.globe.fricton=1"}),
              HasSubstr("did you mean obstacles.globe.friction?"));
  EXPECT_THAT(message(file, {"obstacles.9.friction=1"}), HasSubstr("unknown key"));
  EXPECT_THAT(message(file, {"time.step_s.x=1"}), HasSubstr("unknown key"));
  EXPECT_THAT(message(file, {"bodies.=1"}), HasSubstr("unknown key"));
  EXPECT_THAT(message(file, {".=1"}), HasSubstr("unknown key"));
  EXPECT_THAT(message(file, {"obstacles.floor.radius_m=1"}), HasSubstr("unknown key"));
}

/// By any key that names a file, alone and within a group that is set as a whole: the folder of the
/// scenario, which has those files, is not asked.
TEST(Overrides, PathsStartFromTheWorkingDirectory) {
  const ScenarioFile file;
  std::filesystem::create_directory(file.folder().file("parts"));
  const std::string there = (std::filesystem::current_path() / "parts/a.b").string();
  std::ofstream(file.folder().file("parts/a.b")) << "v 0 0 0\n";
  for (const char* set :
       {"bodies.block.mesh={file: parts/a.b}", "obstacles.globe={shape: mesh, file: parts/a.b}",
        "rigid_bodies.r={shape: mesh, file: parts/a.b, mass_kg: 1}", "robots.arm={urdf: parts/a.b}",
        "attachments.grip={body: block, node_set: x_min, track: parts/a.b}"})
    EXPECT_THAT(message(file, {set}), HasSubstr(there)) << set;
}

TEST(Overrides, BadValuesNameTheArgument) {
  const ScenarioFile file;
  EXPECT_EQ(message(file, {"time.step_s=0"}),
            "--set time.step_s=0: time.step_s = 0 (must be in (0, 1]; try 0.01)");
  EXPECT_THAT(message(file, {"time.step_s=0,01"}), HasSubstr("write the decimal point as a point"));
  EXPECT_THAT(message(file, {"time.step_s="}),
              HasSubstr("time.step_s = nothing (must be a finite number"));
  EXPECT_THAT(message(file, {"time.step_s=[1"}), HasSubstr("not valid YAML"));
  EXPECT_THAT(message(file, {"time=3"}),
              HasSubstr("--set time=3: time = 3 (must be a group of keys"));
  EXPECT_THAT(message(file, {"bodies.block.mesh.ball.radius_m=1"}), HasSubstr("exactly one"));
  EXPECT_THAT(message(file, {"time.step_s"}), HasSubstr("must be key=value"));
  EXPECT_THAT(message(file, {"=1"}), HasSubstr("must be key=value"));
  EXPECT_THAT(message(file, {""}), HasSubstr("must be key=value"));
  EXPECT_THAT(message(file, {"bodies.a.b={}"}), HasSubstr("unknown key"));
  EXPECT_THAT(message(file, {"bodies={}"}), HasSubstr("at least one body"));
}

TEST(Draws, AreReproducibleInRangeAndRecorded) {
  const ScenarioFile file;
  const Scenario a = load_scenario(file.path(), {}, 5);
  const Scenario b = load_scenario(file.path(), {}, 5);
  const Scenario c = load_scenario(file.path(), {}, 6);
  EXPECT_EQ(a.resolved_yaml, b.resolved_yaml);
  EXPECT_NE(a.scene.soft_bodies[0].friction, c.scene.soft_bodies[0].friction);
  ASSERT_EQ(a.drawn.size(), 2u);
  EXPECT_EQ(a.drawn[0].key, "bodies.block.friction");
  EXPECT_EQ(parse_real(a.drawn[0].value.text), a.scene.soft_bodies[0].friction);
  EXPECT_EQ(a.drawn_by, DrawSeed(5));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Scenario s = load_scenario(file.path(), {}, seed);
    EXPECT_GE(s.scene.soft_bodies[0].friction, 0.1);
    EXPECT_LT(s.scene.soft_bodies[0].friction, 0.5);
    EXPECT_GE(s.scene.soft_bodies[0].material.youngs_modulus_Pa, 5e4);
    EXPECT_LT(s.scene.soft_bodies[0].material.youngs_modulus_Pa, 1e5);
  }
}

TEST(Draws, DoNotDependOnOrderOrCompany) {
  const std::string first = "  bodies.block.friction: [0.1, 0.5]\n";
  const std::string second = "  bodies.block.youngs_modulus_Pa: [5e4, 1e5]\n";
  const Scenario both = load_scenario(ScenarioFile().path(), {}, 9);
  const Scenario swapped =
      load_scenario(ScenarioFile(with(first + second, second + first)).path(), {}, 9);
  const Scenario alone = load_scenario(ScenarioFile(with(second, "")).path(), {}, 9);
  EXPECT_EQ(swapped.scene.soft_bodies[0].friction, both.scene.soft_bodies[0].friction);
  EXPECT_EQ(alone.scene.soft_bodies[0].friction, both.scene.soft_bodies[0].friction);
  EXPECT_EQ(alone.scene.soft_bodies[0].material.youngs_modulus_Pa, 1e5);
}

TEST(Draws, HappenOnlyWithASeedAndYieldToOverrides) {
  EXPECT_EQ(load_scenario(ScenarioFile().path()).scene.soft_bodies[0].friction, 0.4);
  const Scenario set = load_scenario(ScenarioFile().path(), {"bodies.0.friction=0.45"}, 9);
  EXPECT_EQ(set.scene.soft_bodies[0].friction, 0.45);
  EXPECT_EQ(set.drawn.size(), 1u);
  const ScenarioFile seeded(with("name: small", "name: small\nseed: 9"));
  const Scenario from_file = load_scenario(seeded.path());
  EXPECT_EQ(from_file.resolved_yaml, load_scenario(ScenarioFile().path(), {}, 9).resolved_yaml);
  EXPECT_EQ(load_scenario(seeded.path(), {}, 10).drawn_by, DrawSeed(10));
}

TEST(Draws, RangesCanBeOverridden) {
  const std::vector<std::string> narrow = {"randomize.bodies.block.friction=[0.2, 0.2]"};
  EXPECT_EQ(load_scenario(ScenarioFile().path(), narrow, 1).scene.soft_bodies[0].friction, 0.2);
  const std::vector<std::string> added = {"randomize.time.step_s=[0.02, 0.02]"};
  EXPECT_EQ(load_scenario(ScenarioFile().path(), added, 1).scene.time.step_s, 0.02);
  EXPECT_THAT(message(ScenarioFile(), {"randomize.time.step_s=[0, 1]"}),
              HasSubstr("must be in (0, 1]"));
}

TEST(Draws, ARangeThatCannotBeIsToldOnceWithItsPlace) {
  const std::string told = message(ScenarioFile(), {"randomize.bodies.block.friction=[-0.2, 0.5]"});
  EXPECT_THAT(told, HasSubstr("accepts; bodies.block.friction = -0.2 (must be >= 0"));
  EXPECT_EQ(told.find("--set"), told.rfind("--set")) << told;
}

TEST(Draws, AValueThatTheSceneRefusesNamesItsSeed) {
  EXPECT_THAT(message(ScenarioFile(with("obstacles:\n",
                                        "obstacles:\n  ring: {shape: torus, radius_m: 0.03, "
                                        "tube_radius_m: 0.01}\n")),
                      {"randomize={obstacles.ring.tube_radius_m: [0.02, 9]}", "seed=7"}),
              HasSubstr("; seed 7 drew obstacles.ring.tube_radius_m = "));
}

TEST(Draws, WhatDrawsIsNotDrawn) {
  for (const char* key : {"seed", "episode", "attempt", "environments", "format_version"})
    EXPECT_THAT(message(ScenarioFile(), {std::string("randomize.") + key + "=[1, 2]"}),
                HasSubstr("what draws go by"));
}

TEST(Draws, AComponentOfAVectorCanBeDrawn) {
  const ScenarioFile file(
      with("randomize:\n", "randomize:\n  bodies.block.position_m.1: [0.2, 0.3]\n"));
  const Scenario a = load_scenario(file.path(), {}, 1), b = load_scenario(file.path(), {}, 2);
  EXPECT_GE(a.scene.soft_bodies[0].pose.position.y, 0.2);
  EXPECT_NE(a.scene.soft_bodies[0].pose.position.y, b.scene.soft_bodies[0].pose.position.y);
  EXPECT_EQ(a.scene.soft_bodies[0].pose.position.z, 0.01);
  for (const char* range : {"bodies.block.position_m", "bodies.block.position_m.3",
                            "friction_pairs.0", "bodies.block.velocity_m_s.3"}) {
    EXPECT_THAT(message(ScenarioFile(), {std::string("randomize.") + range + "=[0.2, 0.3]"}),
                HasSubstr("must be values that their key accepts"))
        << range;
  }
}

}  // namespace
}  // namespace nodia

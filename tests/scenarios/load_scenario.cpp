#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using test::kGoodScenario;
using test::message;
using test::ScenarioFile;
using test::with;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(LoadScenario, ReadsEveryPart) {
  const Scenario s = load_scenario(ScenarioFile().path());
  EXPECT_EQ(s.scene.name, "small");
  EXPECT_EQ(s.scene.time.duration_s, 0.5);
  EXPECT_EQ(s.scene.time.theta, 1);
  EXPECT_EQ(s.scene.gravity_m_s2.z, -9.81);
  ASSERT_EQ(s.scene.soft_bodies.size(), 1u);
  EXPECT_EQ(s.scene.soft_bodies[0].mesh.nodes.size(), 12u);
  EXPECT_EQ(s.scene.soft_bodies[0].material.youngs_modulus_Pa, 1e5);
  EXPECT_EQ(s.scene.soft_bodies[0].material.poissons_ratio, Material{}.poissons_ratio);
  EXPECT_EQ(s.scene.soft_bodies[0].pose.position.z, 0.01);
  ASSERT_EQ(s.scene.obstacles.size(), 5u);
  EXPECT_EQ(s.scene.obstacles[0].shape.kind, ShapeKind::half_space);
  EXPECT_EQ(s.scene.obstacles[1].shape.size.y, 0.1);
  EXPECT_EQ(s.scene.obstacles[2].shape.kind, ShapeKind::sphere);
  EXPECT_EQ(s.scene.obstacles[2].path.at(0).position.x, 2);
  EXPECT_EQ(s.scene.obstacles[3].shape.length, 0.3);
  EXPECT_EQ(s.scene.obstacles[4].shape.kind, ShapeKind::capsule);
  EXPECT_EQ(s.scene.obstacles[4].path.at(1).position.x, 4);
  ASSERT_EQ(s.scene.attachments.size(), 1u);
  EXPECT_EQ(s.scene.attachments[0].path.at(0).position.x, 0);
  EXPECT_EQ(s.scene.attachments[0].path.at(9).position.x, 0.1);
  EXPECT_LT(s.scene.attachments[0].release_time_s, 0);
  ASSERT_EQ(s.scene.friction_pairs.size(), 2u);
  EXPECT_EQ(s.scene.friction_pairs[0].friction_2, 0.9);
  EXPECT_EQ(s.scene.friction_pairs[1].friction_2, 0.2);
  EXPECT_EQ(s.checks.size(), 2u);
  EXPECT_EQ(s.solver.solver, "auto");
  EXPECT_TRUE(s.drawn.empty());
  EXPECT_EQ(s.drawn_by, DrawSeed());
}

TEST(LoadScenario, ResolvedScenarioLoadsToItself) {
  const std::string odd = "time.step_s=0.0033333333333333335";
  const std::string text = "description=\"a \\\"quoted\\\": {text} # \xc3\xa9\"";
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {3}}) {
    const Scenario first = load_scenario(ScenarioFile().path(), {odd, text}, seed);
    const ScenarioFile copy(first.resolved_yaml);
    const Scenario second = load_scenario(copy.path());
    EXPECT_EQ(second.resolved_yaml, first.resolved_yaml);
    EXPECT_EQ(second.drawn_by, first.drawn_by);
    EXPECT_EQ(second.scene.time.step_s, 0.0033333333333333335);
    EXPECT_EQ(second.description, first.description);
    EXPECT_EQ(second.scene.soft_bodies[0].friction, first.scene.soft_bodies[0].friction);
    EXPECT_EQ(second.scene.obstacles[4].path.keys.size(), 2u);
    EXPECT_EQ(second.scene.soft_bodies[0].mesh.nodes.size(), 12u);
  }
}

TEST(LoadScenario, AFileOfANewerVersionIsRefusedBeforeWhatItSays) {
  const std::string text = kGoodScenario;
  const auto with_version = [&](const std::string& version) {
    return ScenarioFile("format_version: " + version + "\nnew_key: 1\n" + text);
  };
  EXPECT_EQ(message(with_version("2")),
            "s.yaml:1: format_version = 2 (must be 1; a larger number needs a newer nodia)");
  EXPECT_THAT(message(with_version("0")), StartsWith("s.yaml:1: format_version = 0 (must be"));
  EXPECT_THAT(message(with_version("1")), StartsWith("s.yaml:2: new_key"));
  EXPECT_THAT(load_scenario(ScenarioFile("format_version: 1\n" + text).path()).resolved_yaml,
              StartsWith("format_version: 1\nname: small\n"));
  EXPECT_THAT(load_scenario(ScenarioFile().path()).resolved_yaml,
              StartsWith("format_version: 1\n"));
}

TEST(LoadScenario, UnreadableFilesAreOneLine) {
  const ScenarioFile file;
  const auto refused = [](const std::string& path) -> std::string {
    try {
      load_scenario(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused("no/such.yaml"), StartsWith("no/such.yaml: no such file"));
  EXPECT_THAT(refused(file.folder().path()), HasSubstr("is a directory"));
  EXPECT_THAT(refused("/dev/zero"), HasSubstr("is not a regular file"));
  EXPECT_EQ(message(ScenarioFile("")),
            "s.yaml: is empty (must be a scenario; nodia list has examples)");
  EXPECT_EQ(message(ScenarioFile("# only a comment\n")),
            "s.yaml: is empty (must be a scenario; nodia list has examples)");
  EXPECT_THAT(message(ScenarioFile("soft_mat")), StartsWith("s.yaml:1: soft_mat (must be keys"));
  EXPECT_THAT(message(ScenarioFile("\x89HDF\r\n\x1a\n")), HasSubstr("not a text file"));
  EXPECT_THAT(message(ScenarioFile("a: [1\nb: 2\n")), HasSubstr("not valid YAML"));
  EXPECT_THAT(message(ScenarioFile(std::string((8u << 20) + 1, '#'))), HasSubstr("at most"));
}

struct BadInput {
  const char* passage;
  const char* replacement;
  const char* message;
};

class BadScenario : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadScenario, IsNamedWithLineKeyValueAndRule) {
  const BadInput& bad = GetParam();
  const std::string text = message(with(bad.passage, bad.replacement));
  EXPECT_THAT(text, StartsWith(bad.message));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BadScenario,
    ::testing::Values(
        BadInput{"step_s: 0.01", "step_s: 0",
                 "s.yaml:3: time.step_s = 0 (must be in (0, 1]; try 0.01)"},
        BadInput{"step_s: 0.01", "step_s: 1.5", "s.yaml:3: time.step_s = 1.5 (must be in (0, 1]"},
        BadInput{"step_s: 0.01", "step_s: -.inf",
                 "s.yaml:3: time.step_s = -.inf (must be a finite number"},
        BadInput{"step_s: 0.01", "step_s: 0,01",
                 "s.yaml:3: time.step_s = 0,01 (must be a finite number; write the decimal point "
                 "as a point)"},
        BadInput{"step_s: 0.01", "step_s: '0.01'",
                 "s.yaml:3: time.step_s = 0.01 (must be a finite number; leave out the quotes)"},
        BadInput{"step_s: 0.01",
                 "step_s:", "s.yaml:3: time.step_s = nothing (must be a finite number"},
        BadInput{"step_s: 0.01", "step_s: [1]",
                 "s.yaml:3: time.step_s = [1] (must be a finite number"},
        BadInput{"step_s: 0.01", "step_s: 0.01\n  theta: 0.4",
                 "s.yaml:4: time.theta = 0.4 (must be in [0.5, 1]"},
        BadInput{"duration_s: 0.5", "duration_s: 0", "s.yaml:4: time.duration_s = 0 (must be > 0"},
        BadInput{"duration_s: 0.5", "duration_s: 1e300",
                 "s.yaml:4: time.duration_s = 1e300 (must be at most"},
        BadInput{"step_s: 0.01", "step_size: 0.01",
                 "s.yaml:3: time.step_size = 0.01 (unknown key; did you mean step_s?)"},
        BadInput{"step_s: 0.01", "step_s: 0.01\n  step_s: 0.02",
                 "s.yaml:4: time.step_s is given twice"},
        BadInput{
            "youngs_modulus_Pa: 1e5", "youngs_modulus_Pa: -1",
            "s.yaml:8: bodies.block.youngs_modulus_Pa = -1 (must be > 0; 75e3 is a soft rubber)"},
        BadInput{"youngs_modulus_Pa: 1e5", "youngs_modulus_Pa: nan",
                 "s.yaml:8: bodies.block.youngs_modulus_Pa = nan (must be a finite number"},
        BadInput{"youngs_modulus_Pa: 1e5", "poissons_ratio: 0.5",
                 "s.yaml:8: bodies.block.poissons_ratio = 0.5 (must be in (-1, 0.5)"},
        BadInput{"youngs_modulus_Pa: 1e5", "poissons_ratio: -1",
                 "s.yaml:8: bodies.block.poissons_ratio = -1 (must"},
        BadInput{"youngs_modulus_Pa: 1e5", "density_kg_m3: 0",
                 "s.yaml:8: bodies.block.density_kg_m3 = 0 (must be > 0"},
        BadInput{"youngs_modulus_Pa: 1e5", "rayleigh_mass_1_s: -1",
                 "s.yaml:8: bodies.block.rayleigh_mass_1_s = -1"},
        BadInput{"youngs_modulus_Pa: 1e5", "density: 1e3",
                 "s.yaml:8: bodies.block.density = 1e3 (unknown key; did you mean density_kg_m3?)"},
        BadInput{"youngs_modulus_Pa: 1e5", "youngs: 1e5",
                 "s.yaml:8: bodies.block.youngs = 1e5 (unknown key; did you mean "
                 "youngs_modulus_Pa?)"},
        BadInput{
            "shape: half_space", "shape: plane",
            "s.yaml:12: obstacles.floor.shape = plane (must be one of half_space, box, sphere, "
            "cylinder, "},
        BadInput{"obstacle: drum, friction_1: 0.1, friction_2: 0.2",
                 "obstacle: crate, friction: 0.2",
                 "s.yaml:33: friction_pairs.1 = {...} (must be the only entry of block and crate"},
        BadInput{"youngs_modulus_Pa: 1e5", "youngs_modulus: 1e5",
                 "s.yaml:8: bodies.block.youngs_modulus = 1e5 (unknown key; did you mean "
                 "youngs_modulus_Pa?)"},
        BadInput{"friction: 0.4", "friction: -0.1",
                 "s.yaml:10: bodies.block.friction = -0.1 (must be >= 0"},
        BadInput{"position_m: [0, 0, 0.01]", "position_m: [0, 0]",
                 "s.yaml:9: bodies.block.position_m = [0, 0] (must be 3 numbers in brackets"},
        BadInput{"position_m: [0, 0, 0.01]", "position_m: [0, 0, .nan]",
                 "s.yaml:9: bodies.block.position_m.2 = .nan (must be a finite number"},
        BadInput{"position_m: [0, 0, 0.01]", "orientation_wxyz: [0, 0, 0, 0]",
                 "s.yaml:9: bodies.block.orientation_wxyz = [0, 0, 0, 0] (must be of unit length"},
        BadInput{"name: small", "name: [a]", "s.yaml:1: name = [a] (must be a text"},
        BadInput{"name: small", "nme: small",
                 "s.yaml:1: name is missing (of the scenario; has 'nme', did you mean name?)"},
        BadInput{"mesh: {box:", "meshh: {box:",
                 "s.yaml:7: bodies.block.mesh is missing (rest shape; give file, box, mat or ball; "
                 "has 'meshh', did you mean mesh?)"},
        BadInput{"name: small", "name: small\ngravity_m_s2: -9.81",
                 "s.yaml:2: gravity_m_s2 = -9.81 (must be 3 numbers in brackets; try [0, 0, "
                 "-9.81]: z is up)"},
        BadInput{"position_m: [0, 0, 0.01]", "position_m: x",
                 "s.yaml:9: bodies.block.position_m = x (must be 3 numbers in brackets)"},
        BadInput{"size_m: [0.2, 0.1, 0.05]", "size_m: 0.2",
                 "s.yaml:7: bodies.block.mesh.box.size_m = 0.2 (must be 3 numbers in brackets; "},
        BadInput{"time:\n  step_s: 0.01\n  duration_s: 0.5", "time: 3",
                 "s.yaml:2: time = 3 (must be a group of keys"},
        BadInput{"box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}", "bx: {}",
                 "s.yaml:7: bodies.block.mesh.bx = {...} (unknown key; did you mean box?)"},
        BadInput{"{box:", "{file: a.msh, box:",
                 "s.yaml:7: bodies.block.mesh = {...} (must be exactly one of its keys"},
        BadInput{"{box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}}", "{}",
                 "s.yaml:7: bodies.block.mesh = {...} (must be exactly one of its keys"},
        BadInput{"cells: [2, 1, 1]", "cells: [2, 1, 0]",
                 "s.yaml:7: bodies.block.mesh.box.cells.2 = 0 (must be a whole"},
        BadInput{"cells: [2, 1, 1]", "cells: [2000, 2000, 2000]",
                 "s.yaml:7: bodies.block.mesh: box.cells = "},
        BadInput{"cells: [2, 1, 1]", "cells: [2, 1.5, 1]",
                 "s.yaml:7: bodies.block.mesh.box.cells.1 = 1.5 (must be a whole"},
        BadInput{"size_m: [0.2, 0.1, 0.05]", "size_m: [0.2, 0.1, 0]",
                 "s.yaml:7: bodies.block.mesh.box.size_m.2 = 0 (must be > 0"},
        BadInput{"{box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}}", "{file: none.msh}",
                 "s.yaml:7: bodies.block.mesh: "},
        BadInput{"block:\n    mesh", "2nd:\n    mesh", "s.yaml:6: bodies.2nd (a name must be"},
        BadInput{"shape: half_space", "shape: half_plane",
                 "s.yaml:12: obstacles.floor.shape = half_plane (must be one of half_space, box, "
                 "sphere, cylinder, "},
        BadInput{"{shape: half_space}", "{friction: 1}",
                 "s.yaml:12: obstacles.floor.shape is missing"},
        BadInput{"shape: half_space", "shape: half_space, radius_m: 1",
                 "s.yaml:12: obstacles.floor.radius_m = 1 (unknown key"},
        BadInput{"shape: sphere, radius_m: 0.1", "shape: sphere",
                 "s.yaml:14: obstacles.globe.radius_m is missing"},
        BadInput{"shape: sphere, radius_m: 0.1", "shape: mesh, file: no.obj, grid_spacing_m: 0.1",
                 "s.yaml:14: obstacles.globe.shape: "},
        BadInput{"friction: 0.7", "restitution: 1.1",
                 "s.yaml:14: obstacles.globe.restitution = 1.1 (must be in [0, 1]"},
        BadInput{"- {time_s: 1}", "- {time_s: 0}",
                 "s.yaml:22: obstacles.pill.path.1.time_s = 0 (must be > 0, the time"},
        BadInput{"- {time_s: 1}", "- {position_m: [0, 0, 0]}",
                 "s.yaml:22: obstacles.pill.path.1.time_s is missing"},
        BadInput{"body: block\n", "body: blok\n",
                 "s.yaml:25: attachments.grip.body = blok (must be the name of a body; did you "
                 "mean block?)"},
        BadInput{"node_set: x_min", "node_set: xmin",
                 "s.yaml:26: attachments.grip.node_set = xmin (must be a node set of the body's "
                 "mesh; did you mean x_min?)"},
        BadInput{"node_set: x_min", "node_set: x_min\n    stiffness_N_m: 0",
                 "s.yaml:27: attachments.grip.stiffness_N_m = 0"},
        BadInput{"obstacle: crate", "obstacle: creat",
                 "s.yaml:32: friction_pairs.0.obstacle = creat (must be the name of an obstacle; "
                 "did you mean crate?)"},
        BadInput{"obstacle: drum", "obstacle: crate",
                 "s.yaml:33: friction_pairs.1 = {...} (must be the only entry"},
        BadInput{", friction_2: 0.2", "",
                 "s.yaml:33: friction_pairs.1 = {...} (must be given friction, or"},
        BadInput{"[0.1, 0.5]", "[0.5, 0.1]",
                 "s.yaml:35: randomize.bodies.block.friction = [0.5, 0.1] (must be [low, high]"},
        BadInput{"[0.1, 0.5]", "[-0.1, 0.5]",
                 "s.yaml:35: randomize.bodies.block.friction = [-0.1, 0.5] (must be values that"},
        BadInput{"[0.1, 0.5]", "0.5",
                 "s.yaml:35: randomize.bodies.block.friction = 0.5 (must be 2 numbers"},
        BadInput{"bodies.block.friction: [", "bodies.block.frction: [",
                 "s.yaml:35: randomize.bodies.block.frction = "},
        BadInput{"bodies.block.friction: [", "bodies.0.friction: [",
                 "s.yaml:35: randomize.bodies.0.friction = "},
        BadInput{"bodies.block.friction: [", "bodies.block: [",
                 "s.yaml:35: randomize.bodies.block = "},
        BadInput{"check: max_penetration", "check: penetration",
                 "s.yaml:39: checks.depth.check = penetration (must be one of"},
        BadInput{"bound_m: 1e-5", "bound_m: 0", "s.yaml:39: checks.depth.bound_m = 0 (must be > 0"},
        BadInput{"obstacle: floor, from_s", "obstacle: flor, from_s",
                 "s.yaml:38: checks.weight.obstacle = flor (must be the"},
        BadInput{"to_s: 0.5", "to_s: 0.1",
                 "s.yaml:38: checks.weight.to_s = 0.1 (must be > from_s = 0.2"},
        BadInput{"to_s: 0.5", "to_s: 0.201",
                 "s.yaml:38: checks.weight.to_s = 0.201 (must be at least a step"},
        BadInput{"name: small", "name: small\ngravity_m_s2: [0, 0, 0]",
                 "s.yaml:39: checks.weight.check = weight_on_obstacle (must be used with "
                 "gravity_m_s2 other than zero"},
        BadInput{"check: max_penetration, bound_m: 1e-5", "check: node_position, body: block",
                 "s.yaml:39: checks.depth (must have above_m or below_m)"},
        BadInput{"check: max_penetration, bound_m: 1e-5",
                 "check: node_position, body: block, node_set: xx, above_m: 0",
                 "s.yaml:39: checks.depth.node_set = xx (must be a node set"},
        BadInput{"name: small", "name: small\nsolver: {solver: cnd}",
                 "s.yaml:2: solver.solver = cnd (must be one of"},
        BadInput{"name: small", "name: small\nsolver: {tolerance: 1}",
                 "s.yaml:2: solver.tolerance = 1 (must be in (0, 1); try 1e-4)"},
        BadInput{"name: small", "name: small\nsolver: {precision: doub}",
                 "s.yaml:2: solver.precision = doub (must be one of double, mixed, float; did you "
                 "mean double?"},
        BadInput{"name: small", "name: small\nsolver: {max_iterations: 1e3}",
                 "s.yaml:2: solver.max_iterations = 1e3 (must be a whole number in [1, 10000000]"},
        BadInput{"name: small", "name: small\nsolver: {sparse_rhs: yes}",
                 "s.yaml:2: solver.sparse_rhs = yes (must be one of true, false"},
        BadInput{"name: small", "name: small\nseed: -1",
                 "s.yaml:2: seed = -1 (must be a whole number in [0, 2^64)"},
        BadInput{"name: small", "name: small\ncontact: {margin_m: -1}",
                 "s.yaml:2: contact.margin_m = -1 (must be >= 0"},
        BadInput{"name: small", "name: small\noutput: {every_steps: 0}",
                 "s.yaml:2: output.every_steps = 0 (must be a whole"},
        BadInput{"name: small", "name: small\nfrction_pairs: []",
                 "s.yaml:2: frction_pairs = [] (unknown key; did you mean friction_pairs?)"}));

/// Else no key of the group is like them.
TEST(LoadScenario, OnlyASlipIsNamedBesideAKeyThatIsMissing) {
  EXPECT_THAT(message(with("{shape: half_space}", "{type: half_space, size_m: [1, 1, 1]}")),
              AllOf(HasSubstr("obstacles.floor.shape is missing"),
                    HasSubstr("; has 'type', did you mean shape?)")));
  EXPECT_THAT(message(with("shape: sphere, radius_m: 0.1", "shape: sphere, qqqqqq: 0.1")),
              AllOf(HasSubstr("obstacles.globe.radius_m is missing"), Not(HasSubstr("has '"))));
  EXPECT_THAT(message(with("{shape: half_space}", "{fricton: 1}")),
              AllOf(HasSubstr("obstacles.floor.shape is missing"), Not(HasSubstr("has '"))));
}

TEST(LoadScenario, APathWithoutEaseGoesAtConstantSpeed) {
  const auto path = [](const std::string& ease) {
    return load_scenario(ScenarioFile(with("    length_m: 0.3\n    path:",
                                           "    length_m: 0.3\n" + ease + "    path:"))
                             .path())
        .scene.obstacles[4]
        .path;
  };
  EXPECT_EQ(path("").profile, PathProfile::minimum_jerk);
  EXPECT_EQ(path("    ease: minimum_jerk\n").profile, PathProfile::minimum_jerk);
  EXPECT_EQ(path("    ease: none\n").profile, PathProfile::linear);
  const ScenarioFile held(
      with("    path:\n      - {time_s: 0.1}", "    ease: none\n    path:\n      - {time_s: 0.1}"));
  const Scenario s = load_scenario(held.path());
  EXPECT_DOUBLE_EQ(s.scene.attachments[0].path.at(0.125).position.x, 0.025);
  EXPECT_EQ(load_scenario(ScenarioFile(s.resolved_yaml).path()).resolved_yaml, s.resolved_yaml);
  EXPECT_THAT(message(with("    length_m: 0.3\n    path:",
                           "    length_m: 0.3\n    ease: linear\n    path:")),
              HasSubstr("obstacles.pill.ease = linear (must be one of minimum_jerk, none"));
}

TEST(LoadScenario, TruncatedFilesNeverCrash) {
  const std::string good = kGoodScenario;
  for (std::size_t size = 0; size < good.size(); size += 7) {
    EXPECT_EQ(message(good.substr(0, size)).find('\n'), std::string::npos) << size;
  }
}

/// Values of every kind at every key: a scenario or one line.
TEST(LoadScenario, WrongTypesNeverCrash) {
  std::mt19937 random(11);
  const char* const values[] = {"[]",
                                "{}",
                                "null",
                                "-1",
                                "1e400",
                                "nan",
                                "x",
                                "''",
                                "[[1]]",
                                "{a: 1}",
                                "[nan, 1, 1]",
                                "0",
                                "18446744073709551616",
                                "true",
                                "*x",
                                "&x 1"};
  const std::string good = kGoodScenario;
  std::vector<std::size_t> colons;
  for (std::size_t at = 0; (at = good.find(": ", at)) != std::string::npos; ++at)
    colons.push_back(at);
  for (const std::size_t colon : colons) {
    for (int k = 0; k < 4; ++k) {
      const std::size_t end = good.find_first_of(",}\n", colon);
      const std::string text =
          good.substr(0, colon) + ": " + values[random() % std::size(values)] + good.substr(end);
      EXPECT_EQ(message(text).find('\n'), std::string::npos);
    }
  }
}

TEST(LoadScenario, PathsInTheFileStartFromItsFolder) {
  const std::string triangle_mesh =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const ScenarioFile file(with("shape: sphere, radius_m: 0.1",
                               "shape: mesh, file: parts/tet.obj, grid_spacing_m: 0.1"));
  std::filesystem::create_directory(file.folder().file("parts"));
  std::ofstream(file.folder().file("parts/tet.obj")) << triangle_mesh;
  const Scenario s = load_scenario(file.path());
  EXPECT_EQ(s.scene.obstacles[2].shape.kind, ShapeKind::distance_grid);
  ASSERT_NE(s.scene.obstacles[2].grid, nullptr);

  const ScenarioFile copy(s.resolved_yaml);
  EXPECT_EQ(load_scenario(copy.path()).resolved_yaml, s.resolved_yaml);

  const std::string missing = message(file, {"obstacles.globe.file=parts/tet.obj"});
  EXPECT_THAT(missing, HasSubstr((std::filesystem::current_path() / "parts/tet.obj").string()));
}

}  // namespace
}  // namespace nodia

/// A user who builds a Scene in C++ reads what the user of a scenario file reads, without the line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

std::string scene_of_all() {
  return R"(name: all
time: {step_s: 0.01, duration_s: 1}
contact: {margin_m: 0.002}
bodies:
  mat: {mesh: {box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}}, youngs_modulus_Pa: 1e5, friction: 0.4, thickness_m: 0}
rigid_bodies:
  cube: {shape: box, size_m: [0.1, 0.2, 0.3], mass_kg: 2, position_m: [0, 0, 1], restitution: 0}
cables:
  rope: {points_m: [[0, 0, 2], [1, 0, 2]], links: 4, radius_m: 0.01, density_kg_m3: 900}
robots:
  arm:
    urdf: )" +
         test::source_file("scenarios/assets/panda/panda.urdf") +
         R"(
    q: {panda_joint2: -0.3}
    joint_drives: {panda_joint1: {stiffness: 100, damping: 10, path: [{time_s: 0, target: 0}, {time_s: 1, target: 0.5}]}}
    pose_drives: {hand: {link: panda_link7, stiffness_N_m: 1000}}
    force_sensors: {wrist: {link: panda_link6}}
obstacles:
  floor: {shape: half_space, friction: 0.5}
  globe: {shape: sphere, radius_m: 0.1, position_m: [2, 0, 0]}
  wall: {shape: cylinder, radius_m: 0.1, length_m: 0.2, position_m: [3, 0, 0], path: [{time_s: 0}, {time_s: 1, position_m: [3, 1, 0]}]}
mounts:
  clamp: {body: rope, at: rear, position_m: [0, 0, 2], stiffness_links: 0.5}
  tool: {body: cube, robot: arm, link: panda_link7, stiffness_N_m: 100, stiffness_Nm_rad: 1}
attachments:
  grip: {body: mat, node_set: x_min, stiffness_N_m: 500}
friction_pairs:
  - {body: mat, obstacle: floor, friction_1: 0.1, friction_2: 0.2}
  - {body: rope, obstacle: cube, friction: 0.3}
pushes:
  shove: {body: rope, force_N: [1, 2, 3], from_s: 0.1, duration_s: 0.3}
  nudge: {body: arm, link: panda_link5, force_N: [1, 2, 3], from_s: 0, duration_s: 0.2}
)";
}

struct Broken {
  const char* passage;
  const char* replacement;
  std::function<void(Scene&)> change;
};

const Broken kBroken[] = {
    {"step_s: 0.01", "step_s: 2", [](Scene& s) { s.time.step_s = 2; }},
    {"duration_s: 1", "duration_s: -1", [](Scene& s) { s.time.duration_s = -1; }},
    {"duration_s: 1", "duration_s: 20000000", [](Scene& s) { s.time.duration_s = 2e7; }},
    {"margin_m: 0.002", "margin_m: -1", [](Scene& s) { s.contact.margin_m = -1; }},
    {"youngs_modulus_Pa: 1e5", "youngs_modulus_Pa: 0",
     [](Scene& s) { s.soft_bodies[0].material.youngs_modulus_Pa = 0; }},
    {"friction: 0.4", "friction: -1", [](Scene& s) { s.soft_bodies[0].friction = -1; }},
    {"thickness_m: 0", "thickness_m: -2", [](Scene& s) { s.soft_bodies[0].thickness_m = -2; }},
    {"size_m: [0.1, 0.2, 0.3]", "size_m: [0.1, 0.2, -3]",
     [](Scene& s) { s.rigid_bodies[0].shape.size.z = -3; }},
    {"mass_kg: 2", "mass_kg: 0", [](Scene& s) { s.rigid_bodies[0].mass_kg = 0; }},
    {"restitution: 0", "restitution: 2", [](Scene& s) { s.rigid_bodies[0].restitution = 2; }},
    {"radius_m: 0.01", "radius_m: 0", [](Scene& s) { s.cables[0].radius_m = 0; }},
    {"density_kg_m3: 900", "density_kg_m3: -9",
     [](Scene& s) { s.cables[0].material.density_kg_m3 = -9; }},
    {"links: 4, radius_m: 0.01",
     "links: 4, radius_m: 0.01, contact: link_centres, self_contact: true",
     [](Scene& s) {
       s.cables[0].contact = RodContact::link_centres;
       s.cables[0].self_contact = true;
     }},
    {"panda_joint2: -0.3", "panda_joint2: 7", [](Scene& s) { s.robots[0].q[1] = 7; }},
    {"{panda_joint1: {stiffness", "{panda_joint11: {stiffness",
     [](Scene& s) { s.robots[0].joint_drives[0].joint = "panda_joint11"; }},
    {"damping: 10", "damping: -10", [](Scene& s) { s.robots[0].joint_drives[0].damping = -10; }},
    {"{time_s: 1, target: 0.5}", "{time_s: 0, target: 0.5}",
     [](Scene& s) { s.robots[0].joint_drives[0].path[1].time_s = 0; }},
    {"link: panda_link7, stiffness_N_m: 1000", "link: panda_link77, stiffness_N_m: 1000",
     [](Scene& s) { s.robots[0].pose_drives[0].link = "panda_link77"; }},
    {"stiffness_N_m: 1000", "stiffness_N_m: -5",
     [](Scene& s) { s.robots[0].pose_drives[0].stiffness_N_m = -5; }},
    {"link: panda_link6", "link: panda_lnk6",
     [](Scene& s) { s.robots[0].force_sensors[0].link = "panda_lnk6"; }},
    {"link: panda_link6", "link: panda_link0",
     [](Scene& s) { s.robots[0].force_sensors[0].link = "panda_link0"; }},
    {"force_sensors: {wrist", "force_sensors: {clamp",
     [](Scene& s) { s.robots[0].force_sensors[0].name = "clamp"; }},
    {"friction: 0.5", "friction: -1", [](Scene& s) { s.obstacles[0].friction = -1; }},
    {"globe: {shape: sphere, radius_m: 0.1", "globe: {shape: sphere, radius_m: -1",
     [](Scene& s) { s.obstacles[1].shape.radius = -1; }},
    {"length_m: 0.2", "length_m: 0", [](Scene& s) { s.obstacles[2].shape.length = 0; }},
    {"{time_s: 1, position_m: [3, 1, 0]}", "{time_s: -1, position_m: [3, 1, 0]}",
     [](Scene& s) { s.obstacles[2].path.keys[1].time_s = -1; }},
    {"globe:", "cube:", [](Scene& s) { s.obstacles[1].name = "cube"; }},
    {"clamp: {body: rope", "clamp: {body: roep", [](Scene& s) { s.mounts[0].body = "roep"; }},
    {"at: rear", "at: body", [](Scene& s) { s.mounts[0].at = MountPoint::body; }},
    {"stiffness_links: 0.5", "stiffness_links: 0",
     [](Scene& s) { s.mounts[0].stiffness_links = 0; }},
    {"tool: {body: cube", "tool: {body: cube, at: front",
     [](Scene& s) { s.mounts[1].at = MountPoint::front; }},
    {"robot: arm, link: panda_link7", "robot: amr, link: panda_link7",
     [](Scene& s) { s.mounts[1].robot = "amr"; }},
    {"robot: arm, link: panda_link7", "robot: arm, link: pnda_link7",
     [](Scene& s) { s.mounts[1].link = "pnda_link7"; }},
    {"robot: arm, link: panda_link7", "link: panda_link7",
     [](Scene& s) { s.mounts[1].robot = ""; }},
    {"stiffness_N_m: 100, stiff", "stiff", [](Scene& s) { s.mounts[1].stiffness_N_m.reset(); }},
    {"grip: {body: mat", "grip: {body: mta", [](Scene& s) { s.attachments[0].body = "mta"; }},
    {"node_set: x_min", "node_set: xmin", [](Scene& s) { s.attachments[0].node_set = "xmin"; }},
    {"stiffness_N_m: 500", "stiffness_N_m: 0",
     [](Scene& s) { s.attachments[0].stiffness_N_m = 0; }},
    {"{body: mat, obstacle: floor", "{body: mta, obstacle: floor",
     [](Scene& s) { s.friction_pairs[0].body = "mta"; }},
    {"obstacle: floor", "obstacle: flor", [](Scene& s) { s.friction_pairs[0].obstacle = "flor"; }},
    {"friction_2: 0.2", "friction_2: -1", [](Scene& s) { s.friction_pairs[0].friction_2 = -1; }},
    {"shove: {body: rope", "shove: {body: roep", [](Scene& s) { s.pushes[0].body = "roep"; }},
    {"shove: {body: rope", "shove: {body: floor", [](Scene& s) { s.pushes[0].body = "floor"; }},
    {"shove: {body: rope", "shove: {body: rope, link: panda_link5",
     [](Scene& s) { s.pushes[0].link = "panda_link5"; }},
    {"from_s: 0.1, duration_s: 0.3", "from_s: -0.1, duration_s: 0.3",
     [](Scene& s) { s.pushes[0].from_s = -0.1; }},
    {"from_s: 0.1, duration_s: 0.3", "from_s: 0.1, duration_s: 0",
     [](Scene& s) { s.pushes[0].duration_s = 0; }},
    {"link: panda_link5", "link: panda_lnk5", [](Scene& s) { s.pushes[1].link = "panda_lnk5"; }},
    {"link: panda_link5", "link: panda_link0", [](Scene& s) { s.pushes[1].link = "panda_link0"; }},
    {"link: panda_link5, ", "", [](Scene& s) { s.pushes[1].link = ""; }},
    {"  - {body: rope, obstacle: cube, friction: 0.3}",
     "  - {body: rope, obstacle: cube, friction: 0.3}\n  - {body: cube, obstacle: rope, friction: "
     "0.1}",
     [](Scene& s) {
       s.friction_pairs.push_back({"cube", "rope", 0.1, 0.1, {}});
     }},
};

std::string message_of(const Scene& scene) {
  try {
    scene.validate();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SameMessages, OfASceneAndOfAFile) {
  const Scene good = load_scenario(test::ScenarioFile(scene_of_all()).path()).scene;
  ASSERT_EQ(message_of(good), "");
  for (const Broken& broken : kBroken) {
    std::string text = scene_of_all();
    const std::size_t at = text.find(broken.passage);
    ASSERT_NE(at, std::string::npos) << broken.passage;
    text.replace(at, std::string(broken.passage).size(), broken.replacement);
    Scene scene = good;
    broken.change(scene);
    const std::string of_file = test::message(text);
    EXPECT_TRUE(std::regex_search(of_file, std::regex("^s\\.yaml:[0-9]+: "))) << of_file;
    EXPECT_EQ(message_of(scene), std::regex_replace(of_file, std::regex("^s\\.yaml:[0-9]+: "), ""))
        << broken.replacement;
  }
}

}  // namespace
}  // namespace nodia

/// Scenario files of rigid bodies, cables, robots and mounts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fem/robot/robot_model.hpp"
#include "kernels/core/rotation.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using test::message;
using test::ScenarioFile;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kPanda = test::source_file("scenarios/assets/panda/panda.urdf");

/// Every new group, without a soft body.
std::string bodies_scenario() {
  return R"(name: bodies
time: {step_s: 0.02, duration_s: 1}
rigid_bodies:
  crate: {shape: box, size_m: [0.1, 0.2, 0.3], position_m: [1, 2, 3], velocity_m_s: [0, 1, 0]}
  ball:
    shape: sphere
    radius_m: 0.1
    mass_kg: 2
    shape_position_m: [0.3, 0, 0]
    position_m: [0, 5, 1]
    orientation_wxyz: [0.7071067811865476, 0, 0, 0.7071067811865476]
  odd: {shape: capsule, radius_m: 0.1, length_m: 0.2, mass_kg: 1, inertia_kg_m2: [1, 2, 2.5, 0.1, 0.2, 0.3]}
cables:
  cable:
    points_m: [[0, 0, 1], [0.5, 0, 1], [0.5, 0.5, 1]]
    links: 40
    radius_m: 0.003
    youngs_modulus_Pa: 2e6
    drag_rotation_Nms_rad: 0.01
    contact: segments
    self_contact: true
robots:
  panda:
    urdf: )" +
         kPanda + R"(
    position_m: [0, -1, 0]
    q: {panda_joint2: -0.3, panda_joint4: -2}
    joint_drives:
      panda_joint1: {stiffness: 100, damping: 10, path: [{time_s: 0, target: 0}, {time_s: 1, target: 0.5}]}
    pose_drives:
      hand: {link: panda_link7, frame_position_m: [0, 0, 0.1], stiffness_N_m: 500, path: [{time_s: 0}, {time_s: 1, position_m: [0.5, -1, 0.5]}]}
mounts:
  rear: {body: cable, at: rear, position_m: [0, 0, 1]}
  front: {body: cable, at: front, robot: panda, link: panda_link7, moment: false}
  held: {body: ball, point_m: [0.3, 0, 0.1], stiffness_N_m: 100, stiffness_Nm_rad: 1, path: [{time_s: 0}, {time_s: 1, position_m: [0, 0, 1]}]}
friction_pairs:
  - {body: cable, obstacle: crate, friction_1: 0.1, friction_2: 0.5, axis: [1, 0, 0]}
randomize:
  cables.cable.youngs_modulus_Pa: [1e6, 3e6]
  rigid_bodies.odd.inertia_kg_m2.5: [0.1, 0.2]
  robots.panda.q.panda_joint2: [-0.5, -0.1]
  mounts.held.stiffness_N_m: [50, 150]
checks:
  pull: {check: sensor_force, sensor: front, axis: z, from_s: 0.5, to_s: 1, value_N: 1, tolerance_N: 0.1}
  compared: {check: reference_csv, sensor: front, force_rms_bound_N: 0.1}
  end: {check: body_position, body: cable, at: front, above_m: 0}
  balance: {check: force_balance, from_s: 0, to_s: 1, relative_tolerance: 1e-3}
  still: {check: drift, body: crate, from_s: 0.5, to_s: 1}
)";
}

std::string changed(const std::string& passage, const std::string& replacement) {
  std::string text = bodies_scenario();
  const std::size_t at = text.find(passage);
  if (at == std::string::npos) ADD_FAILURE() << "no passage " << passage;
  return text.replace(at, passage.size(), replacement);
}

double largest(const Mat3d& m) {
  double value = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value = std::max(value, std::fabs(m(i, j)));
  return value;
}

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
  EXPECT_NEAR(norm(a - b), 0, tolerance) << a.x << " " << a.y << " " << a.z;
}

TEST(LoadBodies, RigidBodiesAreSolidUnlessTheirInertiaIsGiven) {
  const Scene scene = load_scenario(ScenarioFile(bodies_scenario()).path()).scene;
  ASSERT_EQ(scene.rigid_bodies.size(), 3u);
  const RigidBodyDescription& crate = scene.rigid_bodies[0];
  EXPECT_NEAR(crate.mass_kg, 6, 1e-12);
  EXPECT_NEAR(crate.inertia_kg_m2(0, 0), 6.0 / 12 * (0.04 + 0.09), 1e-12);
  EXPECT_EQ(crate.velocity_m_s.y, 1);
  // The ball's centre is 0.3 m along x of its frame, which is turned by 90 degrees about z.
  const RigidBodyDescription& ball = scene.rigid_bodies[1];
  EXPECT_EQ(ball.mass_kg, 2);
  expect_near(ball.pose.position, {0, 5.3, 1});
  expect_near(ball.shape_pose.position, {});
  EXPECT_NEAR(ball.inertia_kg_m2(2, 2), 0.4 * 2 * 0.01, 1e-12);
  const RigidBodyDescription& odd = scene.rigid_bodies[2];
  EXPECT_EQ(odd.inertia_kg_m2(0, 1), 0.1);
  EXPECT_EQ(odd.inertia_kg_m2(2, 0), 0.2);
  EXPECT_EQ(odd.inertia_kg_m2(1, 2), 0.3);
}

TEST(LoadBodies, CablesRobotsAndMounts) {
  const Scene scene = load_scenario(ScenarioFile(bodies_scenario()).path()).scene;
  ASSERT_EQ(scene.cables.size(), 1u);
  const CableDescription& cable = scene.cables[0];
  EXPECT_EQ(cable.links, 40);
  EXPECT_EQ(cable.points_m[2].y, 0.5);
  EXPECT_EQ(cable.material.youngs_modulus_Pa, 2e6);
  EXPECT_EQ(cable.contact, RodContact::segments);
  EXPECT_TRUE(cable.self_contact);

  ASSERT_EQ(scene.robots.size(), 1u);
  const RobotSceneDescription& robot = scene.robots[0];
  RobotModel model(robot.robot, robot.base);
  ASSERT_EQ(robot.q.size(), static_cast<std::size_t>(model.n_dof()));
  EXPECT_EQ(robot.q[static_cast<std::size_t>(model.find_coordinate("panda_joint2"))], -0.3);
  EXPECT_EQ(robot.q[static_cast<std::size_t>(model.find_coordinate("panda_joint1"))], 0);
  EXPECT_EQ(robot.q[static_cast<std::size_t>(model.find_coordinate("panda_joint4"))], -2);
  ASSERT_EQ(robot.joint_drives.size(), 1u);
  EXPECT_EQ(robot.joint_drives[0].path[1].target, 0.5);
  EXPECT_EQ(robot.joint_drives[0].profile, PathProfile::minimum_jerk);

  // The first keyframe of a pose drive is where the frame starts.
  ASSERT_EQ(robot.pose_drives.size(), 1u);
  const PoseDriveDescription& drive = robot.pose_drives[0];
  model.update_kinematics(robot.q.data());
  const Pose link =
      model.link_poses()[static_cast<std::size_t>(robot.robot.find_link("panda_link7"))];
  const Pose start = drive.path.at(0);
  expect_near(start.position, link.to_world({0, 0, 0.1}));
  EXPECT_LT(largest(start.rotation - link.rotation), 1e-12);
  expect_near(drive.path.at(1).position, {0.5, -1, 0.5});
  EXPECT_LT(largest(drive.path.at(1).rotation - link.rotation), 1e-12);

  ASSERT_EQ(scene.mounts.size(), 3u);
  EXPECT_EQ(scene.mounts[0].at, MountPoint::rear);
  expect_near(scene.mounts[0].path.at(0).position, {0, 0, 1});
  EXPECT_EQ(scene.mounts[1].link, "panda_link7");
  EXPECT_TRUE(scene.mounts[1].path.keys.empty());
  EXPECT_FALSE(scene.mounts[1].moment);
  // point_m is given in the frame whose origin was moved to the ball's centre.
  expect_near(scene.mounts[2].point_m, {0, 0, 0.1});
  EXPECT_EQ(scene.friction_pairs[0].axis.x, 1);
}

TEST(LoadBodies, ResolvedScenarioLoadsToItself) {
  for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), {3}}) {
    const Scenario first = load_scenario(ScenarioFile(bodies_scenario()).path(), {}, seed);
    const Scenario second = load_scenario(ScenarioFile(first.resolved_yaml).path());
    EXPECT_EQ(second.resolved_yaml, first.resolved_yaml);
    EXPECT_EQ(first.drawn.size(), seed ? 4u : 0u);
    EXPECT_EQ(second.scene.cables[0].material.youngs_modulus_Pa,
              first.scene.cables[0].material.youngs_modulus_Pa);
    expect_near(second.scene.rigid_bodies[1].pose.position,
                first.scene.rigid_bodies[1].pose.position, 0);
    EXPECT_EQ(second.scene.robots[0].q, first.scene.robots[0].q);
  }
}

/// A cube with a corner at the origin, away from its frame's. Its edge of 0.25 m is exact in float.
TEST(LoadBodies, AMeshHasTheMassAndInertiaOfItsVolume) {
  const ScenarioFile file(
      "name: m\nrigid_bodies:\n  cube: {shape: mesh, file: cube.obj, grid_spacing_m: 0.05, "
      "density_kg_m3: 500, shape_position_m: [1, 0, 0], position_m: [0, 0, 3]}\n");
  std::ofstream(file.folder().file("cube.obj"))
      << "v 0 0 0\nv 0.25 0 0\nv 0.25 0.25 0\nv 0 0.25 0\nv 0 0 0.25\nv 0.25 0 0.25\nv 0.25 0.25 "
         "0.25\n"
         "v 0 0.25 0.25\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const RigidBodyDescription cube = load_scenario(file.path()).scene.rigid_bodies[0];
  EXPECT_NEAR(cube.mass_kg, 500 * 0.015625, 1e-12);
  expect_near(cube.pose.position, {1.125, 0.125, 3.125});
  expect_near(cube.shape_pose.position, {-0.125, -0.125, -0.125});
  EXPECT_LT(largest(cube.inertia_kg_m2 - (7.8125 * 0.0625 / 6) * Mat3d::identity()), 1e-14);
}

TEST(LoadBodies, ATrackIsAPositionPerStep) {
  const ScenarioFile file(changed("position_m: [0, 0, 1]}", "track: t.txt}"));
  std::ofstream(file.folder().file("t.txt"))
      << "# x y z\n0 0 1\n0.1 0 1 # second\n\n\t0.1 0.2 1\r\n";
  const Scenario s = load_scenario(file.path());
  const Path& path = s.scene.mounts[0].path;
  ASSERT_EQ(path.keys.size(), 3u);
  EXPECT_EQ(path.profile, PathProfile::linear);
  EXPECT_EQ(path.keys[2].time_s, 0.04);
  expect_near(path.at(0.03).position, {0.1, 0.1, 1});
  expect_near(path.at(9).position, {0.1, 0.2, 1});
  EXPECT_EQ(load_scenario(ScenarioFile(s.resolved_yaml).path()).resolved_yaml, s.resolved_yaml);

  const std::pair<const char*, const char*> bad[] = {
      {"0 0 1\n0 0\n", "t.txt:2: 2 numbers (must be 3 in every row)"},
      {"0 0 1 4\n", "t.txt:1: 4 numbers (must be 3"},
      {"\n0 0 x\n", "t.txt:2: x (must be a finite number; column 3 of 3)"},
      {"0 0 nan\n", "t.txt:1: nan (must be a finite number"},
      {"0,0,\n", "t.txt:1:  (must be a finite number; column 3 of 3)"},
      {"# nothing\n", "t.txt: no row"}};
  for (const auto& [text, error] : bad) {
    std::ofstream(file.folder().file("t.txt")) << text;
    EXPECT_THAT(message(file), StartsWith("s.yaml:32: mounts.rear.track: "));
    EXPECT_THAT(message(file), HasSubstr(error));
  }
  std::filesystem::remove(file.folder().file("t.txt"));
  EXPECT_THAT(message(file), HasSubstr("t.txt: no such file"));
}

TEST(LoadBodies, RulesAreToldWithTheirKeys) {
  const struct {
    const char* passage;
    const char* replacement;
    const char* error;
  } bad[] = {
      {"mass_kg: 2", "mass_kg: 2\n    density_kg_m3: 3",
       "s.yaml:9: rigid_bodies.ball.density_kg_m3 = 3 (must be left out beside mass_kg)"},
      {"[1, 2, 2.5, 0.1, 0.2, 0.3]", "[1, 2]",
       "s.yaml:12: rigid_bodies.odd.inertia_kg_m2 = [1, 2] (must be 3 or 6 numbers in brackets"},
      {"shape: box, size_m: [0.1, 0.2, 0.3]", "shape: half_space",
       "s.yaml:4: rigid_bodies.crate.shape = half_space (must be one of box, sphere"},
      {"[[0, 0, 1], [0.5, 0, 1], [0.5, 0.5, 1]]", "[[0, 0, 1]]",
       "s.yaml:15: cables.cable.points_m = [[0, 0, 1]] (must be a list of 2 positions or more"},
      {"[[0, 0, 1], [0.5, 0, 1], [0.5, 0.5, 1]]", "[[0, 0, 1], [0, 0]]",
       "s.yaml:15: cables.cable.points_m.1 = [0, 0] (must be 3 numbers in brackets"},
      {"contact: segments", "contact: nodes",
       "s.yaml:20: cables.cable.contact = nodes (must be one of link_centres, segments"},
      {"contact: segments", "contact: link_centres",
       "s.yaml:21: cables.cable.self_contact = true (must be false"},
      {"panda_joint2: -0.3", "panda_joint2: 7",
       "s.yaml:26: robots.panda.q.panda_joint2 = 7 (must be in ["},
      {"panda_joint2: -0.3", "panda_joint9: 0",
       "s.yaml:26: robots.panda.q.panda_joint9 = 0 (must be a joint that moves by itself; did you"},
      {"panda_joint1: {stiff", "panda_joint9: {stiff",
       "s.yaml:28: robots.panda.joint_drives.panda_joint9 = {...} (must be a joint that moves"},
      {"{time_s: 1, target: 0.5}", "{time_s: 0, target: 0.5}",
       "s.yaml:28: robots.panda.joint_drives.panda_joint1.path.1.time_s = 0 (must be > 0"},
      {"link: panda_link7, frame", "link: panda_link77, frame",
       "s.yaml:30: robots.panda.pose_drives.hand.link = panda_link77 (must be the name of a link"},
      {"body: cable, at: rear", "body: cabel, at: rear",
       "s.yaml:32: mounts.rear.body = cabel (must be the name of a cable or a rigid body; did you "
       "mean cable?)"},
      {"at: rear, position_m", "at: body, position_m",
       "s.yaml:32: mounts.rear.at = body (must be rear or front"},
      {"robot: panda, link: panda_link7", "robot: pand, link: panda_link7",
       "s.yaml:33: mounts.front.robot = pand (must be the name of a robot; did you mean panda?)"},
      {"robot: panda, link: panda_link7", "robot: panda, link: panda_lnk7",
       "s.yaml:33: mounts.front.link = panda_lnk7 (must be a link of the robot; did you mean "
       "panda_link7?)"},
      {"robot: panda, link: panda_link7", "link: panda_link7",
       "s.yaml:33: mounts.front.link = panda_link7 (must be given together with robot)"},
      {"robot: panda, link: panda_link7", "robot: panda, link: panda_link7, position_m: [1, 0, 0]",
       "s.yaml:33: mounts.front.position_m = [1, 0, 0] (must be left out beside robot)"},
      {"robot: panda, link: panda_link7", "track: a.txt, path: [{time_s: 0}]",
       "s.yaml:33: mounts.front.path = [{time_s: 0}] (must be left out beside track)"},
      {"stiffness_N_m: 100, stiff", "stiff",
       "s.yaml:34: mounts.held.stiffness_N_m = nothing (must be given"},
      {"obstacle: crate", "obstacle: crat",
       "s.yaml:36: friction_pairs.0.obstacle = crat (must be the name of an obstacle; did you mean "
       "crate?)"},
      {"sensor: front, axis", "sensor: frnt, axis",
       "s.yaml:43: checks.pull.sensor = frnt (must be the name of a mount, an attachment or a "
       "force sensor; did"},
      {", tolerance_N: 0.1", "",
       "s.yaml:43: checks.pull (must have relative_tolerance or tolerance_N, one of them)"},
      {", force_rms_bound_N: 0.1", "",
       "s.yaml:44: checks.compared (must have force_rms_bound_N or position_bound_m)"},
      {"body: cable, at: front, above", "body: crate, at: front, above",
       "s.yaml:45: checks.end.at = front (must be body for a rigid body)"},
      {"from_s: 0.5, to_s: 1}\n", "from_s: 0.5, to_s: 0.53}\n",
       "s.yaml:47: checks.still.to_s = 0.53 (must be at least two steps"},
      {"body: crate, from_s", "body: panda, from_s", "s.yaml:47: checks.still.body = panda (must"},
  };
  for (const auto& [passage, replacement, error] : bad)
    EXPECT_THAT(message(changed(passage, replacement)), StartsWith(error)) << replacement;
  EXPECT_THAT(message("name: empty\n"), HasSubstr("must have at least one body"));
}

TEST(ShortKeys, NameTheOneObjectOfTheFile) {
  const ScenarioFile file(bodies_scenario());
  const Scenario s = load_scenario(
      file.path(), {"cable.links=80", "panda.q.panda_joint2=-0.1", "panda.q.panda_joint6=1",
                    "front.stiffness_N_m=7", "crate.position_m.1=4", "check.value_N=2"});
  EXPECT_EQ(s.scene.cables[0].links, 80);
  EXPECT_EQ(s.scene.robots[0].q[1], -0.1);
  EXPECT_EQ(s.scene.robots[0].q[5], 1);
  EXPECT_EQ(s.scene.mounts[1].stiffness_N_m, 7);
  EXPECT_EQ(s.scene.rigid_bodies[0].pose.position.y, 4);
  EXPECT_EQ(std::get<SensorForce>(s.checks[0].kind).value_N, 2);
}

TEST(ShortKeys, StandForTheWholeKeyWhereRangesAreDrawn) {
  const Scenario s =
      load_scenario(ScenarioFile(bodies_scenario()).path(), {"cable.youngs_modulus_Pa=5e6"}, 1);
  EXPECT_EQ(s.scene.cables[0].material.youngs_modulus_Pa, 5e6);
  EXPECT_EQ(s.drawn.size(), 3u);
}

TEST(LoadBodies, JointsEaseAsPathsDo) {
  const Scenario s = load_scenario(ScenarioFile(bodies_scenario()).path(),
                                   {"robots.panda.joint_drives.panda_joint1.ease=none"});
  EXPECT_EQ(s.scene.robots[0].joint_drives[0].profile, PathProfile::linear);
  EXPECT_EQ(load_scenario(ScenarioFile(s.resolved_yaml).path()).resolved_yaml, s.resolved_yaml);
  EXPECT_THAT(test::message(ScenarioFile(bodies_scenario()),
                            {"robots.panda.joint_drives.panda_joint1.ease=jerk"}),
              HasSubstr("(must be one of minimum_jerk, none"));
}

TEST(ShortKeys, PathsStartFromTheWorkingDirectory) {
  const ScenarioFile file(bodies_scenario());
  const Scenario s = load_scenario(file.path(), {"check.reference=table.csv"});
  EXPECT_EQ(*std::get<ReferenceCsv>(s.checks[1].kind).reference,
            (std::filesystem::current_path() / "table.csv").string());
}

TEST(ShortKeys, AmbiguousAndUnknownOnesNameTheCandidates) {
  const ScenarioFile file(changed("  pull: {check", "  front: {check"));
  EXPECT_EQ(message(file, {"front.value_N=3"}), "");  // only the check has it
  EXPECT_EQ(message(file, {"front.moment=false"}), "");
  EXPECT_EQ(message(file, {"front.sensr=3"}),
            "--set front.sensr=3: front.sensr (none of them has the key sensr; write mounts.front "
            "or checks.front)");
  EXPECT_EQ(message(file, {"check.body=cable"}),
            "--set check.body=cable: check.body (several objects have it; write checks.end or "
            "checks.still)");
  EXPECT_EQ(message(file, {"check.bound_m=3"}),
            "--set check.bound_m=3: check.bound_m (none of them has the key bound_m; write "
            "checks.front or checks.compared or checks.end or checks.balance or checks.still)");
  EXPECT_THAT(message(file, {"cable.lnks=3"}), HasSubstr("did you mean cables.cable.links?"));
  EXPECT_THAT(message(file, {"cabel.links=3"}), HasSubstr("did you mean cables.cable.links?"));
}

}  // namespace
}  // namespace nodia

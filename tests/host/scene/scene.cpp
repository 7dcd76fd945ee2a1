#include "host/scene/scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>

#include "kernels/core/error.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A tetrahedron over a floor, one node held.
Scene good_scene() {
  Scene scene;
  SoftBodyDescription body;
  body.name = "mat";
  body.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  body.mesh.tets = {{0, 1, 2, 3}};
  body.mesh.node_sets = {{"edge", {0, 1}}, {"empty", {}}};
  scene.soft_bodies.push_back(body);
  ObstacleDescription floor;
  floor.name = "floor";
  scene.obstacles.push_back(floor);
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "mat";
  grip.node_set = "edge";
  scene.attachments.push_back(grip);
  scene.friction_pairs.push_back({"mat", "floor", 0.2, 0.4});
  return scene;
}

void expect_rejected(const Scene& scene, const std::string& message) {
  EXPECT_THAT([&] { scene.validate(); }, ThrowsMessage<InputError>(HasSubstr(message)));
}

/// Sets a number of the good scene to each bad value; `get` finds it in a scene.
template <class Get>
void expect_bad_numbers(const Get& get, const std::string& key, std::vector<double> bad,
                        const std::string& rule) {
  bad.push_back(kNan);
  for (const double value : bad) {
    SCOPED_TRACE(key + " = " + std::to_string(value));
    Scene scene = good_scene();
    get(scene) = value;
    expect_rejected(scene, key + " = ");
    expect_rejected(scene, "(must be " + rule);
  }
}

Scene with_shape(const Shape& shape) {
  Scene scene = good_scene();
  scene.obstacles[0].shape = shape;
  return scene;
}

TEST(SceneValidate, AcceptsAGoodScene) {
  EXPECT_NO_THROW(good_scene().validate());
}

TEST(SceneValidate, SaysEverythingInOneLine) {
  Scene scene = good_scene();
  scene.obstacles[0].friction = -1;
  try {
    scene.validate();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "obstacles.floor.friction = -1 (must be >= 0; try 0.3)");
  }
}

TEST(SceneValidate, Gravity) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double bad : {kNan, kInfinity}) {
      Scene scene = good_scene();
      scene.gravity_m_s2[axis] = bad;
      expect_rejected(scene, "gravity_m_s2 = [");
    }
  }
}

TEST(SceneValidate, Time) {
  expect_bad_numbers([](Scene& s) -> double& { return s.time.step_s; }, "time.step_s",
                     {0, -0.01, 1.01, kInfinity}, "in (0, 1]");
  expect_bad_numbers([](Scene& s) -> double& { return s.time.theta; }, "time.theta",
                     {0.49, 1.01, -1}, "in [0.5, 1]");
  expect_bad_numbers([](Scene& s) -> double& { return s.time.duration_s; }, "time.duration_s",
                     {0, -1, kInfinity}, "> 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.time.duration_s; }, "time.duration_s",
                     {1e300, 3e7}, "");
}

TEST(SceneValidate, TimeBoundsAreAllowed) {
  Scene scene = good_scene();
  scene.time = {{1, 0.5}, 1};
  EXPECT_NO_THROW(scene.validate());
  scene.time = {{0.01, 1}, 1e7};
  EXPECT_NO_THROW(scene.validate());
}

TEST(SceneValidate, Contact) {
  expect_bad_numbers([](Scene& s) -> double& { return s.contact.margin_m; }, "contact.margin_m",
                     {-1e-9, kInfinity}, ">= 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.contact.rest_speed_m_s; },
                     "contact.rest_speed_m_s", {-1, kInfinity}, ">= 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.contact.penetration_recovery; },
                     "contact.penetration_recovery", {-0.1, 1.1}, "in [0, 1]");
  expect_bad_numbers([](Scene& s) -> double& { return s.contact.recovery_speed_m_s; },
                     "contact.recovery_speed_m_s", {0, -1, kInfinity}, "> 0");
}

TEST(SceneValidate, NamesHaveNoControlCharactersAndNoTags) {
  const std::string rule = " (must be without control characters and <)";
  for (const auto& [name, shown] : {std::pair{"a<b", "a<b"},
                                    {"a\nb", "a?b"},
                                    {"\x1b[2J", "?[2J"},
                                    {"\x7f", "?"},
                                    {"\xc2\x9b"
                                     "2J",
                                     "??2J"}}) {
    Scene scene = good_scene();
    scene.name = name;
    expect_rejected(scene, fmt::format("name = {}{}", shown, rule));
    scene = good_scene();
    scene.soft_bodies[0].name = name;
    expect_rejected(scene, fmt::format("bodies.0.name = {}{}", shown, rule));
  }
  for (const char* name : {"", "mat 2", "a > b & c", "\xc2\xa0", "\xc3\xa9t\xc3\xa9"}) {
    Scene scene = good_scene();
    scene.name = name;
    EXPECT_NO_THROW(scene.validate()) << name;
  }
}

TEST(SceneValidate, NamesAreUniqueAndNotEmpty) {
  Scene scene = good_scene();
  scene.soft_bodies[0].name = "";
  expect_rejected(scene, "bodies.0.name = '' (must be not empty");
  scene = good_scene();
  scene.soft_bodies.push_back(scene.soft_bodies[0]);
  expect_rejected(scene, "bodies.1.name = mat (must be unique");
  scene = good_scene();
  scene.obstacles[0].name = "";
  expect_rejected(scene, "obstacles.0.name = ''");
  scene = good_scene();
  scene.obstacles.push_back(scene.obstacles[0]);
  expect_rejected(scene, "obstacles.1.name = floor (must be unique");
  scene = good_scene();
  scene.attachments[0].name = "";
  expect_rejected(scene, "attachments.0.name = ''");
  scene = good_scene();
  scene.attachments.push_back(scene.attachments[0]);
  expect_rejected(scene, "attachments.1.name = grip (must be unique");
}

TEST(SceneValidate, NeedsABody) {
  expect_rejected(Scene{}, "must have at least one body");
}

TEST(SceneValidate, SoftBodyMesh) {
  Scene scene = good_scene();
  std::swap(scene.soft_bodies[0].mesh.tets[0][0], scene.soft_bodies[0].mesh.tets[0][1]);
  expect_rejected(scene, "bodies.mat.mesh: ");
  expect_rejected(scene, "inverted");
  scene = good_scene();
  scene.soft_bodies[0].mesh.nodes[1].x = kNan;
  expect_rejected(scene, "bodies.mat.mesh: ");
  scene = good_scene();
  scene.soft_bodies[0].mesh.tets.clear();
  expect_rejected(scene, "bodies.mat.mesh: ");
  for (const std::int32_t bad : {-1, 4}) {
    scene = good_scene();
    scene.soft_bodies[0].mesh.node_sets["edge"].push_back(bad);
    expect_rejected(scene, "bodies.mat.mesh: node of set edge = ");
  }
}

TEST(SceneValidate, SoftBodyNumbers) {
  const auto body = [](Scene& s) -> SoftBodyDescription& { return s.soft_bodies[0]; };
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).material.youngs_modulus_Pa; },
                     "bodies.mat.youngs_modulus_Pa", {0, -1}, "");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).material.poissons_ratio; },
                     "bodies.mat.poissons_ratio", {0.5, -1}, "");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).friction; }, "bodies.mat.friction",
                     {-0.1, kInfinity}, ">= 0");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).velocity.y; },
                     "bodies.mat.velocity_m_s", {kInfinity}, "finite");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).pose.position.z; },
                     "bodies.mat.position_m", {kInfinity}, "finite");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).pose.rotation(1, 1); },
                     "bodies.mat.pose.rotation", {1.1, 0, 1 + 1e-8, kInfinity}, "orthonormal");
  expect_bad_numbers([&](Scene& s) -> double& { return body(s).pose.rotation(0, 2); },
                     "bodies.mat.pose.rotation", {1e-8}, "orthonormal");
  Scene scene = good_scene();
  body(scene).pose.rotation(2, 2) = -1;
  expect_rejected(scene, "bodies.mat.pose.rotation determinant = -1 (must be 1");
}

TEST(SceneValidate, ObstacleNumbers) {
  expect_bad_numbers([](Scene& s) -> double& { return s.obstacles[0].friction; },
                     "obstacles.floor.friction", {-1, kInfinity}, ">= 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.obstacles[0].restitution; },
                     "obstacles.floor.restitution", {-0.1, 1.1}, "in [0, 1]");
  Scene scene = good_scene();
  scene.obstacles[0].path.keys = {{1, {}, {}}, {1, {}, {}}};
  expect_rejected(scene, "obstacles.floor.path.1.time_s = 1 (must be > 1");
}

TEST(SceneValidate, ShapeDimensionsAsTheKindNeeds) {
  EXPECT_NO_THROW(with_shape({ShapeKind::half_space, {}, 0, 0, {}}).validate());
  EXPECT_NO_THROW(with_shape({ShapeKind::box, {1, 2, 3}, 0, 0, {}}).validate());
  EXPECT_NO_THROW(with_shape({ShapeKind::sphere, {}, 1, 0, {}}).validate());
  EXPECT_NO_THROW(with_shape({ShapeKind::cylinder, {}, 1, 1, {}}).validate());
  EXPECT_NO_THROW(with_shape({ShapeKind::capsule, {}, 1, 1, {}}).validate());
  for (const double bad : {0., -1., kNan, kInfinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      Shape box{ShapeKind::box, {1, 1, 1}, 0, 0, {}};
      box.size[axis] = bad;
      expect_rejected(with_shape(box), "obstacles.floor.size_m." + std::to_string(axis) + " = ");
    }
    const std::string radius = "obstacles.floor.radius_m = ";
    const std::string length = "obstacles.floor.length_m = ";
    expect_rejected(with_shape({ShapeKind::sphere, {}, bad, 0, {}}), radius);
    expect_rejected(with_shape({ShapeKind::cylinder, {}, bad, 1, {}}), radius);
    expect_rejected(with_shape({ShapeKind::cylinder, {}, 1, bad, {}}), length);
    expect_rejected(with_shape({ShapeKind::capsule, {}, bad, 1, {}}), radius);
    expect_rejected(with_shape({ShapeKind::capsule, {}, 1, bad, {}}), length);
  }
  expect_rejected(with_shape({static_cast<ShapeKind>(99), {}, 1, 1, {}}),
                  "obstacles.floor.shape.kind = 99");
}

TEST(SceneValidate, DistanceGridsComeWithTheirSamples) {
  const auto grid = std::make_shared<const DistanceGrid>(test::l_mesh(), 0.5);
  const Shape shape{ShapeKind::distance_grid, {}, 0, 0, grid->view()};
  Scene scene = with_shape(shape);
  expect_rejected(scene, "obstacles.floor.shape.grid = nothing");
  scene.obstacles[0].grid = grid;
  EXPECT_NO_THROW(scene.validate());
  scene.obstacles[0].grid = std::make_shared<const DistanceGrid>(*grid);
  expect_rejected(scene, "obstacles.floor.shape.grid = samples of another grid");
}

TEST(SceneValidate, Attachments) {
  Scene scene = good_scene();
  scene.attachments[0].body = "mad";
  expect_rejected(scene,
                  "attachments.grip.body = mad (must be the name of a body; did you mean mat?)");
  scene = good_scene();
  scene.attachments[0].node_set = "edges";
  expect_rejected(
      scene,
      "attachments.grip.node_set = edges (must be a node set of the body's mesh; did you "
      "mean edge?)");
  scene.soft_bodies[0].mesh.node_sets.clear();
  expect_rejected(scene, "there is none");
  scene = good_scene();
  scene.attachments[0].node_set = "empty";
  expect_rejected(scene, "attachments.grip.node_set = empty (must be a set with nodes");
  scene = good_scene();
  scene.attachments[0].path.keys = {{kNan, {}, {}}};
  expect_rejected(scene, "attachments.grip.path.0.time_s = nan");
  expect_bad_numbers([](Scene& s) -> double& { return s.attachments[0].stiffness_N_m; },
                     "attachments.grip.stiffness_N_m", {0, -1, kInfinity}, "> 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.attachments[0].release_time_s; },
                     "attachments.grip.release_time_s", {kInfinity}, "finite");
}

TEST(SceneValidate, FrictionPairs) {
  Scene scene = good_scene();
  scene.friction_pairs[0].body = "cat";
  expect_rejected(scene, "friction_pairs.0.body = cat (must be the name of a body");
  scene = good_scene();
  scene.friction_pairs[0].obstacle = "flour";
  expect_rejected(scene, "friction_pairs.0.obstacle = flour (must be the name of an obstacle");
  scene = good_scene();
  scene.friction_pairs.push_back(scene.friction_pairs[0]);
  expect_rejected(scene, "friction_pairs.1 = {...} (must be the only entry of mat and floor)");
  SoftBodyDescription other = scene.soft_bodies[0];
  other.name = "rug";
  scene.soft_bodies.push_back(other);
  scene.friction_pairs = {{"mat", "rug", 0.2, 0.2}, {"rug", "mat", 0.3, 0.3}};
  expect_rejected(scene, "friction_pairs.1 = {...} (must be the only entry of rug and mat)");
  expect_bad_numbers([](Scene& s) -> double& { return s.friction_pairs[0].friction_1; },
                     "friction_pairs.0.friction_1", {-0.1, kInfinity}, ">= 0");
  expect_bad_numbers([](Scene& s) -> double& { return s.friction_pairs[0].friction_2; },
                     "friction_pairs.0.friction_2", {-0.1, kInfinity}, ">= 0");
}

Scene scene_of_bodies() {
  Scene scene;
  RigidBodyDescription cube;
  cube.name = "cube";
  cube.shape.kind = ShapeKind::box;
  cube.shape.size = {0.1, 0.1, 0.1};
  scene.rigid_bodies.push_back(cube);
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{0, 0, 1}, {1, 0, 1}};
  scene.cables.push_back(cable);
  MountDescription mount;
  mount.name = "clamp";
  mount.body = "cable";
  mount.at = MountPoint::rear;
  scene.mounts.push_back(mount);
  return scene;
}

TEST(SceneValidate, RigidBodiesCablesAndMounts) {
  EXPECT_NO_THROW(scene_of_bodies().validate());
  struct Broken {
    const char* message;
    void (*change)(Scene&);
  };
  const Broken broken[] = {
      {"rigid_bodies.cube.mass_kg = 0 (must be in [1e-30, 1e+30]",
       [](Scene& s) { s.rigid_bodies[0].mass_kg = 0; }},
      {"rigid_bodies.cube.inertia_kg_m2",
       [](Scene& s) { s.rigid_bodies[0].inertia_kg_m2(0, 1) = 1e-3; }},
      {"rigid_bodies.cube.inertia_kg_m2",
       [](Scene& s) { s.rigid_bodies[0].inertia_kg_m2(2, 2) = 0; }},
      {"rigid_bodies.cube.shape = half_space",
       [](Scene& s) { s.rigid_bodies[0].shape.kind = ShapeKind::half_space; }},
      {"rigid_bodies.cube.friction = -1", [](Scene& s) { s.rigid_bodies[0].friction = -1; }},
      {"rigid_bodies.cube.restitution = 2", [](Scene& s) { s.rigid_bodies[0].restitution = 2; }},
      {"cables.cable.points_m = 1", [](Scene& s) { s.cables[0].points_m.pop_back(); }},
      {"cables.cable.points_m.1 = ",
       [](Scene& s) { s.cables[0].points_m[1] = s.cables[0].points_m[0]; }},
      {"cables.cable.links = 0", [](Scene& s) { s.cables[0].links = 0; }},
      {"cables.cable.radius_m = 0", [](Scene& s) { s.cables[0].radius_m = 0; }},
      {"cables.cable.self_contact = true",
       [](Scene& s) {
         s.cables[0].contact = RodContact::link_centres;
         s.cables[0].self_contact = true;
       }},
      {"obstacles.cube = {...} (must be named as no other",
       [](Scene& s) {
         s.obstacles.push_back({});
         s.obstacles[0].name = "cube";
       }},
      {"mounts.clamp.body = cabel", [](Scene& s) { s.mounts[0].body = "cabel"; }},
      {"mounts.clamp.at = body (must be rear or front",
       [](Scene& s) { s.mounts[0].at = MountPoint::body; }},
      {"mounts.clamp.robot = arm", [](Scene& s) { s.mounts[0].robot = "arm"; }},
      {"mounts.clamp.stiffness_N_m = nothing",
       [](Scene& s) {
         s.mounts[0].body = "cube";
         s.mounts[0].at = MountPoint::body;
       }},
  };
  for (const Broken& b : broken) {
    Scene scene = scene_of_bodies();
    b.change(scene);
    expect_rejected(scene, b.message);
  }
}

/// A slide with a sensor beside the grip.
Scene sensing_scene() {
  Scene scene = good_scene();
  RobotSceneDescription& robot = scene.robots.emplace_back();
  robot.name = "arm";
  robot.robot.links.resize(2);
  robot.robot.links[0].name = "base";
  RobotLink& link = robot.robot.links[1];
  link.name = "hand";
  link.parent = 0;
  link.joint.name = "slide";
  link.joint.kind = JointKind::prismatic;
  link.inertia = RigidInertia{1, {}, Mat3d::identity()};
  robot.force_sensors.push_back({"wrist", "hand"});
  return scene;
}

TEST(SceneValidate, ForceSensors) {
  EXPECT_NO_THROW(sensing_scene().validate());
  EXPECT_EQ(sensor_names(sensing_scene()), (std::vector<std::string>{"grip", "wrist"}));
  Scene scene = sensing_scene();
  scene.robots[0].force_sensors[0].link = "hnd";
  expect_rejected(
      scene,
      "robots.arm.force_sensors.wrist.link = hnd (must be the name of a link; did you mean "
      "hand?)");
  scene.robots[0].force_sensors[0].link = "base";
  expect_rejected(scene, "force_sensors.wrist.link = base (must be a link that hangs on a joint");
  for (const char* taken : {"grip", "wrist"}) {
    scene = sensing_scene();
    scene.robots[0].force_sensors.push_back({taken, "hand"});
    expect_rejected(scene,
                    std::string("robots.arm.force_sensors.") + taken +
                        " = {...} (must be named as no other mount, attachment or force sensor");
  }
  scene.robots[0].force_sensors.back().name = "";
  expect_rejected(scene, "robots.arm.force_sensors.1.name = '' (must be not empty");
}

/// The tetrahedron and the hand pushed.
Scene pushed_scene() {
  Scene scene = sensing_scene();
  scene.pushes.push_back({"shove", "mat", "", {1, 2, 3}, 0.1, 0.2});
  scene.pushes.push_back({"nudge", "arm", "hand", {1, 2, 3}, 0, 0.2});
  return scene;
}

TEST(SceneValidate, ExternalForces) {
  EXPECT_NO_THROW(pushed_scene().validate());
  struct Broken {
    const char* message;
    void (*change)(Scene&);
  };
  const Broken broken[] = {
      {"pushes.1.name = shove (must be unique", [](Scene& s) { s.pushes[1].name = "shove"; }},
      {"pushes.0.name = '' (must be not empty", [](Scene& s) { s.pushes[0].name = ""; }},
      {"pushes.shove.body = mad (must be the name of a body; did you mean mat?)",
       [](Scene& s) { s.pushes[0].body = "mad"; }},
      {"pushes.shove.body =  (must be the name of a body", [](Scene& s) { s.pushes[0].body = ""; }},
      {"pushes.shove.body = floor (must be the name of a body; an obstacle goes along its path",
       [](Scene& s) { s.pushes[0].body = "floor"; }},
      {"pushes.shove.link = hand (must be left out where the body is no robot",
       [](Scene& s) { s.pushes[0].link = "hand"; }},
      {"pushes.nudge.link = nothing (must be a link of the robot; try hand)",
       [](Scene& s) { s.pushes[1].link = ""; }},
      {"pushes.nudge.link = hnd (must be a link of the robot; did you mean hand?)",
       [](Scene& s) { s.pushes[1].link = "hnd"; }},
      {"pushes.nudge.link = base (must be a link that a joint moves; the robot's base holds it)",
       [](Scene& s) { s.pushes[1].link = "base"; }},
      {"pushes.nudge.link = hand (must be a link that a joint moves",
       [](Scene& s) { s.robots[0].robot.links[1].joint.kind = JointKind::fixed; }},
      {"pushes.shove.duration_s = 0 (must be > 0", [](Scene& s) { s.pushes[0].duration_s = 0; }},
      {"pushes.shove.duration_s = -0.05 (must be > 0",
       [](Scene& s) { s.pushes[0].duration_s = -0.05; }},
  };
  for (const Broken& b : broken) {
    Scene scene = pushed_scene();
    b.change(scene);
    expect_rejected(scene, b.message);
  }
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      Scene scene = pushed_scene();
      scene.pushes[0].force_N[axis] = bad;
      expect_rejected(scene, "pushes.shove.force_N = [");
      expect_rejected(scene, "(must be finite; in newtons)");
    }
    Scene scene = pushed_scene();
    scene.pushes[0].duration_s = bad;
    expect_rejected(scene, "pushes.shove.duration_s = ");
  }
  for (const double bad : {kNan, kInfinity, -1e-9}) {
    Scene scene = pushed_scene();
    scene.pushes[0].from_s = bad;
    expect_rejected(scene, "pushes.shove.from_s = ");
    expect_rejected(scene, "(must be >= 0");
  }
}

TEST(SolidInertia, IsThatOfTheTextbook) {
  Shape shape;
  shape.kind = ShapeKind::sphere;
  shape.radius = 0.5;
  EXPECT_DOUBLE_EQ(solid_inertia(shape, 2)(0, 0), 0.4 * 2 * 0.25);
  shape.kind = ShapeKind::cylinder;
  shape.length = 3;
  EXPECT_DOUBLE_EQ(solid_inertia(shape, 2)(0, 0), 2 * (3 * 0.25 + 9) / 12);
  EXPECT_DOUBLE_EQ(solid_inertia(shape, 2)(2, 2), 0.5 * 2 * 0.25);
  shape.kind = ShapeKind::box;
  shape.size = {1, 2, 3};
  EXPECT_DOUBLE_EQ(solid_inertia(shape, 12)(1, 1), 1.0 + 9);
  // A capsule without a tube is a sphere, by integration in between.
  shape.kind = ShapeKind::capsule;
  shape.length = 0;
  EXPECT_NEAR(solid_inertia(shape, 2)(0, 0), 0.4 * 2 * 0.25, 1e-15);
  EXPECT_NEAR(solid_inertia(shape, 2)(2, 2), 0.4 * 2 * 0.25, 1e-15);
  shape.length = 0.8;
  double volume = 0, across = 0, along = 0;
  const int n = 200000;
  for (int k = 0; k < n; ++k) {  // discs along z
    const double z = -0.9 + 1.8 * (k + 0.5) / n, over = std::max(0.0, std::fabs(z) - 0.4);
    const double r2 = 0.25 - over * over, area = M_PI * r2 * 1.8 / n;
    volume += area;
    along += area * r2 / 2;
    across += area * (r2 / 4 + z * z);
  }
  EXPECT_NEAR(solid_inertia(shape, 1)(2, 2), along / volume, 1e-8);
  EXPECT_NEAR(solid_inertia(shape, 1)(0, 0), across / volume, 1e-8);
}

TEST(SceneFriction, IsThatOfThePairOrTheLargerOfBoth) {
  Scene scene = good_scene();
  const PairFriction entry = scene.friction_of(surface_material(scene.soft_bodies[0]),
                                               surface_material(scene.obstacles[0]));
  EXPECT_EQ(entry.friction_1, 0.2);
  EXPECT_EQ(entry.friction_2, 0.4);
  scene.obstacles.push_back(scene.obstacles[0]);
  scene.obstacles[1].name = "wall";
  scene.obstacles[1].friction = 0.7;
  scene.soft_bodies[0].friction = 0.5;
  const PairFriction larger = scene.friction_of(surface_material(scene.soft_bodies[0]),
                                                surface_material(scene.obstacles[1]));
  EXPECT_EQ(larger.body, "mat");
  EXPECT_EQ(larger.obstacle, "wall");
  EXPECT_EQ(larger.friction_1, 0.7);
  EXPECT_EQ(larger.friction_2, 0.7);
  scene.soft_bodies[0].friction = 0.9;
  EXPECT_EQ(
      scene
          .friction_of(surface_material(scene.soft_bodies[0]), surface_material(scene.obstacles[1]))
          .friction_1,
      0.9);
}

}  // namespace
}  // namespace nodia

/// Meshes in contact: of rigid bodies on obstacles, of robots as their shapes, and refused where
/// they are no solids.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using test::ScenarioFile;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// OBJ of a block about the origin, of height 1.
std::string block(double side) {
  std::string text;
  for (const double z : {-0.5, 0.5})
    for (const auto& [x, y] :
         {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
      text += fmt::format("v {} {} {}\n", x * side / 2, y * side / 2, z);
  return text + "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
}

const std::string kCube = block(1);

/// A plate of 0.2 x 0.2 x 0.02 m that a drive presses down on a ball, by its shape.
class Meshes : public ::testing::Test {
 protected:
  ScenarioFile file(const std::string& geometry, const std::string& robot_keys = "") const {
    std::ofstream(folder_.file("robot.urdf")) << R"(<robot name="press"><link name="base"/>
  <link name="plate"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.1"/><geometry>)" + geometry +
                                                     R"(</geometry></collision></link>
  <joint name="down" type="prismatic"><parent link="base"/><child link="plate"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1000"/></joint>
</robot>)";
    return ScenarioFile(R"(name: press
time: {step_s: 0.005, duration_s: 0.5}
rigid_bodies:
  ball: {shape: sphere, radius_m: 0.03, mass_kg: 0.1, position_m: [0.012, 0.007, 0.03]}
robots:
  press:
    urdf: )" + folder_.file("robot.urdf") +
                        R"(
    position_m: [0, 0, 0.172]
    joint_drives: {down: {stiffness: 1000, damping: 50, path: [{time_s: 0, target: -0.02}]}}
    force_sensors: {wrist: {link: plate}}
)" + robot_keys + R"(obstacles:
  floor: {shape: half_space}
)");
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
  }
  /// Upward force of the ball on the plate at the end [N].
  double force(const ScenarioFile& scenario) const {
    Scenario s = load_scenario(scenario.path());
    SolverOptions options;
    options.tolerance = 1e-10;
    options.max_iterations = 20000;
    options.execution.threads = 1;
    Simulation simulation({s.scene}, options);
    for (int k = 0; k < 100; ++k) simulation.step();
    return simulation.state().q[0] < -0.5 ? -1
                                          : simulation.step().front().sensors[0].force_N.z + 9.81;
  }
  std::string refusal(const ScenarioFile& scenario) const {
    std::string text = message(scenario);
    for (std::size_t at; (at = text.find(folder_.path() + "/")) != std::string::npos;)
      text.erase(at, folder_.path().size() + 1);
    return text;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Meshes, PressAsTheirShapesDo) {
  put("cube.obj", kCube);
  const double box = force(file("<box size='0.2 0.2 0.02'/>"));
  EXPECT_NEAR(box, 1000 * 0.018, 0.1);  // 2 mm to the ball, and no weight: it is compensated
  for (const char* scale : {"0.2 0.2 0.02", "-0.2 0.2 0.02", "0.2 -0.2 -0.02"}) {
    const std::string mesh = std::string("<mesh filename='cube.obj' scale='") + scale + "'/>";
    EXPECT_NEAR(force(file(mesh)), box, 1e-6 * box) << scale;
    EXPECT_NEAR(force(file(mesh, "    mesh_grid_spacing_m: 0.004\n")), box, 1e-6 * box) << scale;
  }
}

/// Flat against flat: the mesh's own corners carry it, whichever of both is the mesh.
TEST_F(Meshes, StandOnFloorsAndCarryBodies) {
  put("cube.obj", kCube);
  const auto force_z = [&](const std::string& below, const std::string& body) {
    const ScenarioFile scenario(R"(name: stand
time: {duration_s: 0.5}
rigid_bodies:
  body: {)" + body + R"(, mass_kg: 2, position_m: [0, 0, 0.501]}
obstacles:
  below: {)" + below + R"(}
)");
    std::ofstream(scenario.folder().file("cube.obj")) << kCube;
    std::ofstream(scenario.folder().file("slab.obj")) << block(3);
    SolverOptions options;
    options.tolerance = 1e-10;
    options.max_iterations = 20000;
    options.execution.threads = 1;
    Simulation simulation({load_scenario(scenario.path()).scene}, options);
    for (int k = 0; k < 40; ++k) simulation.step();
    EXPECT_NEAR(simulation.state().frames[0].position.z, 0.5, 1e-4) << below << " " << body;
    return simulation.step().front().obstacle_force_N.z;
  };
  const std::string mesh = "shape: mesh, file: cube.obj, grid_spacing_m: 0.05",
                    slab = "shape: mesh, file: slab.obj, grid_spacing_m: 0.05",
                    box = "shape: box, size_m: [1, 1, 1]", under = ", position_m: [0, 0, -0.5]";
  EXPECT_NEAR(force_z("shape: half_space", mesh), 2 * 9.81, 1e-5);
  EXPECT_NEAR(force_z("shape: box, size_m: [3, 3, 1]" + under, mesh), 2 * 9.81, 1e-5);
  EXPECT_NEAR(force_z(slab + under, mesh), 2 * 9.81, 1e-5);
  EXPECT_NEAR(force_z(slab + under, box), 2 * 9.81, 1e-5);
  // A robot's plate pressed on the floor, 60 mm below it: of a ball beside it.
  const std::string cube = "<mesh filename='cube.obj' scale='0.2 0.2 0.02'/>";
  const auto press = [&](const std::string& geometry) {
    const ScenarioFile scenario = file(geometry);
    Scenario s = load_scenario(scenario.path(), {"rigid_bodies.ball.position_m=[1, 0, 0.03]"});
    s.scene.robots[0].joint_drives[0].path[0].target = -0.08;
    SolverOptions options;
    options.tolerance = 1e-10;
    options.execution.threads = 1;
    Simulation simulation({s.scene}, options);
    for (int k = 0; k < 100; ++k) simulation.step();
    return simulation.step().front().sensors[0].force_N.z + 9.81;
  };
  const double pressed = press(cube);
  EXPECT_NEAR(pressed, 1000 * 0.018, 0.1);
  EXPECT_NEAR(pressed, press("<box size='0.2 0.2 0.02'/>"), 1e-5 * pressed);
}

TEST_F(Meshes, AreRefusedInOneLine) {
  const std::string mesh = "<mesh filename='cube.obj' scale='0.2 0.2 0.02'/>";
  put("cube.obj", kCube);
  EXPECT_EQ(refusal(file(mesh)), "");
  EXPECT_THAT(refusal(file(mesh, "    mesh_grid_spacing_m: 0\n")),
              StartsWith("s.yaml:11: robots.press.mesh_grid_spacing_m = 0 (must be > 0"));
  EXPECT_THAT(refusal(file(mesh, "    mesh_grid_spacing_m: 1e-5\n")),
              StartsWith("s.yaml:7: robots.press.urdf: "));
  EXPECT_THAT(refusal(file(mesh, "    mesh_grid_spacing_m: 0.011\n")),
              HasSubstr("(must be at most half of the mesh's smallest extent of 0.02 m"));
  std::string open = kCube;
  put("cube.obj", open.substr(0, open.find("f 4 1 5 8")));
  const std::string refused = refusal(file(mesh, "    repair: none\n"));
  EXPECT_THAT(refused, StartsWith("s.yaml:7: robots.press.urdf: robot.urdf:"));
  EXPECT_THAT(refused,
              HasSubstr("link 'plate': cube.obj: the mesh is not closed: 4 edges are open"));
  EXPECT_EQ(refused.find('\n'), std::string::npos);
  EXPECT_EQ(refusal(file(mesh)), "");
  put("cube.obj", "v 0 0\n");
  EXPECT_THAT(refusal(file(mesh)), HasSubstr("cube.obj: cannot be read as a mesh (Assimp: "));
  EXPECT_EQ(refusal(file(mesh, "    collides: false\n")), "");  // it is not needed
  std::filesystem::remove(folder_.file("cube.obj"));
  EXPECT_THAT(refusal(file(mesh)),
              HasSubstr("mesh filename = 'cube.obj' (must be a file that can"));
  EXPECT_THAT(refusal(file("<mesh filename='cube.obj' scale='1 0 1'/>")), HasSubstr("cube.obj"));
}

}  // namespace
}  // namespace nodia

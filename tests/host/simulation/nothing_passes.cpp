/// Tests that bodies do not pass surfaces without a message: the contact margin of the search,
/// tunnelling that fails a step, and reported overlaps.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "fem/robot/urdf.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia::test {
namespace {

Scene above_floor(double step_s) {
  Scene scene;
  scene.name = "above_floor";
  scene.time.step_s = step_s;
  scene.obstacles.push_back(floor_obstacle(0.3));
  return scene;
}

/// The deepest that any step ends below the floor [m]; all steps converge and tell nothing.
double deepest_of_good_steps(const Scene& scene, int n_step, const std::string& solver = "cond") {
  SolverOptions options = tight(1e-9);
  options.solver = solver;
  Simulation simulation({scene}, options);
  double deepest = 0;
  for (int k = 0; k < n_step; ++k) {
    const StepRecord& record = simulation.step().front();
    EXPECT_EQ(record.solve.status, SolveStatus::converged)
        << "step " << record.step << ": " << record.solve.reason;
    EXPECT_TRUE(record.overlaps.empty());
    deepest = std::max(deepest, record.max_penetration_m);
  }
  return deepest;
}

constexpr double kStepsOfRest[] = {0.01, 0.02, 0.05, 0.1};

TEST(Reach, HoldsRigidBodiesThatFallFromRestWithinOneStep) {
  for (const double step_s : kStepsOfRest) {
    SCOPED_TRACE(step_s);
    Scene scene = above_floor(step_s);
    scene.rigid_bodies.push_back(rigid_box("box", {0.02, 0.02, 0.02}, 0.05, {0, 0, 0.013}));
    EXPECT_LT(deepest_of_good_steps(scene, 10), 1e-6);
  }
}

TEST(Reach, HoldsMeshesThatFallFromRestWithinOneStep) {
  const TriangleMesh mesh = box_mesh({-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01});
  for (const double step_s : kStepsOfRest) {
    SCOPED_TRACE(step_s);
    Scene scene = above_floor(step_s);
    scene.rigid_bodies.push_back(rigid_mesh("mesh", mesh, 500, {0, 0, 0.013}));
    EXPECT_LT(deepest_of_good_steps(scene, 10), 1e-6);
  }
}

TEST(Reach, HoldsSoftBodiesThatFallFromRestWithinOneStep) {
  for (const double step_s : kStepsOfRest) {
    SCOPED_TRACE(step_s);
    Scene scene = box_scene({0.02, 0.02, 0.02}, {2, 2, 2}, {0, 0, 0.003});
    scene.gravity_m_s2 = {0, 0, -9.81};
    scene.time.step_s = step_s;
    scene.obstacles.push_back(floor_obstacle(0.3));
    EXPECT_LT(deepest_of_good_steps(scene, 10), 1e-6);
  }
}

TEST(Reach, HoldsSoftBodiesOverSoftOnes) {
  Scene scene = box_scene({0.06, 0.06, 0.02}, {3, 3, 1}, {0, 0, 0.0001});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.time.step_s = 0.04;
  scene.obstacles.push_back(floor_obstacle(0.3));
  SoftBodyDescription upper = scene.soft_bodies[0];
  upper.name = "upper";
  upper.mesh = mesh_box({0.02, 0.02, 0.02}, {2, 2, 2});
  upper.pose.position = {0.021, 0.019, 0.0235};
  scene.soft_bodies.push_back(upper);
  EXPECT_LT(deepest_of_good_steps(scene, 5), 1e-4);
}

TEST(Reach, HoldsCablesThatFallFromRestWithinOneStep) {
  for (const double step_s : {0.01, 0.05}) {
    SCOPED_TRACE(step_s);
    Scene scene = above_floor(step_s);
    CableDescription cable;
    cable.name = "cable";
    cable.points_m = {{-0.05, 0, 0.006}, {0.05, 0, 0.006}};
    cable.links = 10;
    // COND stalls above this tolerance if the links touch along their whole length.
    for (const auto& [contact, solver] :
         {std::pair{RodContact::link_centres, "cond"}, {RodContact::segments, "newton"}}) {
      cable.contact = contact;
      scene.cables = {cable};
      EXPECT_LT(deepest_of_good_steps(scene, 10, solver), 1e-5);
    }
  }
}

/// A robot whose only joint lets its link, a box of 20 mm, slide down.
RobotSceneDescription dropping_robot(const TemporaryFolder& folder) {
  const std::string path = folder.file("drop.urdf");
  std::ofstream(path)
      << "<robot name='drop'><link name='base'/><link name='weight'><inertial><mass value='0.2'/>"
         "<inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/></inertial><collision>"
         "<geometry><box size='0.02 0.02 0.02'/></geometry></collision></link><joint name='slide' "
         "type='prismatic'><parent link='base'/><child link='weight'/><axis xyz='0 0 1'/><limit "
         "lower='-1' upper='1' effort='0' velocity='10'/></joint></robot>";
  RobotSceneDescription robot;
  robot.name = "drop";
  robot.robot = read_urdf(path);
  robot.base.position = {0, 0, 0.013};
  robot.gravity_compensation = false;
  return robot;
}

TEST(Reach, HoldsLinksOfRobotsThatFallFromRestWithinOneStep) {
  const TemporaryFolder folder;
  for (const double step_s : {0.01, 0.05}) {
    SCOPED_TRACE(step_s);
    Scene scene = above_floor(step_s);
    scene.robots.push_back(dropping_robot(folder));
    EXPECT_LT(deepest_of_good_steps(scene, 10), 1e-6);
  }
}

TEST(Reach, HoldsBodiesThatAForceSetsInMotion) {
  Scene scene = above_floor(0.05);
  scene.gravity_m_s2 = {};
  RigidBodyDescription box = rigid_box("box", {0.02, 0.02, 0.02}, 0.05, {0, 0, 0.013});
  box.force_N = {0, 0, -5};
  scene.rigid_bodies.push_back(box);
  EXPECT_LT(deepest_of_good_steps(scene, 5), 1e-6);
}

/// A box at rest over a thin plate, far below it nothing; a fast heavy one hits it from above.
Scene shot_through_a_plate() {
  Scene scene;
  scene.name = "shot";
  scene.gravity_m_s2 = {};
  scene.time.step_s = 0.01;
  scene.rigid_bodies.push_back(rigid_box("target", {0.02, 0.02, 0.02}, 0.01, {0, 0, 0.05}));
  RigidBodyDescription hammer = rigid_box("hammer", {0.03, 0.03, 0.03}, 10, {0.002, 0.001, 0.085});
  hammer.velocity_m_s = {0, 0, -20};
  scene.rigid_bodies.push_back(hammer);
  ObstacleDescription plate;
  plate.name = "plate";
  plate.shape = {ShapeKind::box, {0.015, 0.015, 0.002}, 0, 0, {}};
  scene.obstacles.push_back(plate);
  return scene;
}

TEST(Tunnelling, ThatNoContactSpokeOfFailsTheStepByName) {
  Scene scene = shot_through_a_plate();
  // The hammer hits the edge of the target and turns by 76 degrees in the step.
  scene.rigid_bodies[1].pose.position = {0.02, 0, 0.085};
  scene.obstacles[0].path.keys.push_back({0, {-0.006, 0, 0.02}, {}});
  SolverOptions options;
  options.solver = "cond";  // solves a step once
  Simulation simulation({scene}, options);
  const StepRecord record = simulation.step().front();
  EXPECT_EQ(record.solve.status, SolveStatus::failed);
  EXPECT_NE(record.solve.reason.find("'hammer' came "), std::string::npos) << record.solve.reason;
  EXPECT_NE(record.solve.reason.find("into or through 'plate' without a contact"),
            std::string::npos)
      << record.solve.reason;
  EXPECT_FALSE(simulation.failed(0));  // goes on
}

/// Bodies at rest in a row over a thin plate; a fast heavy one hits the first of them.
Scene row_over_a_plate(int n_body) {
  Scene scene;
  scene.name = "row";
  scene.gravity_m_s2 = {};
  scene.time.step_s = 0.01;
  ObstacleDescription plate;
  plate.name = "plate";
  plate.shape = {ShapeKind::box, {0.1, 0.1, 0.002}, 0, 0, {}};
  scene.obstacles.push_back(plate);
  for (int k = 0; k <= n_body; ++k) {
    const bool is_hammer = k == n_body;
    const Shape box{ShapeKind::box, {0.02, 0.02, 0.02}, 0, 0, {}};
    const Shape ball{ShapeKind::sphere, {}, 0.01, 0, {}};
    RigidBodyDescription body = rigid_shape("body" + std::to_string(k), k % 2 == 0 ? ball : box,
                                            is_hammer ? 1 : 0.01, {0, 0, 0.03 + 0.03 * k});
    if (is_hammer) body.velocity_m_s = {0, 0, -8};
    scene.rigid_bodies.push_back(body);
  }
  return scene;
}

TEST(Tunnelling, OfBodiesThatAreHitInARowIsPreventedByOtherSolves) {
  for (const int n_body : {1, 2, 3}) {
    SCOPED_TRACE(n_body);
    EXPECT_LT(deepest_of_good_steps(row_over_a_plate(n_body), 5, "newton"), 1e-5);
  }
}

TEST(Tunnelling, OfASoftBodyThatIsHitIsPreventedByAnotherSolve) {
  Scene scene = row_over_a_plate(1);
  scene.rigid_bodies.erase(scene.rigid_bodies.begin());
  scene.rigid_bodies[0].mass_kg = 0.05;
  scene.soft_bodies = box_scene({0.02, 0.02, 0.02}, {2, 2, 2}, {-0.01, -0.01, 0.02}).soft_bodies;
  scene.soft_bodies[0].material.youngs_modulus_Pa = 1e6;
  EXPECT_LT(deepest_of_good_steps(scene, 10, "newton"), 1e-4);
}

TEST(Overlap, OfBodiesThatTurnFastIsPreventedByOtherSolves) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int n_deep = 0, n_step = 0;
  for (int sample = 0; sample < 20; ++sample) {
    Scene scene = above_floor(0.005);
    scene.rigid_bodies = {
        rigid_box("base", {0.06, 0.06, 0.03}, 0.1, {0, 0, 0.015}),
        rigid_box("bar", {0.03, 0.04, 0.05}, 0.06, {0.02 * uniform(random), 0, 0.1})};
    scene.rigid_bodies[1].angular_velocity_rad_s = {150 * uniform(random), 150 * uniform(random),
                                                    150 * uniform(random)};
    Simulation simulation({scene}, SolverOptions{});
    double energy = HUGE_VAL;
    for (int k = 0; k < 60; ++k, ++n_step) {
      const StepRecord& record = simulation.step().front();
      EXPECT_EQ(record.solve.status, SolveStatus::converged) << record.solve.reason;
      n_deep += record.max_penetration_m > 3e-4;  // 1 % of the base
      const double now = record.kinetic_energy_J + record.potential_energy_J;
      EXPECT_LT(now, energy + 1e-4) << sample << " " << k << " " << energy;
      energy = now;
    }
  }
  EXPECT_EQ(n_deep, 0) << "of " << n_step;
}

TEST(Tunnelling, ASecondSolveDoesNotDependOnOtherEnvironments) {
  const Scene scene = row_over_a_plate(2);
  Simulation alone({scene}, SolverOptions{});
  Simulation batch({row_over_a_plate(2), row_over_a_plate(2), scene}, SolverOptions{});
  for (int k = 0; k < 5; ++k) {
    alone.step();
    batch.step();
    const State &a = alone.state(), &b = batch.state(2);
    for (std::size_t f = 0; f < a.frames.size(); ++f)
      EXPECT_EQ(a.frames[f].position.z, b.frames[f].position.z);
  }
}

TEST(Overlap, AtTheStartIsToldOnceWithPairAndDepth) {
  Scene scene = box_scene({0.03, 0.03, 0.03}, {2, 2, 2}, {0, 0, -5});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.obstacles.push_back(floor_obstacle(0.3));
  Simulation simulation({scene}, SolverOptions{});
  const StepRecord first = simulation.step().front();
  ASSERT_EQ(first.overlaps.size(), 1u);
  const OverlapNotice& told = first.overlaps[0];
  EXPECT_EQ(told.i, "box");
  EXPECT_EQ(told.j, "floor");
  EXPECT_NEAR(told.depth_m, 5, 1e-9);
  EXPECT_TRUE(told.at_start);
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(simulation.step().front().overlaps.empty());
  simulation.set_state(0, simulation.state());
  EXPECT_EQ(simulation.step().front().overlaps.size(), 1u);
}

TEST(Overlap, OfEveryKindAtTheStartIsTold) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {3, 3, 3});
  scene.rigid_bodies.push_back(rigid_box("inside", {0.02, 0.02, 0.02}, 0.05, {0.05, 0.05, 0.06}));
  scene.rigid_bodies.push_back(rigid_box("twin", {0.02, 0.02, 0.02}, 0.05, {0.5, 0, 0}));
  scene.rigid_bodies.push_back(rigid_box("other twin", {0.02, 0.02, 0.02}, 0.05, {0.5, 0, 0}));
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{-0.1, 0.05, 0.05}, {0.2, 0.05, 0.05}};
  cable.links = 15;
  scene.cables.push_back(cable);
  Simulation simulation({scene}, SolverOptions{});
  std::set<std::string> pairs;
  for (const OverlapNotice& o : simulation.step().front().overlaps) {
    if (!o.at_start) continue;
    EXPECT_TRUE(pairs.insert(o.i + "/" + o.j).second);
  }
  EXPECT_TRUE(pairs.count("box/inside"));
  EXPECT_TRUE(pairs.count("twin/other twin"));
  EXPECT_TRUE(pairs.count("box/cable"));
}

TEST(Overlap, ThatAStepBringsIsToldOncePerPairWhereItIsDeep) {
  // One iteration holds nothing.
  Scene scene = above_floor(0.01);
  RigidBodyDescription box = rigid_box("box", {0.02, 0.02, 0.02}, 0.05, {0, 0, 0.0101});
  box.velocity_m_s = {0, 0, -0.5};
  scene.rigid_bodies.push_back(box);
  scene.contact.penetration_recovery = 0;
  SolverOptions options;
  options.solver = "cond";
  options.max_iterations = 1;
  options.tolerance = 1e-12;
  Simulation simulation({scene}, options);
  int n_told = 0;
  double deepest = 0;
  for (int k = 0; k < 40; ++k) {
    const StepRecord& record = simulation.step().front();
    deepest = std::max(deepest, record.max_penetration_m);
    for (const OverlapNotice& o : record.overlaps) {
      ++n_told;
      EXPECT_FALSE(o.at_start);
      EXPECT_GT(o.share, 0.05);
      EXPECT_NEAR(o.share, o.depth_m / 0.02, 1e-12);
    }
  }
  EXPECT_EQ(n_told, deepest > 0.001 ? 1 : 0);
  EXPECT_GT(deepest, 0.001);
}

}  // namespace
}  // namespace nodia::test

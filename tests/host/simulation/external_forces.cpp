/// Pushes against the momentum, the shape and the energy that they leave behind.
#include "host/simulation/external_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/checkpoint.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/position_based/options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr double kFrom = 0.0137, kDuration = 0.0334;  // on the ends of no step

ExternalForceDescription external_force(const std::string& body, Vec3d force_N,
                                        double from_s = kFrom, double duration_s = kDuration) {
  ExternalForceDescription external_force;
  external_force.name = "push " + body;
  external_force.body = body;
  external_force.force_N = force_N;
  external_force.from_s = from_s;
  external_force.duration_s = duration_s;
  return external_force;
}

Vec3d force_of(int body) {
  return {2.0 + body, -1, 0.5 * body};
}

/// A soft body, a rigid one, a cable and, where it may have one, a compound, far from each other
/// and without weight.
Scene floating(bool with_compound) {
  Scene scene = box_scene({0.1, 0.06, 0.05}, {3, 2, 2});
  scene.soft_bodies[0].material.youngs_modulus_Pa = 2e3;
  scene.rigid_bodies.push_back(rigid_box("brick", {0.1, 0.05, 0.02}, 0.3, {10, 0, 0}));
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{20, 0, 0}, {20.2, 0, 0}, {20.2, 0.13, 0.1}};
  cable.links = 9;
  cable.material.youngs_modulus_Pa = 1e6;
  scene.cables.push_back(cable);
  if (!with_compound) return scene;
  CompoundDescription hammer;
  hammer.name = "hammer";
  hammer.pose.position = {30, 0, 0};
  for (const double z : {0.0, 0.1}) {
    CompoundPart& part = hammer.parts.emplace_back();
    part.name = z > 0 ? "head" : "handle";
    part.placed.shape = {ShapeKind::box, {0.02, 0.02 + z / 2, 0.1}, 0, 0, {}};
    part.placed.pose.position = {0, 0, z};
  }
  set_inertia(&hammer);
  scene.compounds.push_back(hammer);
  return scene;
}

/// All bodies pushed at once, each by a force of its own.
Scene all_pushed(bool with_compound = true) {
  Scene scene = floating(with_compound);
  scene.pushes = {external_force("box", force_of(0)), external_force("brick", force_of(1)),
                  external_force("cable", force_of(2))};
  if (with_compound) scene.pushes.push_back(external_force("hammer", force_of(3)));
  return scene;
}

SolverOptions position_based_options() {
  SolverOptions options;
  options.solver = "xpbd";
  options.execution.threads = 1;
  options.of<PositionBasedOptions>() = {5, 2};
  return options;
}

/// Of every body [kg m/s].
std::vector<Vec3d> momenta(const Scene& scene, const State& state) {
  BodySystem system(scene);
  TopologyPool pool;
  system.fix_topology({}, &pool);
  std::vector<Vec3d> momenta;
  for (const BodyRange& body : system.layout().bodies()) {
    Vec3d& sum = momenta.emplace_back();
    const std::int32_t stride = body.kind == BodyKind::soft ? 1 : 2;
    for (std::int32_t row = body.first_row; row < body.end_row(); row += stride)
      sum += system.mass()[static_cast<std::size_t>(row)] * state.v[static_cast<std::size_t>(row)];
  }
  return momenta;
}

State state_after(const Scene& scene, const SolverOptions& options, double time_s) {
  Simulation simulation({scene}, options);
  const int n = static_cast<int>(std::ceil(time_s / scene.time.step_s));
  for (int k = 0; k < n; ++k) {
    const StepRecord& record = simulation.step().front();
    EXPECT_NE(record.solve.status, SolveStatus::not_a_number) << record.solve.reason;
  }
  return simulation.state();
}

void expect_momenta(const Scene& scene, const State& state, double tolerance) {
  const std::vector<Vec3d> all = momenta(scene, state);
  for (std::size_t b = 0; b < all.size(); ++b) {
    const Vec3d expected = kDuration * force_of(static_cast<int>(b));
    EXPECT_LT(norm(all[b] - expected), tolerance * norm(expected))
        << "body " << b << " step " << scene.time.step_s << " theta " << scene.time.theta;
  }
}

/// Distance that the points of a body have from being where all of it moved by one translation.
double deformation(const State& start, const State& end, const BodyRange& body) {
  const auto place = [&](const State& s, std::int32_t k) {
    const auto i = static_cast<std::size_t>(k);
    return body.kind == BodyKind::soft ? s.x[i] : s.frames[i].position;
  };
  const Vec3d moved = place(end, body.first) - place(start, body.first);
  double worst = 0;
  for (std::int32_t k = body.first; k < body.end(); ++k)
    worst = std::max(worst, norm(place(end, k) - place(start, k) - moved));
  return worst;
}

void expect_no_deformation(const Scene& scene, const State& end) {
  const BodySystem system(scene);
  const State start = system.initial_state();
  for (const BodyRange& body : system.layout().bodies())
    EXPECT_LT(deformation(start, end, body), 1e-11);
  for (std::int32_t f = 0; f < system.layout().n_frame(); ++f) {
    const auto row = static_cast<std::size_t>(system.layout().frame_row(f));
    EXPECT_LT(norm(end.v[row + 1]), 1e-10 * norm(end.v[row])) << "frame " << f << " turns";
  }
}

TEST(ExternalForces, GiveTheirImpulseWhateverTheStep) {
  for (const double theta : {1.0, 0.5}) {
    for (const double step_s : {0.01, 0.0073, 0.05}) {
      Scene scene = all_pushed();
      scene.time.theta = theta;
      scene.time.step_s = step_s;
      expect_momenta(scene, state_after(scene, tight(1e-13), 0.06), 1e-11);
    }
  }
}

TEST(ExternalForces, OfAWholeBodyDeformAndTurnNothing) {
  const Scene scene = all_pushed();
  expect_no_deformation(scene, state_after(scene, tight(1e-13), 0.06));
}

TEST(ExternalForces, AreFeltByPositionBasedDynamicsToo) {
  for (const double step_s : {0.01, 0.0073, 0.05}) {
    Scene scene = all_pushed(false);
    scene.time.step_s = step_s;
    const State end = state_after(scene, position_based_options(), 0.06);
    expect_momenta(scene, end, 1e-10);
    expect_no_deformation(scene, end);
  }
}

TEST(ExternalForces, MoveTheirBodyAlone) {
  for (const SolverOptions& options : {tight(1e-13), position_based_options()}) {
    Scene scene = floating(false);
    scene.pushes = {external_force("cable", {1, 2, 3})};
    const std::vector<Vec3d> all = momenta(scene, state_after(scene, options, 0.06));
    EXPECT_LT(norm(all[0]), 1e-18);
    EXPECT_EQ(norm(all[1]), 0);
    EXPECT_GT(norm(all[2]), 0.1);
  }
}

TEST(ExternalForces, OfOneBodyAddUp) {
  Scene scene = floating(false);
  scene.pushes = {external_force("box", {1, 0, 0}, 0, 0.05),
                  external_force("box", {0, 2, 0}, 0.012, 0.008),
                  external_force("box", {-1, 0, 1}, 0.03, 0.07)};
  scene.pushes[1].name = "second";
  scene.pushes[2].name = "third";
  const Vec3d momentum = momenta(scene, state_after(scene, tight(1e-13), 0.1))[0];
  EXPECT_LT(norm(momentum - Vec3d{0.05 - 0.07, 0.016, 0.07}), 1e-12);
}

/// theta = 1/2 loses no energy: what bodies gain is the work; theta = 1 loses some.
TEST(ExternalForces, DoTheWorkThatBodiesGain) {
  for (const double theta : {0.5, 1.0}) {
    Scene scene = all_pushed();
    scene.time.theta = theta;
    scene.rigid_bodies[0].velocity_m_s = {-1, 0, 0};
    Simulation simulation({scene}, tight(1e-13));
    const double before = 0.5 * 0.3;
    double work = 0, lost = 0;
    for (int k = 0; k < 6; ++k) {
      const StepRecord& record = simulation.step().front();
      work += record.push_work_J;
      lost = work + before - record.kinetic_energy_J - record.potential_energy_J;
      if (record.time_s < kFrom) {
        EXPECT_EQ(record.push_work_J, 0);
      }
    }
    EXPECT_GT(std::fabs(work), 1e-3);
    if (theta == 0.5)
      EXPECT_NEAR(lost, 0, 1e-10);
    else
      EXPECT_GT(lost, 1e-6);
  }
}

TEST(ExternalForces, TellTheirWorkOfPositionBasedSteps) {
  Scene scene = floating(false);
  scene.pushes = {external_force("brick", {3, 0, 0}, 0, 0.02)};
  Simulation simulation({scene}, position_based_options());
  double work = 0;
  for (int k = 0; k < 4; ++k) work += simulation.step().front().push_work_J;
  // Substeps of 2 ms: position after n of them a h^2 n (n + 1)/2.
  EXPECT_NEAR(work, 3 * (3 / 0.3) * 4e-6 * 10 * 11 / 2, 1e-12);
}

/// A body that a push throws at a thin wall within one step is stopped by it: contacts are looked
/// for as far as the external force carries.
TEST(ExternalForces, ThrowNothingThroughAWall) {
  SolverOptions position_based = position_based_options();
  position_based.of<PositionBasedOptions>() = {20, 5};
  for (const SolverOptions& options : {tight(1e-6), position_based}) {
    Scene scene = box_scene({0.04, 0.04, 0.04}, {2, 2, 2});
    scene.rigid_bodies.push_back(rigid_box("brick", {0.04, 0.04, 0.04}, 0.064, {0.02, 1, 0.02}));
    ObstacleDescription wall;
    wall.name = "wall";
    wall.shape.kind = ShapeKind::box;
    wall.shape.size = {0.01, 4, 4};
    wall.path.keys = {{0, {0.2, 0, 0}, {}}};
    scene.obstacles.push_back(wall);
    // 0.064 kg to 50 m/s, half a metre within the step.
    scene.pushes = {external_force("box", {320, 0, 0}, 0, 0.01),
                    external_force("brick", {320, 0, 0}, 0, 0.01)};
    const State end = state_after(scene, options, 0.05);
    double farthest = end.frames[0].position.x + 0.02;
    for (const Vec3d& x : end.x) farthest = std::max(farthest, x.x);
    EXPECT_LT(farthest, 0.2) << options.solver;
  }
}

/// Slides along x and z carry a hand of 0.5 kg with its centre of mass beside its frame.
Scene cartesian_scene() {
  Scene scene;
  scene.name = "cartesian";
  scene.gravity_m_s2 = {};
  RobotSceneDescription& robot = scene.robots.emplace_back();
  robot.name = "robot";
  robot.robot = only_base("cartesian");
  robot.robot.links.push_back(moving_link("x", 0, JointKind::prismatic, {}, {1, 0, 0},
                                          {1, {}, diagonal(0.01, 0.01, 0.01)}));
  robot.robot.links.push_back(moving_link("z", 1, JointKind::prismatic, {}, {0, 0, 1},
                                          {2, {}, diagonal(0.01, 0.01, 0.01)}));
  robot.robot.links.push_back(moving_link("hand", 2, JointKind::fixed, {0.1, 0, 0}, {0, 0, 1},
                                          {0.5, {0, 0, -0.02}, diagonal(0.001, 0.001, 0.001)}));
  return scene;
}

TEST(ExternalForces, OfARobotsLinkMoveWhatItHangsOn) {
  Scene scene = cartesian_scene();
  ExternalForceDescription shove = external_force("robot", {7, 50, -5});
  shove.link = "hand";
  scene.pushes = {shove};
  for (const double theta : {1.0, 0.5}) {
    scene.time.theta = theta;
    const State end = state_after(scene, tight(1e-13), 0.06);
    EXPECT_NEAR(end.v[0].x, 7 * kDuration / 3.5, 1e-13);
    EXPECT_NEAR(end.v[0].y, -5 * kDuration / 2.5, 1e-13);
  }
}

/// At the centre of mass, 0.25 m below the joint, where its frame's origin would give nothing.
TEST(ExternalForces, OfALinkActOnItsCentreOfMass) {
  Scene scene = cartesian_scene();
  scene.robots[0].robot = chain(1);
  scene.time.step_s = 1e-5;
  ExternalForceDescription shove = external_force("robot", {4, 3, 9}, 0, 1e-5);
  shove.link = "link1";
  scene.pushes = {shove};
  const State end = state_after(scene, tight(1e-13), 1e-5);
  EXPECT_NEAR(end.v[0].x, -4 * 0.25 * 1e-5 / (0.04 + 2 * 0.0625), 1e-15);
}

TEST(ExternalForces, OfALinkAreReadByTheForceSensorsBeforeIt) {
  Scene scene = cartesian_scene();
  RobotSceneDescription& robot = scene.robots[0];
  for (const char* link : {"x", "hand"}) robot.force_sensors.push_back({link, link});
  for (const char* joint : {"to_x", "to_z"}) robot.joint_drives.push_back({joint, 1e4, 1e3, {}});
  ExternalForceDescription shove = external_force("robot", {7, 50, -5}, 0, 2);
  shove.link = "hand";
  scene.pushes = {shove};
  Simulation simulation({scene}, tight(1e-13));
  StepRecord record;
  for (int k = 0; k < 200; ++k) record = simulation.step().front();  // at rest against the drives
  const Vec3d arm_hand{0, 0, -0.02};
  ASSERT_EQ(record.sensors.size(), 2u);
  for (const Wrench& sensor : record.sensors)
    EXPECT_LT(norm(sensor.force_N - Vec3d{7, 50, -5}), 1e-6);
  EXPECT_LT(norm(record.sensors[1].torque_Nm - cross(arm_hand, Vec3d{7, 50, -5})), 1e-6);
}

/// A joint that the external force drives beyond its limit within a step is held there.
TEST(ExternalForces, OfALinkEndAtTheLimitsOfItsJoints) {
  Scene scene = cartesian_scene();
  scene.robots[0].robot.links[1].joint.upper = 0.02;
  scene.robots[0].robot.links[1].joint.lower = -0.02;
  ExternalForceDescription shove = external_force("robot", {1000, 0, 0}, 0, 0.01);
  shove.link = "x";
  scene.pushes = {shove};
  Simulation simulation({scene}, tight(1e-12));
  simulation.step();
  EXPECT_LT(simulation.state().q[0], 0.0201);
}

TEST(ExternalForces, GoOnFromACheckpointWithTheirBits) {
  const Scene scene = all_pushed();
  SolverOptions options;
  options.execution.threads = 1;
  Simulation whole({scene}, options), other({scene}, options);
  for (int k = 0; k < 3; ++k) whole.step();  // in the middle of the external force
  const Checkpoint there = whole.save(0);
  for (int k = 0; k < 4; ++k) whole.step();
  other.load(0, there);
  for (int k = 0; k < 4; ++k) other.step();
  EXPECT_TRUE(same_bits(whole.state(), other.state()));
  Scene later = scene;
  later.pushes[0].duration_s += 1e-3;
  Simulation of_another({later}, options);
  EXPECT_THROW(of_another.load(0, there), InputError);
}

TEST(ExternalForces, ActInTheirEnvironmentAlone) {
  Scene second = all_pushed();
  second.pushes.pop_back();
  second.pushes[0].force_N = {0, 0, 9};
  const std::vector<Scene> scenes{floating(true), all_pushed(), second};
  SolverOptions options;
  Simulation batch(scenes, options);
  for (int k = 0; k < 6; ++k) batch.step();
  for (int e = 0; e < 3; ++e) {
    SCOPED_TRACE(e);
    const Scene& scene = scenes[static_cast<std::size_t>(e)];
    EXPECT_TRUE(same_bits(batch.state(e), state_after(scene, options, 0.06)));
  }
  for (const Vec3d momentum : momenta(scenes[0], batch.state(0))) EXPECT_LT(norm(momentum), 1e-18);
  EXPECT_FALSE(same_bits(batch.state(1), batch.state(2)));
}

/// Before time 0, where scenes come to rest, nothing is pushed.
TEST(ExternalForces, BeginNotBeforeTimeZero) {
  Scene scene = floating(true);
  scene.pushes = {external_force("brick", {1, 0, 0}, 0, 1)};
  Simulation simulation({scene}, tight(1e-12));
  State state = simulation.state();
  state.time_s = -0.035;
  simulation.set_state(0, state);
  for (int k = 0; k < 3; ++k) simulation.step();
  EXPECT_EQ(momenta(scene, simulation.state())[1].x, 0);
  simulation.step();
  EXPECT_NEAR(momenta(scene, simulation.state())[1].x, 0.005, 1e-14);
}

TEST(ExternalForces, ThatAreTooStrongEndTheirEnvironmentWithTheReason) {
  Scene scene = all_pushed();
  scene.pushes[0].force_N = {1e308, 1e308, 1e308};
  scene.pushes.push_back(scene.pushes[0]);
  scene.pushes.back().name = "again";
  Simulation simulation({scene, all_pushed()}, {});
  std::vector<StepRecord> records;
  for (int k = 0; k < 3; ++k) records = simulation.step();
  EXPECT_TRUE(simulation.failed(0));
  EXPECT_FALSE(records[0].solve.reason.empty());
  EXPECT_TRUE(std::isnan(records[0].push_work_J));
  EXPECT_FALSE(simulation.failed(1));
}

}  // namespace
}  // namespace nodia::test

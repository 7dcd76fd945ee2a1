/// XPBD against known answers and against COND: what it converges to, and how fast.
#include "host/simulation/position_based/position_based.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/position_based/options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

SolverOptions xpbd(int substeps, int iterations = 1) {
  SolverOptions options;
  options.solver = "xpbd";
  options.execution.threads = 1;
  options.of<PositionBasedOptions>() = {substeps, iterations};
  return options;
}

/// The state after a time.
State run_for(const Scene& scene, const SolverOptions& options, double time_s,
              std::vector<StepRecord>* records = nullptr) {
  Simulation simulation({scene}, options);
  const int n = static_cast<int>(std::lround(time_s / scene.time.step_s));
  for (int k = 0; k < n; ++k) {
    const StepRecord& record = simulation.step().front();
    EXPECT_NE(record.solve.status, SolveStatus::not_a_number) << record.solve.reason;
    if (records) records->push_back(record);
  }
  return simulation.state();
}

RigidBodyDescription cube(double size, double mass, Vec3d position) {
  RigidBodyDescription body;
  body.name = "cube";
  body.shape.kind = ShapeKind::box;
  body.shape.size = {size, size, size};
  body.mass_kg = mass;
  body.inertia_kg_m2 = solid_inertia(body.shape, mass);
  body.pose.position = position;
  body.friction = 0;
  return body;
}

TEST(Xpbd, FreeFallIsImplicitEulersOfTheSubstep) {
  Scene scene;
  scene.name = "fall";
  scene.rigid_bodies.push_back(cube(0.1, 1, {0, 0, 10}));
  for (const int substeps : {1, 10, 100}) {
    const State end = run_for(scene, xpbd(substeps), 0.5);
    const double h = 0.01 / substeps, n = 50.0 * substeps;
    EXPECT_NEAR(end.frames[0].position.z, 10 - kG * h * h * n * (n + 1) / 2, 1e-10);
    EXPECT_NEAR(end.v[0].z, -kG * 0.5, 1e-10);
  }
}

TEST(Xpbd, AFreeBodyKeepsItsAngularMomentum) {
  Scene scene;
  scene.name = "turn";
  scene.gravity_m_s2 = {};
  RigidBodyDescription body = cube(0.1, 1, {});
  body.inertia_kg_m2 = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  body.angular_velocity_rad_s = {0.3, 2, 0.1};
  scene.rigid_bodies.push_back(body);
  const State end = run_for(scene, xpbd(5), 1);
  const auto momentum = [&](Quaternion q, Vec3d w) {
    return rotate(q, body.inertia_kg_m2 * inverse_rotate(q, w));
  };
  const Vec3d before = momentum({}, body.angular_velocity_rad_s),
              after = momentum(end.frames[0].orientation, end.v[1]);
  EXPECT_LT(norm(after - before), 1e-9);
}

/// A compound pendulum: a ball at 0.2 m from a ball joint, let go at 1 rad.
Scene pendulum() {
  Scene scene;
  scene.name = "pendulum";
  RigidBodyDescription ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.02;
  ball.mass_kg = 0.3;
  ball.inertia_kg_m2 = solid_inertia(ball.shape, ball.mass_kg);
  ball.pose.position = {0.2 * std::sin(1.0), 0, -0.2 * std::cos(1.0)};
  scene.rigid_bodies.push_back(ball);
  MountDescription mount;
  mount.name = "pivot";
  mount.body = "ball";
  mount.point_m = -1.0 * ball.pose.position;
  mount.moment = false;
  mount.stiffness_N_m = 1e6;
  mount.path.keys.push_back({});
  scene.mounts.push_back(mount);
  return scene;
}

/// Angle of the pendulum by RK4.
double pendulum_angle(double time_s) {
  const double L = 0.2, I = 0.3 * (L * L + 0.4 * 0.02 * 0.02), k = 0.3 * kG * L / I;
  double a = 1, w = 0;
  const int n = 100000;
  const double h = time_s / n;
  for (int i = 0; i < n; ++i) {
    const auto f = [&](double angle) { return -k * std::sin(angle); };
    const double k1a = w, k1w = f(a);
    const double k2a = w + h / 2 * k1w, k2w = f(a + h / 2 * k1a);
    const double k3a = w + h / 2 * k2w, k3w = f(a + h / 2 * k2a);
    const double k4a = w + h * k3w, k4w = f(a + h * k3a);
    a += h / 6 * (k1a + 2 * k2a + 2 * k3a + k4a);
    w += h / 6 * (k1w + 2 * k2w + 2 * k3w + k4w);
  }
  return a;
}

TEST(Xpbd, APendulumConvergesWithOrderOneAndItsSensorFeelsIt) {
  const double exact = pendulum_angle(0.5);
  double before = 0;
  for (const int substeps : {10, 20, 40}) {
    std::vector<StepRecord> records;
    const Vec3d p = run_for(pendulum(), xpbd(substeps), 0.5, &records).frames[0].position;
    EXPECT_NEAR(norm(p), 0.2, 1e-4);
    const double error = std::fabs(std::atan2(p.x, -p.z) - exact);
    if (before > 0) {
      EXPECT_NEAR(before / error, 2, 0.25) << substeps;
    }
    before = error;
  }
  EXPECT_LT(before, 0.01);
}

TEST(Xpbd, ASensorCarriesTheWeight) {
  Scene scene = pendulum();
  scene.rigid_bodies[0].pose.position = {0, 0, -0.2};
  scene.mounts[0].point_m = {0, 0, 0.2};
  std::vector<StepRecord> records;
  run_for(scene, xpbd(20), 0.1, &records);
  EXPECT_NEAR(records.back().sensors[0].force_N.z, -0.3 * kG, 2e-3);
  EXPECT_NEAR(records.back().sensors[0].force_N.x, 0, 1e-9);
}

/// A cable that hangs from a clamp like a beam, with a drag that brings it to rest.
Scene hanging_cable(int links) {
  Scene scene;
  scene.name = "hanging";
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{0, 0, 0}, {0.2, 0, 0}};
  cable.links = links;
  cable.radius_m = 2e-3;
  cable.material.youngs_modulus_Pa = 3e6;
  cable.material.density_kg_m3 = 1200;
  cable.material.drag_translation_N_s_m = 0.02;
  cable.material.drag_rotation_Nms_rad = 1e-6;
  scene.cables.push_back(cable);
  MountDescription clamp;
  clamp.name = "clamp";
  clamp.body = "cable";
  clamp.at = MountPoint::rear;
  clamp.path.keys.push_back({});
  scene.mounts.push_back(clamp);
  return scene;
}

TEST(Xpbd, AHangingCableComesToTheShapeOfCond) {
  const Scene scene = hanging_cable(10);
  std::vector<StepRecord> expected_records;
  const State expected = run_for(scene, tight(1e-8), 4, &expected_records);
  const Vec3d tip = expected.frames.back().position;
  EXPECT_LT(tip.z, -0.05);  // it does hang
  double before = 1;
  for (const int substeps : {20, 80}) {
    std::vector<StepRecord> records;
    const State end = run_for(scene, xpbd(substeps), 4, &records);
    double error = 0;
    for (std::size_t f = 0; f < end.frames.size(); ++f)
      error = std::max(error, norm(end.frames[f].position - expected.frames[f].position));
    EXPECT_LT(error, before);
    before = error;
    if (substeps == 80) {
      EXPECT_LT(
          norm(records.back().sensors[0].force_N - expected_records.back().sensors[0].force_N),
          0.02 * norm(expected_records.back().sensors[0].force_N));
    }
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Xpbd, ASoftBarSagsAsCondSaysWhereItsSweepsAreEnough) {
  Scene scene = box_scene({0.2, 0.04, 0.04}, {6, 1, 1});
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.soft_bodies[0].material.youngs_modulus_Pa = 3e5;
  scene.soft_bodies[0].material.rayleigh_mass_1_s = 20;
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "box";
  grip.stiffness_N_m = 1e4;
  for (int i = 0; i < static_cast<int>(scene.soft_bodies[0].mesh.nodes.size()); ++i)
    if (scene.soft_bodies[0].mesh.nodes[static_cast<std::size_t>(i)].x < 1e-9)
      scene.soft_bodies[0].mesh.node_sets["end"].push_back(i);
  grip.node_set = "end";
  scene.attachments.push_back(grip);
  const State expected = run_for(scene, tight(1e-8), 3);
  double sag = 0;
  for (const Vec3d& x : expected.x) sag = std::max(sag, -x.z);
  double before = 1;
  for (const int iterations : {1, 4}) {
    const State end = run_for(scene, xpbd(40, iterations), 3);
    double error = 0;
    for (std::size_t i = 0; i < end.x.size(); ++i)
      error = std::max(error, norm(end.x[i] - expected.x[i]));
    EXPECT_LT(error, before);
    before = error;
  }
  EXPECT_LT(before, 0.02 * sag);
}

TEST(Xpbd, FrictionHoldsABlockBelowItsAngleAndLetsItSlideAbove) {
  const double mu = 0.5, threshold = std::atan(mu);
  for (const double off : {-0.02, 0.02}) {
    const double angle = threshold + off;
    Scene scene;
    scene.name = "incline";
    scene.gravity_m_s2 = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
    scene.rigid_bodies.push_back(cube(0.1, 1, {0, 0, 0.05}));
    scene.obstacles.push_back(floor_obstacle(mu));
    const State end = run_for(scene, xpbd(20, 40), 0.5);
    const double a = kG * (std::sin(angle) - mu * std::cos(angle));
    const double x = end.frames[0].position.x;
    if (off < 0)
      EXPECT_NEAR(x, 0, 1e-6);
    else
      EXPECT_NEAR(x, 0.5 * a * 0.25, 0.02 * 0.5 * a * 0.25);
    EXPECT_NEAR(end.frames[0].position.z, 0.05, 1e-6);
  }
}

TEST(Xpbd, ContactCarriesTheWeightOfASoftBlock) {
  Scene scene = box_scene({0.1, 0.1, 0.05}, {3, 3, 2}, {0, 0, 1e-4});
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.soft_bodies[0].material.rayleigh_mass_1_s = 20;
  scene.obstacles.push_back(floor_obstacle(0.3));
  std::vector<StepRecord> records;
  run_for(scene, xpbd(20, 2), 1, &records);
  const double weight = 1000 * 0.1 * 0.1 * 0.05 * kG;
  EXPECT_NEAR(records.back().obstacle_force_N.z, weight, 0.02 * weight);
  EXPECT_LT(records.back().max_penetration_m, 1e-5);
}

// Detects forces that were not divided by the square of the substep.
TEST(Xpbd, ForcesDoNotDependOnTheNumberOfSubsteps) {
  for (const int substeps : {1, 7, 50}) {
    Scene scene;
    scene.name = "rest";
    scene.rigid_bodies.push_back(cube(0.1, 2, {0, 0, 0.05}));
    scene.obstacles.push_back(floor_obstacle(0.3));
    std::vector<StepRecord> records;
    run_for(scene, xpbd(substeps, 40), 0.1, &records);
    EXPECT_NEAR(records.back().obstacle_force_N.z, 2 * kG, 0.01 * 2 * kG) << substeps;
  }
}

TEST(Xpbd, SaysConvergedWhereItsEquationsAreMetAndNotElsewhere) {
  const Scene scene = hanging_cable(3);
  SolverOptions options = xpbd(50, 200);
  std::vector<StepRecord> records;
  run_for(scene, options, 0.02, &records);
  EXPECT_EQ(records.back().solve.status, SolveStatus::converged)
      << records.back().solve.relative_residual;
  EXPECT_EQ(records.back().solve.iterations, 50 * 200);
  records.clear();
  run_for(hanging_cable(40), xpbd(1, 1), 0.02, &records);
  EXPECT_EQ(records.back().solve.status, SolveStatus::iteration_limit);
  EXPECT_GT(records.back().solve.relative_residual, 1e-4);
}

std::string message_of(const Scene& scene, const SolverOptions& options) {
  try {
    Simulation({scene}, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Xpbd, RefusesWhatItDoesNotCover) {
  Scene scene = hanging_cable(3);
  scene.time.theta = 0.5;
  EXPECT_THAT(message_of(scene, xpbd(1)), testing::HasSubstr("time.theta = 0.5 (must be 1"));
  scene.time.theta = 1;
  scene.obstacles.push_back(floor_obstacle(0.3, 0.5));
  EXPECT_THAT(message_of(scene, xpbd(1)), testing::HasSubstr("floor.restitution = 0.5 (must be 0"));
  scene.obstacles.clear();
  EXPECT_THAT(message_of(scene, xpbd(0)), testing::HasSubstr("solver.xpbd.substeps = 0 (must be"));
  EXPECT_THAT(message_of(scene, xpbd(1, 0)),
              testing::HasSubstr("solver.xpbd.iterations = 0 (must be"));
}

TEST(Xpbd, IsNoSolverOfSingleProblems) {
  EXPECT_THROW(make_solver(xpbd(1)), InputError);
}

TEST(Xpbd, NotANumberEndsTheEnvironmentInItsStep) {
  const Scene scene = hanging_cable(3);
  Simulation simulation({scene, scene}, xpbd(2));
  State bad = simulation.state(0);
  bad.v[2].y = std::nan("");
  simulation.set_state(0, bad);
  const std::vector<StepRecord>& records = simulation.step();
  EXPECT_EQ(records[0].solve.status, SolveStatus::not_a_number);
  EXPECT_TRUE(simulation.failed(0));
  EXPECT_NE(records[1].solve.status, SolveStatus::not_a_number);
  EXPECT_FALSE(simulation.failed(1));
}

}  // namespace
}  // namespace nodia::test

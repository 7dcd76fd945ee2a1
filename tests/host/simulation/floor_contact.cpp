/// Contact with plane obstacles: weight, stick threshold, restitution, conveyor, balance (benchmark
/// 2).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "host/simulation/contact_rules.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

/// A flat block on the floor under gravity tilted by `angle` about y: an incline.
Scene incline(double angle, double friction) {
  Scene scene = box_scene({0.1, 0.1, 0.02}, {4, 4, 1});
  scene.gravity_m_s2 = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
  scene.soft_bodies[0].material.rayleigh_mass_1_s = 0;
  scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.02;
  scene.soft_bodies[0].friction = friction;
  scene.obstacles.push_back(floor_obstacle(friction));
  return scene;
}

TEST(FloorContact, BlockSticksJustBelowTheThreshold) {
  const double mu = 0.5, angle = std::atan(mu) - 0.1 * std::numbers::pi / 180;
  Simulation simulation({incline(angle, mu)}, tight(1e-11));
  for (int k = 0; k < 300; ++k)
    ASSERT_EQ(simulation.step().front().solve.status, SolveStatus::converged);
  double fastest = 0;
  const State& state = simulation.state();
  for (std::size_t i = 0; i < state.x.size(); ++i) fastest = std::max(fastest, norm(state.v[i]));
  EXPECT_LT(fastest, 1e-10);
}

TEST(FloorContact, BlockSlidesWithTheRightAccelerationJustAboveTheThreshold) {
  const double mu = 0.5, angle = std::atan(mu) + 0.1 * std::numbers::pi / 180;
  Simulation simulation({incline(angle, mu)}, tight(1e-11));
  const double expected = kG * (std::sin(angle) - mu * std::cos(angle));
  Vec3d before{};
  for (int k = 0; k < 600; ++k) {
    before = totals(simulation.model(), simulation.state()).momentum;
    simulation.step();
  }
  const Totals now = totals(simulation.model(), simulation.state());
  const double acceleration =
      (now.momentum.x - before.x) / now.mass / simulation.scene().time.step_s;
  EXPECT_NEAR(acceleration, expected, 1e-6);
}

TEST(FloorContact, FloorCarriesTheWeightAndForcesStayInTheCone) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {3, 3, 3}, {0, 0, 1e-3});
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.01;
  scene.obstacles.push_back(floor_obstacle(0.4));
  Simulation simulation({scene}, tight(1e-9));
  StepRecord last;
  for (int k = 0; k < 200; ++k) {
    last = simulation
               .step([&](const StepView& view) {
                 for (std::size_t c = 0; c < view.contacts().size(); ++c) {
                   const Vec3d l = view.lambda()[c];
                   ASSERT_GE(l.x, 0);
                   ASSERT_LE(std::hypot(l.y, l.z), view.contacts()[c].mu1 * l.x * (1 + 1e-12));
                 }
               })
               .front();
    ASSERT_LE(last.max_penetration_m, 1e-15);
  }
  const double weight = kG * totals(simulation.model(), simulation.state()).mass;
  EXPECT_NEAR(last.obstacle_force_N.z, weight, 1e-6 * weight);
  EXPECT_EQ(last.n_stick, 16);
}

TEST(FloorContact, ImpulseOfAllForcesIsTheChangeOfMomentum) {
  for (double theta : {0.5, 0.75, 1.0}) {
    Scene scene = box_scene({0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0, 2e-3});
    scene.gravity_m_s2 = {0, 0, -kG};
    scene.time.theta = theta;
    scene.soft_bodies[0].velocity = {0.7, 0, -0.3};
    scene.obstacles.push_back(floor_obstacle(0.2));
    Simulation simulation({scene}, tight(1e-12));
    for (int k = 0; k < 30; ++k) {
      const Vec3d before = totals(simulation.model(), simulation.state()).momentum;
      const StepRecord record = simulation.step().front();
      const Totals now = totals(simulation.model(), simulation.state());
      const Vec3d impulse =
          scene.time.step_s * (record.obstacle_force_N + now.mass * scene.gravity_m_s2);
      ASSERT_LT(norm(now.momentum - before - impulse), 1e-10) << "theta " << theta << " step " << k;
    }
  }
}

TEST(FloorContact, NodesLeaveWithTheRestitutionTimesTheirApproach) {
  for (double theta : {0.5, 1.0}) {
    for (double e : {0.0, 0.5, 1.0}) {
      Scene scene = box_scene({0.1, 0.1, 0.1}, {1, 1, 1}, {0, 0, 1e-4});
      scene.time.theta = theta;
      scene.soft_bodies[0].velocity = {0, 0, -0.5};
      scene.obstacles.push_back(floor_obstacle(0.0, e));
      Simulation simulation({scene}, tight(1e-12));
      double slowest = 1e9;
      simulation.step([&](const StepView& view) {
        ASSERT_EQ(view.contacts().size(), 4u);
        for (const auto& c : view.contacts())
          slowest = std::min(slowest, view.state().v[c.side_i].z);
      });
      // theta = 1 without restitution closes the gap: -gap/t.
      const double expected = theta == 1 && e == 0 ? -1e-4 / scene.time.step_s : e * 0.5;
      EXPECT_NEAR(slowest, expected, 1e-9) << "theta " << theta << " e " << e;
    }
  }
}

TEST(FloorContact, ConveyorCarriesABlockThatSticks) {
  Scene scene = box_scene({0.1, 0.1, 0.02}, {2, 2, 1});
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.02;
  ObstacleDescription belt = floor_obstacle(0.6);
  // Minimum jerk from rest to rest over 20 s: the largest acceleration is 5.77 L/T^2 = 0.029 m/s^2,
  // far below mu g.
  belt.path.keys = {{0, {0, 0, 0}, {}}, {20, {2, 0, 0}, {}}};
  scene.obstacles.push_back(belt);
  Simulation simulation({scene}, tight(1e-10));
  for (int k = 0; k < 400; ++k) simulation.step();
  const double t = simulation.state().time_s;
  const double belt_x = belt.path.at(t).position.x;
  const Totals now = totals(simulation.model(), simulation.state());
  EXPECT_GT(belt_x, 0.1);
  EXPECT_NEAR(now.centre.x - 0.05, belt_x, 1e-4);
  const double belt_speed = (belt.path.at(t).position.x - belt.path.at(t - 0.01).position.x) / 0.01;
  EXPECT_NEAR(now.momentum.x / now.mass, belt_speed, 1e-4);
}

TEST(FloorContact, PenetrationIsRemovedAtTheStatedSpeed) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {1, 1, 1}, {0, 0, -1e-3});
  scene.obstacles.push_back(floor_obstacle(0.3));
  Simulation simulation({scene}, tight(1e-12));
  double lowest = 0;
  simulation.step(
      [&](const StepView& view) { lowest = view.state().x[view.contacts()[0].side_i].z; });
  EXPECT_NEAR(lowest, -0.8e-3, 1e-9);
}

ContactMotion at(double gap, Vec3d velocity, Vec3d surface_velocity = {}) {
  return {gap, velocity, surface_velocity};
}

TEST(ContactPhi, FollowsTheTableOfItsContract) {
  const Mat3d R = frame_from_normal(Vec3d{0, 0, 1});
  const ContactTimes euler = contact_times({{0.01, 1.0}, 1.0}, ContactOptions{}),
                     midpoint = contact_times({{0.01, 0.5}, 1.0}, ContactOptions{});
  // Not closing: gap/t, no restitution.
  EXPECT_DOUBLE_EQ(contact_phi(at(0.01, {0, 0, -0.5}), R, 0.8, euler).x, 1.0);
  EXPECT_DOUBLE_EQ(contact_phi(at(0.01, {0, 0, -0.5}), R, 0.8, midpoint).x, 1.0);
  // Closing: restitution, below the gap's own term.
  EXPECT_DOUBLE_EQ(contact_phi(at(0.001, {0, 0, -0.5}), R, 0.8, euler).x, -0.4);
  EXPECT_DOUBLE_EQ(contact_phi(at(0.001, {0, 0, -0.5}), R, 0.0, euler).x, 0.1);
  EXPECT_DOUBLE_EQ(contact_phi(at(0.001, {0, 0, -0.5}), R, 0.8, midpoint).x, (0.5 - 0.4) * 0.5);
  // Slower than the rest speed: no restitution.
  EXPECT_DOUBLE_EQ(contact_phi(at(0, {0, 0, -0.005}), R, 0.8, euler).x, 0.0);
  // Penetrating: recovery, capped.
  EXPECT_DOUBLE_EQ(contact_phi(at(-0.001, {}), R, 0.0, euler).x, -0.02);
  EXPECT_DOUBLE_EQ(contact_phi(at(-1.0, {}), R, 0.0, euler).x, -0.5);
  // theta < 1: stick brings the next velocity to rest.
  const Vec3d phi = contact_phi(at(0, {0.3, 0.4, 0}), R, 0.0, midpoint);
  EXPECT_NEAR(std::hypot(phi.y, phi.z), 0.25, 1e-15);
  // A surface that moves like the node leaves nothing.
  const Vec3d surface{0.1, -0.2, 0.3};
  const Vec3d u = R * surface + contact_phi(at(0, surface, surface), R, 0.5, euler);
  EXPECT_LT(norm(u), 1e-15);
}

}  // namespace
}  // namespace nodia::test

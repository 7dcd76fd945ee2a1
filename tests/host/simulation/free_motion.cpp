/// Motion without contact: exact parabola, conserved momenta, order of the time scheme (benchmarks
/// 17 and 26).
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

TEST(FreeMotion, MidpointFallsOnTheExactParabolaWithExactEnergy) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {1, 1, 1});
  scene.gravity_m_s2 = {0.3, 0, -9.81};
  scene.time.theta = 0.5;
  scene.time.step_s = 1e-3;
  scene.soft_bodies[0].material.youngs_modulus_Pa = 100;
  scene.soft_bodies[0].velocity = {0.5, -0.25, 3};
  const Vec3d v0 = scene.soft_bodies[0].velocity, g = scene.gravity_m_s2;
  Simulation simulation({scene}, tight(1e-13));
  const Totals start = totals(simulation.model(), simulation.state());
  double energy0 = 0;
  for (int k = 1; k <= 10000; ++k) {
    const StepRecord& record = simulation.step().front();
    ASSERT_EQ(record.solve.status, SolveStatus::converged) << "step " << k;
    if (k == 1) energy0 = record.kinetic_energy_J + record.potential_energy_J;
    if (k % 2500 == 0) {
      const double t = k * scene.time.step_s;
      const Totals now = totals(simulation.model(), simulation.state());
      const Vec3d expected = start.centre + t * v0 + (0.5 * t * t) * g;
      const double scale = norm(t * v0) + norm((0.5 * t * t) * g);
      EXPECT_LT(norm(now.centre - expected), 1e-12 * scale) << "at " << t << " s";
      const double energy = record.kinetic_energy_J + record.potential_energy_J;
      EXPECT_NEAR(energy, energy0, 1e-12 * record.kinetic_energy_J);
    }
  }
}

TEST(FreeMotion, ImplicitEulerFallsOnItsOwnExactSequence) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {1, 1, 1});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.time.step_s = 0.01;
  Simulation simulation({scene}, tight(1e-12));
  const double z0 = totals(simulation.model(), simulation.state()).centre.z;
  for (int k = 1; k <= 100; ++k) simulation.step();
  // x_n = x_0 + g t^2 n (n + 1)/2
  EXPECT_NEAR(totals(simulation.model(), simulation.state()).centre.z - z0,
              -9.81 * 1e-4 * 100 * 101 / 2, 1e-10);
}

TEST(FreeMotion, VibratingBodyKeepsItsLinearMomentum) {
  for (double theta : {0.5, 1.0}) {
    Scene scene = box_scene({0.1, 0.05, 0.05}, {2, 1, 1});
    scene.time.theta = theta;
    Simulation simulation({scene}, tight(1e-13));
    State state = simulation.state();
    for (std::size_t i = 0; i < state.x.size(); ++i)
      state.v[i] = Vec3d{0.2, 0.1, -0.3} + cross(Vec3d{1, 2, 3}, state.x[i]) +
                   Vec3d{0.02 * std::sin(7.0 * i), 0.02 * std::cos(3.0 * i), 0};
    simulation.set_state(0, state);
    const Vec3d before = totals(simulation.model(), simulation.state()).momentum;
    for (int k = 0; k < 200; ++k) simulation.step();
    const Vec3d after = totals(simulation.model(), simulation.state()).momentum;
    EXPECT_LT(norm(after - before), 1e-10 * norm(before)) << "theta " << theta;
  }
}

/// Position of the free end of a hanging bar after 0.08 s, swinging from rest in small deformation.
Vec3d bar_after(double theta, double step_s) {
  Scene scene = box_scene({0.2, 0.05, 0.05}, {4, 1, 1});
  scene.gravity_m_s2 = {0, 0, -0.05};
  scene.soft_bodies[0].material.youngs_modulus_Pa = 1e5;
  scene.time.theta = theta;
  scene.time.step_s = step_s;
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "box";
  grip.node_set = "x_min";
  grip.stiffness_N_m = 500;
  scene.attachments.push_back(grip);
  Simulation simulation({scene}, tight(1e-12));
  const int steps = static_cast<int>(std::lround(0.08 / step_s));
  for (int k = 0; k < steps; ++k) simulation.step();
  return totals(simulation.model(), simulation.state()).centre;
}

double observed_order(double theta, double step_s) {
  const Vec3d coarse = bar_after(theta, step_s), middle = bar_after(theta, step_s / 2),
              fine = bar_after(theta, step_s / 4);
  return std::log2(norm(coarse - middle) / norm(middle - fine));
}

TEST(FreeMotion, MidpointIsOfSecondOrderAndImplicitEulerOfFirst) {
  EXPECT_NEAR(observed_order(0.5, 1e-3), 2.0, 0.1);
  EXPECT_NEAR(observed_order(1.0, 2.5e-4), 1.0, 0.1);
}

TEST(FreeMotion, UndampedMidpointDoesNotGainEnergy) {
  Scene scene = box_scene({0.2, 0.05, 0.05}, {4, 1, 1});
  scene.time.theta = 0.5;
  scene.time.step_s = 2e-3;
  Simulation simulation({scene}, tight(1e-12));
  State state = simulation.state();
  for (std::size_t i = 0; i < state.x.size(); ++i)
    state.v[i] = {0.05 * std::sin(30 * state.x[i].x), 0, 0};
  simulation.set_state(0, state);
  double first = 0, largest = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepRecord& r = simulation.step().front();
    if (k == 0) first = r.kinetic_energy_J + r.potential_energy_J;
    largest = std::max(largest, r.kinetic_energy_J + r.potential_energy_J);
  }
  EXPECT_LT(largest, 1.01 * first);
}

TEST(FreeMotion, FallFromTenMetresOnAWeakBodyStaysFinite) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0, 0.05});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.soft_bodies[0].material.youngs_modulus_Pa = 1e3;
  scene.soft_bodies[0].velocity = {0, 0, -14};
  scene.obstacles.push_back(floor_obstacle(0.3));
  Simulation simulation({scene}, tight(1e-5));
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = simulation.step().front();
    ASSERT_FALSE(simulation.failed(0)) << "step " << k;
    ASSERT_LT(record.max_penetration_m, 1e-9);
    ASSERT_TRUE(std::isfinite(record.potential_energy_J));
  }
}

}  // namespace
}  // namespace nodia::test

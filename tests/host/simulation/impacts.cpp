/// Impacts with restitution: touch and rebound within a step, against closed forms.
#include "host/simulation/impacts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/rigid_bodies.hpp"

namespace nodia::test {
namespace {

constexpr double kRadius = 0.1;

Scene on_floor(double step_s, double theta) {
  Scene scene;
  scene.name = "test";
  scene.time.step_s = step_s;
  scene.time.theta = theta;
  ObstacleDescription floor;
  floor.name = "floor";
  floor.shape.kind = ShapeKind::half_space;
  floor.friction = 0;
  scene.obstacles.push_back(floor);
  return scene;
}

RigidBodyDescription ball(const std::string& name, Vec3d position, double e, double mass_kg = 1) {
  Shape shape;
  shape.kind = ShapeKind::sphere;
  shape.radius = kRadius;
  RigidBodyDescription body = rigid_shape(name, shape, mass_kg, position);
  body.friction = 0;
  body.restitution = e;
  return body;
}

RigidBodyDescription box(const std::string& name, Vec3d size, Vec3d position, double e) {
  Shape shape;
  shape.kind = ShapeKind::box;
  shape.size = size;
  RigidBodyDescription body = rigid_shape(name, shape, 1, position);
  body.friction = 0;
  body.restitution = e;
  return body;
}

/// Energy of a single body of 1 kg. With theta > 1/2, a free body keeps this energy, and not that
/// of its velocity at the end of a step.
double flight_energy(const State& state, const RigidBodyDescription& body, const TimeStep& time) {
  const Vec3d v = state.v[0] - Vec3d{0, 0, (time.theta - 0.5) * time.step_s * kG};
  const Vec3d W = inverse_rotate(state.frames[0].orientation, state.v[1]);
  return 0.5 * squared_norm(v) + 0.5 * dot(W, body.inertia_kg_m2 * W) +
         kG * state.frames[0].position.z;
}

Simulation simulation_of(Scene scene, double tolerance = 1e-11) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.execution.threads = 1;
  std::vector<Scene> scenes;
  scenes.push_back(std::move(scene));
  return Simulation(std::move(scenes), options);
}

/// Steps for a time. All steps must converge.
void run(
    Simulation* simulation, double duration_s, double step_s,
    const std::function<void(const State&)>& after_step = [](const State&) {}) {
  const int n = static_cast<int>(std::lround(duration_s / step_s));
  for (int k = 0; k < n; ++k) {
    const StepRecord record = simulation->step().front();
    ASSERT_EQ(record.solve.status, SolveStatus::converged) << record.solve.reason;
    after_step(simulation->state());
  }
}

/// Height of the first top after the first bounce, from the parabola through the highest positions.
double first_top(double step_s, double theta, double e, double height) {
  Scene scene = on_floor(step_s, theta);
  scene.rigid_bodies.push_back(ball("ball", {0, 0, kRadius + height}, e));
  Simulation simulation = simulation_of(std::move(scene));
  const double fall_s = std::sqrt(2 * height / kG);
  std::vector<double> z;
  run(&simulation, fall_s * (1 + 1.8 * e), step_s,
      [&](const State& state) { z.push_back(state.frames[0].position.z - kRadius); });
  auto k = static_cast<std::size_t>(fall_s * (1 + 0.5 * e) / step_s);
  while (k + 2 < z.size() && z[k + 1] > z[k]) ++k;
  const double slope = z[k + 1] - z[k - 1], bend = z[k - 1] - 2 * z[k] + z[k + 1];
  return z[k] - slope * slope / (8 * bend);
}

TEST(Impacts, TopsAreRightToSecondOrder) {
  for (const double theta : {1.0, 0.5})
    for (const double e : {1.0, 0.8, 0.5}) {
      double error[2] = {};
      for (int n = 0; n < 2; ++n)
        for (int k = 0; k < 10; ++k) {
          const double height = 1 + 0.0037 + 0.01 * k;
          const double top = first_top(n == 0 ? 0.01 : 0.005, theta, e, height);
          error[n] = std::max(error[n], std::fabs(top / (e * e * height) - 1));
        }
      EXPECT_LT(error[0], 2e-4) << theta << " " << e;
      EXPECT_LT(error[1], error[0] / 3 + 1e-8) << theta << " " << e;
    }
}

TEST(Impacts, ReboundFollowsTheParabola) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  int n_rebound = 0;
  for (int k = 0; k < 2000; ++k) {
    const TimeStep time{0.01, 0.5 + 0.5 * share(random)};
    const double t = time.step_s, a = 40 * (share(random) - 0.5), v = -4 * share(random),
                 e = share(random), gap = 0.05 * share(random);
    const std::optional<Rebound> found = rebound({gap, v, v + time.theta_t() * a}, e, time);
    // The touch by bisection on the parabola through the positions at the ends of the steps.
    const double w = v + (time.theta - 0.5) * t * a;
    const auto at = [&](double s) { return gap + s * (w + 0.5 * s * a); };
    if (at(t) > 0) {
      if (a < 0) {
        EXPECT_FALSE(found);
      }
      continue;
    }
    double low = 0, high = t;
    for (int n = 0; n < 60; ++n) (at(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    const double leaves = -e * (w + a * low), rest = t - low;
    if (!(leaves + 0.5 * a * rest > 0)) {
      EXPECT_FALSE(found);
      continue;
    }
    ASSERT_TRUE(found);
    ++n_rebound;
    // u_n = 0: v_hat = -phi, and the velocity at the end belongs to the parabola after the touch.
    const double v_end = time.next_velocity(-found->phi_m_s, v);
    EXPECT_NEAR(v_end, leaves + a * rest - (time.theta - 0.5) * t * a, 1e-9);
    // Its displacement: t v_hat, less the velocity's jump times the delay.
    const double jump = v_end - (v + t * a);
    EXPECT_NEAR(gap - t * found->phi_m_s - found->delay_s * jump, rest * (leaves + 0.5 * a * rest),
                1e-11);
  }
  EXPECT_GT(n_rebound, 100);
}

TEST(Impacts, TiltedBoxesKeepTheirEnergy) {
  for (const double theta : {1.0, 0.5}) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0, 1);
    for (int k = 0; k < 8; ++k) {
      const double t = 0.0025;
      Scene scene = on_floor(t, theta);
      const Vec3d size{0.1 + 0.2 * share(random), 0.1 + 0.2 * share(random),
                       0.1 + 0.2 * share(random)};
      RigidBodyDescription body = box("box", size, {0, 0, 0.8}, 1);
      const Vec3d axis{share(random) - 0.5, share(random) - 0.5, share(random) - 0.5};
      body.pose.rotation = rotation_matrix(quaternion_exp((1 / norm(axis)) * axis));
      body.angular_velocity_rad_s = 6.0 * Vec3d{share(random), share(random), share(random)};
      scene.rigid_bodies.push_back(body);
      Simulation simulation = simulation_of(std::move(scene), 1e-9);
      const auto energy = [&](const State& state) {
        return flight_energy(state, body, {t, theta});
      };
      const double start = energy(simulation.state());
      double lowest_v = 0, highest_v = 0, least = start, most = start;
      run(&simulation, 0.8, t, [&](const State& state) {
        lowest_v = std::min(lowest_v, state.v[0].z);
        highest_v = std::max(highest_v, state.v[0].z);
        least = std::min(least, energy(state));
        most = std::max(most, energy(state));
      });
      EXPECT_LT(lowest_v, -2);
      EXPECT_GT(highest_v, 0.5);  // it bounced
      EXPECT_LT(most, start * (1 + 5e-4)) << theta << " " << k;
      EXPECT_GT(least, start * (1 - 0.03)) << theta << " " << k;
    }
  }
}

TEST(Impacts, EnergyOfAnImpactThroughTheCentre) {
  const double w = 0.5, v = 2, e = 0.6, mu = 0.2;
  const Mat3d W = w * Mat3d::identity();
  const double n = (1 + e) * v / w, normal = -0.5 * (1 - e * e) * v * v / w;
  for (const double slip : {3.0, 0.1}) {
    const double after = std::max(slip - mu * w * n, 0.0);
    EXPECT_NEAR(energy_of_impact(W, {-v, slip, 0}, e, mu, mu),
                normal + 0.5 * (after * after - slip * slip) / w, 1e-9)
        << slip;
    EXPECT_NEAR(energy_of_impact(W, {-v, 0.6 * slip, -0.8 * slip}, e, mu, mu),
                normal + 0.5 * (after * after - slip * slip) / w, 1e-9)
        << slip;
  }
  EXPECT_NEAR(energy_of_impact(W, {-v, 3, 0}, e, 0, 0), normal, 1e-12);
}

// Kane's paradox: Newton's law alone creates energy at such impacts.
TEST(Impacts, FrictionOnATiltedBoxCreatesNoEnergy) {
  for (const double theta : {1.0, 0.5}) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> share(0, 1);
    for (int k = 0; k < 8; ++k) {
      const double t = 0.0025;
      Scene scene = on_floor(t, theta);
      scene.obstacles[0].friction = 0.5;
      RigidBodyDescription body =
          box("box", {0.1 + 0.2 * share(random), 0.1 + 0.2 * share(random), 0.1}, {0, 0, 0.8}, 1);
      body.pose.rotation =
          rotation_matrix(quaternion_exp(Vec3d{share(random), share(random), share(random)}));
      body.velocity_m_s = {3 * (share(random) - 0.5), 3 * (share(random) - 0.5), 0};
      scene.rigid_bodies.push_back(body);
      Simulation simulation = simulation_of(std::move(scene), 1e-4);
      const auto energy = [&](const State& state) {
        return flight_energy(state, body, {t, theta});
      };
      const double start = energy(simulation.state());
      double most = 0;
      run(&simulation, 0.8, t, [&](const State& state) { most = std::max(most, energy(state)); });
      EXPECT_LT(most, start * (1 + 2e-3)) << theta << " " << k;
    }
  }
}

TEST(Impacts, BoxesWithLessRestitutionGainNothing) {
  for (const double theta : {1.0, 0.5})
    for (const double e : {0.8, 0.5})
      for (const double angle : {0.0, 0.3, 0.7}) {
        const double t = 0.005;
        Scene scene = on_floor(t, theta);
        RigidBodyDescription body = box("box", {0.2, 0.16, 0.1}, {0, 0, 1}, e);
        body.pose.rotation = rotation_matrix(quaternion_exp(Vec3d{angle, 0.4 * angle, 0}));
        scene.rigid_bodies.push_back(body);
        Simulation simulation = simulation_of(std::move(scene), 1e-3);
        double before = kG;
        run(&simulation, 1.5, t, [&](const State& state) {
          const double energy = flight_energy(state, body, {t, theta});
          EXPECT_LT(energy, before + 0.002) << theta << " " << e << " " << angle;
          before = energy;
        });
      }
}

TEST(Impacts, BallsInFlightCollideInsideTheStep) {
  for (const double theta : {1.0, 0.5}) {
    Scene scene = on_floor(0.01, theta);
    scene.obstacles.clear();
    scene.gravity_m_s2 = {};
    const double e = 0.7, m1 = 1, m2 = 3, v1 = 1.3, v2 = -0.4, gap = 0.123;
    scene.rigid_bodies.push_back(ball("a", {0, 0, 0}, e, m1));
    scene.rigid_bodies.back().velocity_m_s = {v1, 0, 0};
    scene.rigid_bodies.push_back(ball("b", {2 * kRadius + gap, 0, 0}, e, m2));
    scene.rigid_bodies.back().velocity_m_s = {v2, 0, 0};
    Simulation simulation = simulation_of(std::move(scene));
    run(&simulation, 0.2, 0.01);
    const double touch_s = gap / (v1 - v2), center = (m1 * v1 + m2 * v2) / (m1 + m2);
    const double after_1 = center - e * m2 / (m1 + m2) * (v1 - v2),
                 after_2 = center + e * m1 / (m1 + m2) * (v1 - v2), rest_s = 0.2 - touch_s;
    const State& state = simulation.state();
    EXPECT_NEAR(state.v[0].x, after_1, 1e-9);
    EXPECT_NEAR(state.v[2].x, after_2, 1e-9);
    EXPECT_NEAR(state.frames[0].position.x, v1 * touch_s + after_1 * rest_s, 1e-9);
    EXPECT_NEAR(state.frames[1].position.x, 2 * kRadius + gap + v2 * touch_s + after_2 * rest_s,
                1e-9);
  }
}

TEST(Impacts, WhatRestsOnABodyBouncesWithIt) {
  const double t = 0.01, e = 0.5;
  Scene scene = on_floor(t, 0.5);
  scene.rigid_bodies.push_back(box("lower", {0.2, 0.2, 0.1}, {0, 0, 1.05}, e));
  scene.rigid_bodies.push_back(box("upper", {0.2, 0.2, 0.1}, {0, 0, 1.15}, 0));
  Simulation simulation = simulation_of(std::move(scene));
  run(&simulation, 0.6, t, [&](const State& state) {
    EXPECT_NEAR(state.frames[1].position.z - state.frames[0].position.z, 0.1, 1e-8);
  });
  const double fall_s = std::sqrt(2 / kG), rest_s = 0.6 - fall_s;
  EXPECT_NEAR(simulation.state().frames[0].position.z,
              0.05 + rest_s * (e * kG * fall_s - 0.5 * kG * rest_s), 1e-7);
}

TEST(Impacts, WhatIsHitOnTheFloorStays) {
  const double t = 0.01;
  Scene scene = on_floor(t, 1);
  scene.rigid_bodies.push_back(box("box", {0.4, 0.4, 0.1}, {0, 0, 0.05}, 0));
  scene.rigid_bodies.push_back(ball("ball", {0, 0, 0.1 + kRadius + 0.5}, 0.8));
  Simulation simulation = simulation_of(std::move(scene), 1e-7);
  double highest_v = 0;
  run(&simulation, 0.6, t, [&](const State& state) {
    EXPECT_NEAR(state.frames[0].position.z, 0.05, 1e-7);
    highest_v = std::max(highest_v, state.v[2].z);
  });
  EXPECT_NEAR(highest_v, 0.8 * std::sqrt(2 * kG * 0.5), 0.1);
}

TEST(Impacts, AMovingWallAddsItsVelocity) {
  const double t = 0.01, e = 0.6, v = -1.1, wall = 0.7, gap = 0.25;
  Scene scene = on_floor(t, 1);
  scene.obstacles.clear();
  scene.gravity_m_s2 = {};
  ObstacleDescription paddle;
  paddle.name = "paddle";
  paddle.shape.kind = ShapeKind::box;
  paddle.shape.size = {0.1, 1, 1};
  paddle.friction = 0;
  paddle.path.keys = {{0, {-0.05, 0, 0}, {}}, {10, {-0.05 + 10 * wall, 0, 0}, {}}};
  paddle.path.profile = PathProfile::linear;
  scene.obstacles.push_back(paddle);
  scene.rigid_bodies.push_back(ball("ball", {kRadius + gap, 0, 0}, e));
  scene.rigid_bodies.back().velocity_m_s = {v, 0, 0};
  Simulation simulation = simulation_of(std::move(scene));
  run(&simulation, 0.3, t);
  const double touch_s = gap / (wall - v), after = wall + e * (wall - v);
  EXPECT_NEAR(simulation.state().v[0].x, after, 1e-9);
  EXPECT_NEAR(simulation.state().frames[0].position.x,
              kRadius + gap + v * touch_s + after * (0.3 - touch_s), 1e-9);
}

}  // namespace
}  // namespace nodia::test

/// Rigid bodies in contact: benchmarks 1, 2, 19 to 23 of section 3, with known answers.
#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/simulation.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/rigid_bodies.hpp"

namespace nodia {
namespace {

using test::kG;

Shape box(Vec3d size) {
  Shape s;
  s.kind = ShapeKind::box;
  s.size = size;
  return s;
}
Shape sphere(double radius) {
  Shape s;
  s.kind = ShapeKind::sphere;
  s.radius = radius;
  return s;
}

RigidBodyDescription body(const std::string& name, const Shape& shape, double mass,
                          Vec3d position) {
  RigidBodyDescription b = test::rigid_shape(name, shape, mass, position);
  b.friction = 0;
  return b;
}

Scene on_floor(double friction) {
  Scene scene;
  scene.name = "test";
  ObstacleDescription floor;
  floor.name = "floor";
  floor.shape.kind = ShapeKind::half_space;
  floor.friction = friction;
  scene.obstacles.push_back(floor);
  scene.time.duration_s = 1;
  return scene;
}

SolverOptions tight(double tolerance = 1e-10) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = tolerance;
  options.max_iterations = 200000;
  return options;
}

struct SteppedScene {
  Simulation simulation;
  explicit SteppedScene(Scene scene, const SolverOptions& options = tight())
      : simulation(
            [&] {
              std::vector<Scene> scenes;
              scenes.push_back(std::move(scene));
              return scenes;
            }(),
            options) {}
  const StepRecord& step() {
    const StepRecord& record = simulation.step().front();
    EXPECT_EQ(record.solve.status, SolveStatus::converged)
        << "step " << record.step << ": " << name_of(record.solve.status) << " "
        << record.solve.reason << " residual " << record.solve.relative_residual << " contact "
        << record.solve.natural_map_error << " iterations " << record.solve.iterations;
    return record;
  }
  const State& state() const { return simulation.state(); }
};

/// Table I of Lee et al.: a cube of 0.2 m and 0.5 kg is pulled over the floor by 2 N, mu = 0.2.
Scene table_1() {
  Scene scene = on_floor(0.2);
  scene.contact.penetration_recovery = 0;
  RigidBodyDescription cube = body("cube", box({0.2, 0.2, 0.2}), 0.5, {0, 0, 0.1});
  cube.force_N = {0, 2, 0};
  scene.rigid_bodies.push_back(cube);
  return scene;
}

struct MeanErrors {
  double x = 0, y = 0, z = 0;
};

/// Means over t = 0 .. T inclusive against the analytic motion.
MeanErrors table_1_errors(const SolverOptions& options) {
  SteppedScene run(table_1(), options);
  const double a = 2 / 0.5 - 0.2 * kG, h = 0.01;
  MeanErrors mean;
  const int n = 100;
  for (int k = 1; k <= n; ++k) {
    run.step();
    const Vec3d p = run.state().frames[0].position;
    // Implicit Euler: y_k = a h^2 k (k + 1)/2.
    mean.x += std::fabs(p.x) / (n + 1);
    mean.y += std::fabs(p.y - a * h * h * k * (k + 1) / 2) / (n + 1);
    mean.z += std::fabs(p.z - 0.1) / (n + 1);
  }
  return mean;
}

TEST(Benchmark01, AsPublishedTheErrorsOfTableOne) {
  for (const double kv : {1e3, 1e4}) {
    SolverOptions options = tight(1e-9);
    options.of<CondOptions>().virtual_gain_N_s_m = kv;
    options.of<CondOptions>().bias_cancellation = false;
    const MeanErrors mean = table_1_errors(options);
    const double z = 0.5 * kG / 4 / kv * 0.5;
    EXPECT_NEAR(mean.z, z, 0.01 * z) << kv;
    EXPECT_NEAR(mean.y, 0.2 * z, 0.01 * 0.2 * z) << kv;
    EXPECT_LT(mean.x, 1e-9) << kv;
  }
}

TEST(Benchmark01, WithBiasCancellationNoErrors) {
  for (const double kv : {1e2, 1e3}) {
    SolverOptions options = tight(1e-10);
    options.of<CondOptions>().virtual_gain_N_s_m = kv;
    const MeanErrors mean = table_1_errors(options);
    EXPECT_LT(mean.x, 1e-9) << kv;
    EXPECT_LT(mean.y, 1e-9) << kv;
    EXPECT_LT(mean.z, 1e-9) << kv;
  }
}

TEST(Benchmark02, InclineThreshold) {
  const double mu = 0.5;
  for (const double degrees : {-0.1, 0.1}) {
    const double angle = std::atan(mu) + degrees * M_PI / 180;
    Scene scene = on_floor(mu);
    scene.contact.penetration_recovery = 0;
    scene.gravity_m_s2 = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
    scene.rigid_bodies.push_back(body("block", box({0.2, 0.2, 0.05}), 1, {0, 0, 0.025}));
    SteppedScene run(std::move(scene), tight(1e-11));
    for (int k = 0; k < 50; ++k) run.step();
    const double v = run.state().v[0].x;
    if (degrees < 0) {
      EXPECT_LT(std::fabs(v), 1e-9);
    } else {
      const double a = kG * (std::sin(angle) - mu * std::cos(angle));
      EXPECT_NEAR(v / 0.5, a, 1e-6);
    }
  }
}

TEST(Benchmark20, BouncesAsNewtonSays) {
  Scene scene = on_floor(0);
  scene.time.step_s = 1e-3;
  scene.obstacles[0].restitution = 0.8;
  scene.rigid_bodies.push_back(body("ball", sphere(0.1), 1, {0, 0, 1.1}));
  SteppedScene run(std::move(scene));
  std::vector<double> tops;
  double before = 1.1, slope = -1;
  for (int k = 0; k < 3000; ++k) {
    run.step();
    const double z = run.state().frames[0].position.z;
    if (slope > 0 && z < before) tops.push_back(before - 0.1);
    slope = z - before;
    before = z;
  }
  ASSERT_GE(tops.size(), 4U);
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(tops[n], std::pow(0.64, n + 1), 0.02) << n;
}

TEST(Benchmark21, StackCarriesItsWeight) {
  const int n = 10;
  Scene scene = on_floor(0.5);
  for (int k = 0; k < n; ++k)
    scene.rigid_bodies.push_back(
        body("box" + std::to_string(k), box({0.2, 0.2, 0.1}), 1, {0, 0, 0.05 + 0.1 * k}));
  SteppedScene run(std::move(scene), tight(1e-10));
  std::vector<double> force(n);
  double fastest = 0;
  for (int k = 0; k < 1000; ++k)
    run.simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << view.record.step;
      for (int row = 0; k > 0 && row < 2 * n; row += 2)
        fastest = std::max(fastest, norm(view.state().v[static_cast<std::size_t>(row)]));
      std::fill(force.begin(), force.end(), 0.0);
      for (std::size_t m = 0; m < view.contacts().size(); ++m) {
        const ContactSides& s = view.contact_sides()[m];
        const Vec3d f = transpose_times(view.contacts()[m].R, view.lambda()[m]);
        const bool i_above = s.j.kind == ObjectKind::obstacle || s.i.index > s.j.index;
        force[static_cast<std::size_t>(i_above ? s.i.index : s.j.index)] += i_above ? f.z : -f.z;
      }
    });
  for (int k = 0; k < n; ++k) {
    EXPECT_NEAR(force[static_cast<std::size_t>(k)], (n - k) * kG, 1e-6 * n * kG) << k;
  }
  EXPECT_LT(fastest, 1e-8);  // [m/s], over 10 s
}

TEST(Benchmark22, ThreeTouchingBallsShareAsMoreauSays) {
  Scene scene = on_floor(0);
  scene.obstacles.clear();
  scene.gravity_m_s2 = {};
  scene.time.step_s = 1e-3;
  for (int k = 0; k < 3; ++k) {
    scene.rigid_bodies.push_back(body("ball" + std::to_string(k), sphere(0.1), 1, {0.2 * k, 0, 0}));
    scene.rigid_bodies.back().restitution = 1;
  }
  scene.rigid_bodies[0].velocity_m_s = {1, 0, 0};
  SteppedScene run(std::move(scene), tight(1e-12));
  run.step();
  const double expected[3] = {-1.0 / 3, 2.0 / 3, 2.0 / 3};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(run.state().v[static_cast<std::size_t>(2 * k)].x, expected[k], 1e-10) << k;
}

TEST(Benchmark22, WithGapsTheLastBallFlies) {
  Scene scene = on_floor(0);
  scene.obstacles.clear();
  scene.gravity_m_s2 = {};
  scene.time.step_s = 1e-4;
  scene.contact.margin_m = 1e-7;
  for (int k = 0; k < 3; ++k) {
    scene.rigid_bodies.push_back(
        body("ball" + std::to_string(k), sphere(0.1), 1, {(0.2 + 1e-6) * k, 0, 0}));
    scene.rigid_bodies.back().restitution = 1;
  }
  scene.rigid_bodies[0].velocity_m_s = {1, 0, 0};
  SteppedScene run(std::move(scene), tight(1e-12));
  for (int k = 0; k < 10; ++k) run.step();
  const double expected[3] = {0, 0, 1};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(run.state().v[static_cast<std::size_t>(2 * k)].x, expected[k], 1e-9) << k;
}

TEST(Benchmark23, SlidingBallRolls) {
  const double mu = 0.2, v0 = 2;
  Scene scene = on_floor(mu);
  scene.time.step_s = 1e-3;
  RigidBodyDescription ball = body("ball", sphere(0.1), 1, {0, 0, 0.1});
  ball.velocity_m_s = {v0, 0, 0};
  scene.rigid_bodies.push_back(ball);
  SteppedScene run(std::move(scene));
  double rolled_at = 0, distance = 0;
  for (int k = 1; k <= 500; ++k) {
    run.step();
    const double slip = run.state().v[0].x - 0.1 * run.state().v[1].y;
    if (rolled_at == 0 && std::fabs(slip) < 1e-6) {
      rolled_at = 1e-3 * k;
      distance = run.state().frames[0].position.x;
    }
  }
  EXPECT_NEAR(rolled_at, 2 * v0 / (7 * mu * kG), 2e-3);
  EXPECT_NEAR(distance, 12 * v0 * v0 / (49 * mu * kG), 5e-3);
  EXPECT_NEAR(run.state().v[0].x, 5 * v0 / 7, 1e-3 * v0);
}

TEST(Benchmark19, AnisotropicSlidingStopsWhereItShould) {
  struct Case {
    double mu1, mu2, time_s, x, y;
  };
  for (const Case& c : {Case{.2, .2, .72080, .36040, .36040}, Case{.2, .4, .61749, .34765, .16707},
                        Case{.1, .5, 1.14276, .62988, .11232}}) {
    Scene scene = on_floor(0);
    scene.time.step_s = 1e-3;
    scene.contact.penetration_recovery = 0;
    // A point mass in effect: a low slab whose inertia is too large to tilt or turn.
    RigidBodyDescription slab = body("slab", box({0.2, 0.2, 0.002}), 1, {0, 0, 0.001});
    slab.inertia_kg_m2 = 1e3 * Mat3d::identity();
    slab.velocity_m_s = {1, 1, 0};
    scene.rigid_bodies.push_back(slab);
    scene.friction_pairs.push_back({"slab", "floor", c.mu1, c.mu2, {1, 0, 0}});
    SteppedScene run(std::move(scene), tight(1e-8));
    for (int k = 0; k < static_cast<int>(1000 * c.time_s) + 50; ++k) run.step();
    const Vec3d p = run.state().frames[0].position;
    EXPECT_NEAR(p.x, c.x, 1e-3) << c.mu1 << " " << c.mu2;
    EXPECT_NEAR(p.y, c.y, 1e-3) << c.mu1 << " " << c.mu2;
    EXPECT_LT(norm(run.state().v[0]), 1e-6);
  }
}

}  // namespace
}  // namespace nodia

/// The balance of energy: exact where a step is linear, and watched where it is not.
#include "host/simulation/energy_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "host/simulation/checkpoint.hpp"
#include "host/simulation/simulation.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr double kLever = 0.06;

/// A bar that swings on a ball joint, from the horizontal.
Scene swing(double theta, double step_s, JointDirections directions) {
  Scene scene;
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.time.step_s = step_s;
  scene.time.theta = theta;
  scene.time.joint_directions = directions;
  scene.rigid_bodies.push_back(rigid_box("bar", {0.08, 0.02, 0.02}, 0.25, {kLever, 0, 0}));
  MountDescription hinge;
  hinge.name = "hinge";
  hinge.body = "bar";
  hinge.point_m = {-kLever, 0, 0};
  hinge.path.keys = {{0, {}, {}}};
  hinge.keeps_place = false;
  hinge.moment = false;
  hinge.stiffness_N_m = 4000;
  scene.mounts.push_back(hinge);
  return scene;
}

struct SwingEnd {
  double rise_J = 0;  ///< largest rise of the energy above its start
  int n_failed = 0;
  std::string reason;
};

SwingEnd swung(const Scene& scene, double duration_s) {
  Simulation simulation({scene}, {});
  SwingEnd end;
  const int n_step = static_cast<int>(std::lround(duration_s / scene.time.step_s));
  for (int k = 0; k < n_step; ++k) {
    const StepRecord& r = simulation.step().front();
    end.rise_J = std::max(end.rise_J, r.kinetic_energy_J + r.potential_energy_J);  // starts at 0
    if (r.solve.status != SolveStatus::failed) continue;
    ++end.n_failed;
    end.reason = r.solve.reason;
  }
  return end;
}

constexpr double kSwing = 0.25 * kG * kLever;  ///< kinetic energy of the first swing [J]

TEST(EnergyWatch, ABarOnAJointKeepsItsEnergyWithTheMidpointScheme) {
  for (const double step_s : {1e-3, 2e-3, 5e-3}) {
    SCOPED_TRACE(step_s);
    const SwingEnd end = swung(swing(0.5, step_s, JointDirections::middle), 4);
    EXPECT_EQ(end.n_failed, 0) << end.reason;
    EXPECT_LT(end.rise_J, 0.01 * kSwing);
  }
}

TEST(EnergyWatch, AStepThatCreatesEnergyFailsAndNamesTheBody) {
  const SwingEnd end = swung(swing(0.5, 5e-3, JointDirections::start), 1);
  EXPECT_GT(end.n_failed, 0);
  EXPECT_EQ(end.reason.find("energy_created"), 0u) << end.reason;
  EXPECT_NE(end.reason.find("'bar'"), std::string::npos) << end.reason;
}

// Methods that promise no accuracy keep the status of their solver.
TEST(EnergyWatch, OnlyReportsWithThePapersStoppingRule) {
  SolverOptions options;
  options.solver = "cond";
  options.stop = StopRule::paper;
  Simulation simulation({swing(0.5, 5e-3, JointDirections::start)}, options);
  double gain = 0;
  for (int k = 0; k < 200; ++k) {
    const StepRecord& r = simulation.step().front();
    EXPECT_NE(r.solve.status, SolveStatus::failed);
    if (k > 0) gain += r.energy_gain_J;
  }
  EXPECT_GT(gain, kSwing);
}

/// A flat box on a conveyor, pulled by a spring whose end moves, with an external
/// force: every term of the balance but drag.
Scene driven_box() {
  Scene scene;
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.time.step_s = 2e-3;
  scene.time.theta = 0.5;
  scene.rigid_bodies.push_back(rigid_box("box", {0.4, 0.4, 0.04}, 2, {0, 0, 0.02}));
  scene.rigid_bodies[0].force_N = {0.5, 0, 0};
  ObstacleDescription conveyor = floor_obstacle(0.3);
  conveyor.path.keys = {{0, {}, {}}, {10, {0, 3, 0}, {}}};
  conveyor.path.profile = PathProfile::linear;
  scene.obstacles.push_back(conveyor);
  MountDescription spring;
  spring.name = "spring";
  spring.body = "box";
  spring.path.keys = {{0, {0, 0, 0.02}, {}}, {1, {0.2, -0.1, 0.02}, {}}};
  spring.moment = false;
  spring.stiffness_N_m = 50;
  scene.mounts.push_back(spring);
  ExternalForceDescription push;
  push.name = "push";
  push.body = "box";
  push.force_N = {-1, 2, 0.5};
  push.from_s = 0.1001;
  push.duration_s = 0.3;
  scene.pushes.push_back(push);
  return scene;
}

TEST(EnergyWatch, TheTermsOfTheBalanceAddUpWithTheMidpointScheme) {
  SolverOptions options;
  options.tolerance = 1e-9;
  Simulation simulation({driven_box()}, options);
  double contact_J = 0, frame_J = 0, push_J = 0;
  for (int k = 0; k < 500; ++k) {
    const StepRecord& r = simulation.step().front();
    ASSERT_EQ(r.solve.status, SolveStatus::converged) << r.solve.reason;
    contact_J += std::fabs(r.contact_work_J);
    frame_J += std::fabs(r.frame_work_J);
    push_J += std::fabs(r.push_work_J);
    if (k == 0)
      EXPECT_TRUE(std::isnan(r.energy_gain_J));
    else
      EXPECT_NEAR(r.energy_gain_J, 0, 1e-9) << k;
  }
  // No term is small: a missing one would have been seen.
  EXPECT_GT(contact_J, 1e-2);
  EXPECT_GT(frame_J, 1e-2);
  EXPECT_GT(push_J, 1e-2);
}

// Implicit Euler loses what the change of velocity would have had as kinetic energy.
TEST(EnergyWatch, ImplicitEulerNeverGains) {
  Scene scene = driven_box();
  scene.time.theta = 1;
  Simulation simulation({scene}, {});
  for (int k = 0; k < 500; ++k) {
    const StepRecord& r = simulation.step().front();
    if (k == 0) continue;
    EXPECT_LE(r.energy_gain_J, 1e-6) << k;
  }
}

TEST(EnergyWatch, AContinuedRunHasTheSameStatus) {
  const Scene scene = swing(0.5, 5e-3, JointDirections::start);
  Simulation whole({scene}, {}), continued({scene}, {});
  int n_failed = 0;
  for (int k = 0; k < 120; ++k) {
    if (k > 0 && k % 7 == 0) {
      Simulation other({scene}, {});
      other.load(0, continued.save(0));
      continued.load(0, other.save(0));
    }
    const StepRecord a = whole.step().front(), b = continued.step().front();
    ASSERT_EQ(a.solve.status, b.solve.status) << k;
    ASSERT_EQ(a.solve.reason, b.solve.reason) << k;
    n_failed += a.solve.status == SolveStatus::failed;
  }
  EXPECT_GT(n_failed, 0);
}

EnergyTerms terms(double kinetic_J, double work_J) {
  EnergyTerms t;
  t.kinetic_J = kinetic_J;
  t.push_work_J = work_J;
  t.is_solved = true;
  return t;
}

TEST(EnergyWatch, ComparesTheGainWithATenthOfTheTurnover) {
  for (const double share : {0.05, 0.2}) {
    SCOPED_TRACE(share);
    EnergyWatch watch;
    bool too_large = false;
    EXPECT_TRUE(std::isnan(watch.end_step(terms(0, 0), &too_large)));
    // A body of 1 J slows down and speeds up again; a share of what it turns over is created.
    double kinetic = 0, created = 0;
    bool seen = false;
    for (int k = 1; k <= 40; ++k) {
      const double work = k % 2 == 1 ? 1 : -1, gain = 2 * share;
      kinetic += work + gain;
      created += gain;
      EXPECT_NEAR(watch.end_step(terms(kinetic, work), &too_large), gain, 1e-12);
      seen = seen || too_large;
    }
    EXPECT_EQ(seen, share > 0.1);
    EXPECT_NEAR(watch.gain_J(), created / 2, 1e-12);  // of the last 20 steps
  }
}

/// The error of a solution is relative to the motion of a robot, and reaches bodies at rest.
TEST(EnergyWatch, AllowsForTheErrorThatTheMotionOfRobotsCauses) {
  for (const double robots_J : {0.0, 1.0}) {
    EnergyWatch watch;
    bool too_large = false;
    EnergyTerms moving = terms(0, 0);
    moving.robots_kinetic_J = robots_J;
    watch.end_step(moving, &too_large);
    moving.kinetic_J = 5e-7;  // (1e-3)^2 1 J allows for 1e-6 J
    watch.end_step(moving, &too_large);
    EXPECT_EQ(too_large, robots_J == 0);
  }
}

TEST(EnergyWatch, StartsAgainAfterAnUnsolvedStepAndAnInterruption) {
  EnergyWatch watch;
  bool too_large = false;
  watch.end_step(terms(1, 0), &too_large);
  EnergyTerms unsolved = terms(5, 0);
  unsolved.is_solved = false;
  EXPECT_EQ(watch.end_step(unsolved, &too_large), 4);
  EXPECT_FALSE(too_large);
  watch.end_step(terms(5, 0), &too_large);
  EXPECT_FALSE(too_large);
  watch.interrupt();
  EXPECT_TRUE(std::isnan(watch.end_step(terms(50, 0), &too_large)));
  EXPECT_FALSE(too_large);
  EXPECT_EQ(watch.end_step(terms(60, 0), &too_large), 10);
  EXPECT_TRUE(too_large);
}

}  // namespace
}  // namespace nodia::test

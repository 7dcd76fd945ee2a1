/// Going on from a checkpoint, and an environment that another scene takes the place of: the bits
/// of never having stopped, and those of the scene alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "host/io/checkpoint_file.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/missing_gpu.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/slide.hpp"

namespace nodia::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A solver, and how it computes.
struct Method {
  std::string name;
  SolverOptions options;
};

void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

std::vector<Method> methods() {
  std::vector<Method> all;
  for (const SolverEntry& entry : solver_catalogue()) {
    SolverOptions options;
    options.solver = entry.name;
    options.max_iterations = 300;
    all.push_back({entry.name, options});
  }
  for (const StepperEntry& entry : stepper_catalogue()) {
    SolverOptions options;
    options.solver = entry.name;
    all.push_back({entry.name, options});
  }
  return all;
}

/// COND in every precision.
std::vector<Method> precisions(Backend backend) {
  std::vector<Method> all;
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    SolverOptions options;
    options.solver = "cond";
    options.execution.precision = precision;
    options.execution.backend = backend;
    options.of<CondOptions>().w_recycle_steps = 3;
    all.push_back({name_of(precision), options});
  }
  return all;
}

/// Soft, rigid and on rails: contacts of every kind, and memory of every kind.
Scene crowd(unsigned seed) {
  Scene scene = random_scene(seed);
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  RigidBodyDescription block;
  block.name = "block";
  block.shape.kind = ShapeKind::box;
  block.shape.size = {0.03, 0.03, 0.03};
  block.inertia_kg_m2 = 1e-4 * Mat3d::identity();
  block.pose.position = {0.05 * uniform(engine), 0.05, 0.15};
  block.angular_velocity_rad_s = {uniform(engine), uniform(engine), 0};
  scene.rigid_bodies.push_back(block);
  return scene;
}

/// Positions, velocities, contact forces and what was reported.
struct Trace {
  std::vector<State> states;
  std::vector<std::vector<Vec3d>> lambda;
  std::vector<std::string> reports;
};

void record(const StepView& view, Trace* trace) {
  trace->states.push_back(view.state());
  trace->lambda.push_back(view.lambda());
  std::string report = view.record.solve.reason + name_of(view.record.solve.status);
  for (const OverlapNotice& notice : view.record.overlaps) report += notice.i + notice.j;
  trace->reports.push_back(report + std::to_string(view.record.solve.iterations));
}

void expect_same(const Trace& a, const Trace& b, const std::string& what) {
  ASSERT_EQ(a.states.size(), b.states.size()) << what;
  for (std::size_t k = 0; k < a.states.size(); ++k) {
    ASSERT_TRUE(same_bits(a.states[k], b.states[k])) << what << ", step " << k;
    ASSERT_TRUE(same_bits(a.lambda[k], b.lambda[k])) << what << ", step " << k;
    ASSERT_EQ(a.reports[k], b.reports[k]) << what << ", step " << k;
  }
}

/// Runs on for n steps. @return by environment
std::vector<Trace> run_on(Simulation* simulation, int n) {
  std::vector<Trace> traces(simulation->n_env());
  for (int k = 0; k < n; ++k)
    simulation->step([&](const StepView& view) { record(view, &traces[view.record.env]); });
  return traces;
}

void shake(Simulation* simulation, int env, unsigned seed) {
  simulation->set_state(env, shaken(simulation->state(env), seed, 0.05));
}

Checkpoint through_bytes(const Checkpoint& checkpoint) {
  return checkpoint_from_bytes(checkpoint_bytes({{checkpoint}, {}}), "bytes").environments.at(0);
}

class CheckpointOf : public testing::TestWithParam<Method> {
 protected:
  /// With a rigid body where the method solves it in reasonable time, and without impacts where it
  /// has none.
  static Scene scene(unsigned seed, bool with_bodies) {
    Scene scene = with_bodies && GetParam().name != "lemke" ? crowd(seed) : random_scene(seed);
    if (GetParam().name == "xpbd") scene.obstacles[0].restitution = 0;
    return scene;
  }
  void SetUp() override {
    if (GetParam().options.execution.backend != Backend::cuda) return;
    if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(CheckpointOf, GoesOnElsewhereWithTheBitsOfNeverHavingStopped) {
  for (unsigned trial = 0; trial < 4; ++trial) {
    const auto scene = [&](unsigned seed) { return CheckpointOf::scene(seed, trial % 2 == 1); };
    Simulation whole({scene(trial)}, GetParam().options);
    shake(&whole, 0, trial);
    run_on(&whole, 3 + 2 * static_cast<int>(trial));
    if (trial % 2 == 0)
      whole.set_frame_target(0, "ball", {{0.05, 0.05, 0}, Mat3d::identity()}, 0.07);
    run_on(&whole, 2);
    const Checkpoint saved = through_bytes(whole.save(0));
    // In the middle of a batch whose other environments have gone their own ways.
    Simulation batch({scene(8), scene(trial), scene(9)}, GetParam().options);
    Simulation untouched({scene(8), scene(trial), scene(9)}, GetParam().options);
    for (Simulation* other : {&batch, &untouched}) {
      for (int e = 0; e < 3; ++e) shake(other, e, 50 + e);
      run_on(other, 4);
    }
    batch.load(1, saved);
    EXPECT_EQ(checkpoint_bytes({{batch.save(1)}, {}}), checkpoint_bytes({{saved}, {}}));
    const std::vector<Trace> there = run_on(&batch, 6), others = run_on(&untouched, 6),
                             here = run_on(&whole, 6);
    expect_same(here[0], there[1], "loaded");
    expect_same(others[0], there[0], "before it");
    expect_same(others[2], there[2], "behind it");
  }
}

TEST_P(CheckpointOf, APlaceThatWasUsedHasTheBitsOfTheSceneAlone) {
  const auto scene = [](unsigned seed) { return CheckpointOf::scene(seed, true); };
  Simulation used({scene(0), scene(1), scene(2)}, GetParam().options);
  Simulation untouched({scene(0), scene(1), scene(2)}, GetParam().options);
  for (Simulation* other : {&used, &untouched}) {
    for (int e = 0; e < 3; ++e) shake(other, e, e);
    run_on(other, 5);
  }
  // The same scene again, then one of another mesh.
  for (const unsigned seed : {1U, 4U}) {
    used.reset(1, scene(seed));
    EXPECT_EQ(used.state(1).step, 0);
    Simulation alone({scene(seed)}, GetParam().options);
    const std::vector<Trace> there = run_on(&used, 5), others = run_on(&untouched, 5);
    expect_same(run_on(&alone, 5)[0], there[1], "reset");
    expect_same(others[0], there[0], "before it");
    expect_same(others[2], there[2], "behind it");
  }
}

const auto kName = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(Methods, CheckpointOf, testing::ValuesIn(methods()), kName);
INSTANTIATE_TEST_SUITE_P(Precisions, CheckpointOf, testing::ValuesIn(precisions(Backend::cpu)),
                         kName);
INSTANTIATE_TEST_SUITE_P(Device, CheckpointOf, testing::ValuesIn(precisions(Backend::cuda)), kName);

TEST(Checkpoint, OfAMountThatWasReleasedLaterHoldsAgain) {
  Scene scene;
  scene.name = "mount";
  RigidBodyDescription ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.01;
  scene.rigid_bodies.push_back(ball);
  MountDescription mount;
  mount.name = "hook";
  mount.body = "ball";
  mount.stiffness_N_m = 1000;
  mount.stiffness_Nm_rad = 1;
  mount.release_time_s = 0.05;
  scene.mounts.push_back(mount);
  Simulation simulation({scene}, {}), fresh({scene}, {});
  run_on(&simulation, 3);
  const Checkpoint held = simulation.save(0);
  const Trace first = run_on(&simulation, 6)[0];
  simulation.load(0, held);
  fresh.load(0, held);
  expect_same(run_on(&simulation, 6)[0], first, "in the same place");
  expect_same(run_on(&fresh, 6)[0], first, "in a fresh one");
}

TEST(Checkpoint, KeepsWhatIsCommandedAndWhatIsHeld) {
  Scene scene = random_scene(2);
  scene.robots.push_back(slide("arm", 1, 1000, 100));
  Simulation simulation({scene}, {}), fresh({scene}, {});
  run_on(&simulation, 3);
  simulation.set_joint_targets(0, "arm", {0.2}, 0.08);
  simulation.set_holding(0, "grip", false);
  run_on(&simulation, 2);
  simulation.set_holding(0, "grip", true);
  run_on(&simulation, 2);
  fresh.load(0, through_bytes(simulation.save(0)));
  EXPECT_EQ(fresh.joint_targets(0, "arm"), simulation.joint_targets(0, "arm"));
  expect_same(run_on(&fresh, 5)[0], run_on(&simulation, 5)[0], "commanded");
}

TEST(Checkpoint, OfAFailedEnvironmentIsAFailedEnvironment) {
  Simulation simulation({random_scene(0), random_scene(1)}, {}), fresh({random_scene(0)}, {});
  run_on(&simulation, 2);
  simulation.set_frame_target(0, "floor", {{kNaN, 0, 0}, Mat3d::identity()}, 0.1);
  const Checkpoint doomed = simulation.save(0);
  run_on(&simulation, 1);
  fresh.load(0, through_bytes(doomed));
  EXPECT_FALSE(fresh.failed(0));
  const std::string reason = fresh.step()[0].solve.reason;
  EXPECT_THAT(reason, testing::HasSubstr("'floor' is not finite"));
  fresh.load(0, through_bytes(simulation.save(0)));
  EXPECT_TRUE(fresh.failed(0));
  const StepRecord& record = fresh.step()[0];
  EXPECT_EQ(record.solve.reason, reason);
  EXPECT_EQ(record.step, 3);
  EXPECT_EQ(record.solve.status, SolveStatus::not_a_number);
  EXPECT_TRUE(std::isnan(record.kinetic_energy_J));
  fresh.reset(0, random_scene(0));
  EXPECT_FALSE(fresh.failed(0));
}

TEST(Checkpoint, OfAnotherSceneIsRefusedAndChangesNothing) {
  Simulation simulation({random_scene(0)}, {}), other({random_scene(2)}, {}),
      untouched({random_scene(0)}, {});
  run_on(&simulation, 3);
  run_on(&untouched, 3);
  EXPECT_THROW(simulation.load(0, other.save(0)), InputError);
  Scene softer = random_scene(0);
  softer.soft_bodies[0].material.youngs_modulus_Pa *= 1 + 1e-15;
  Simulation nearly({softer}, {});
  EXPECT_THROW(simulation.load(0, nearly.save(0)), InputError);
  Scene bad = random_scene(0);
  bad.time.step_s = 0.02;
  EXPECT_THROW(simulation.reset(0, bad), InputError);
  bad = random_scene(0);
  bad.soft_bodies[0].friction = -1;
  EXPECT_THROW(simulation.reset(0, bad), InputError);
  expect_same(run_on(&simulation, 3)[0], run_on(&untouched, 3)[0], "after refusals");
}

TEST(Checkpoint, NameAndDurationMayDiffer) {
  Scene longer = random_scene(0);
  longer.name = "longer";
  longer.time.duration_s *= 2;
  Simulation simulation({random_scene(0)}, {}), other({longer}, {});
  run_on(&simulation, 3);
  other.load(0, simulation.save(0));
  expect_same(run_on(&simulation, 3)[0], run_on(&other, 3)[0], "longer");
}

/// One environment needs more room for its contacts than it had: the others do not notice.
TEST(Batch, AGrowingNumberOfContactsElsewhereChangesNoBits) {
  SolverOptions options;
  options.solver = "cond";
  // Blocks that fall onto a slab, one after the other.
  const auto falling = [](int n) {
    Scene scene;
    scene.name = "falling";
    scene.obstacles.push_back(floor_obstacle(0.3));
    for (int k = 0; k < n; ++k) {
      RigidBodyDescription block;
      block.name = "block" + std::to_string(k);
      block.shape.kind = ShapeKind::box;
      block.shape.size = {0.1, 0.1, 0.1};
      block.pose.position = {0.2 * k, 0, 0.05 + 0.01 * k};
      scene.rigid_bodies.push_back(block);
    }
    return scene;
  };
  Simulation alone({falling(1)}, options), batch({falling(1), falling(12)}, options);
  const std::vector<Trace> together = run_on(&batch, 30);
  expect_same(run_on(&alone, 30)[0], together[0], "beside a heap");
}

}  // namespace
}  // namespace nodia::test

/// Compounds: rigid bodies of several parts, from the file to the trajectory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "host/io/trajectory.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/gravity.hpp"

namespace nodia {
namespace {

using test::kG;
using test::message;
using test::ScenarioFile;
using ::testing::HasSubstr;

/// A table of 10 kg: a plate on four legs with round feet, the feet's lowest points at z = 0.
std::string table(const std::string& motion, const std::string& more = "") {
  return R"(name: table
time: {step_s: 0.01, duration_s: 1}
solver: {tolerance: 1e-12, max_iterations: 20000}
compounds:
  table:
    parts:
      plate: {shape: box, size_m: [1, 0.6, 0.02], position_m: [0, 0, 0.41], density_kg_m3: 500}
      leg_1: {shape: capsule, radius_m: 0.02, length_m: 0.37, position_m: [0.45, 0.25, 0.205]}
      leg_2: {shape: capsule, radius_m: 0.02, length_m: 0.37, position_m: [-0.45, 0.25, 0.205]}
      leg_3: {shape: capsule, radius_m: 0.02, length_m: 0.37, position_m: [0.45, -0.25, 0.205]}
      leg_4: {shape: capsule, radius_m: 0.02, length_m: 0.37, position_m: [-0.45, -0.25, 0.205]}
    friction: 0.2
    )" + motion +
         "\nobstacles:\n  floor: {shape: half_space, friction: 0}\n" + more;
}

Scenario loaded(const std::string& text) {
  const ScenarioFile file(text);
  return load_scenario(file.path());
}

double leg_mass() {
  return 1000 * M_PI * 0.02 * 0.02 * (0.37 + 4 * 0.02 / 3);
}

TEST(Compounds, MassCentreAndInertiaAreThoseOfTheParts) {
  const CompoundDescription t = loaded(R"(name: tee
time: {step_s: 0.01, duration_s: 1}
compounds:
  tee:
    parts:
      bar: {shape: box, size_m: [0.4, 0.1, 0.05], density_kg_m3: 500}
      stem: {shape: box, size_m: [0.3, 0.1, 0.05], position_m: [0, -0.2, 0], orientation_wxyz: [0.7071067811865476, 0, 0, 0.7071067811865476], density_kg_m3: 2000}
    position_m: [1, 2, 3]
)")
                                    .scene.compounds.at(0);
  const double bar = 500 * 0.4 * 0.1 * 0.05, stem = 2000 * 0.3 * 0.1 * 0.05;
  const double y = -0.2 * stem / (bar + stem), apart = 0.2 * 0.2 * bar * stem / (bar + stem);
  EXPECT_NEAR(t.mass_kg, bar + stem, 1e-12);
  EXPECT_NEAR(norm(t.pose.position - Vec3d{1, 2 + y, 3}), 0, 1e-15);
  EXPECT_NEAR(t.parts[0].placed.pose.position.y, -y, 1e-15);
  // The stem is turned: its long side is along y.
  const Mat3d& I = t.inertia_kg_m2;
  EXPECT_NEAR(I(0, 0), (bar * (0.01 + 0.0025) + stem * (0.09 + 0.0025)) / 12 + apart, 1e-12);
  EXPECT_NEAR(I(1, 1), (bar * (0.16 + 0.0025) + stem * (0.01 + 0.0025)) / 12, 1e-12);
  EXPECT_NEAR(I(2, 2), (bar * (0.16 + 0.01) + stem * (0.09 + 0.01)) / 12 + apart, 1e-12);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(I(k, (k + 1) % 3), 0, 1e-12);
}

TEST(Compounds, RestOnTheirFeet) {
  const Scenario s = loaded(table("position_m: [0, 0, 0]"));
  Simulation simulation({s.scene}, s.solver);
  const Vec3d start = simulation.state().frames[0].position;
  const double weight = (500 * 0.012 + 4 * leg_mass()) * kG;
  for (int k = 0; k < 20; ++k) {
    simulation.step([&](const StepView& view) {
      ASSERT_EQ(view.record.solve.status, SolveStatus::converged);
      EXPECT_NEAR(view.record.obstacle_force_N.z, weight, 1e-6 * weight);
      EXPECT_NEAR(view.record.obstacle_force_N.x, 0, 1e-6 * weight);
      for (const ContactSides& sides : view.contact_sides()) {
        EXPECT_EQ(sides.i.kind, ObjectKind::compound);
        EXPECT_NEAR(std::fabs(sides.position.x), 0.45, 1e-9);
        EXPECT_NEAR(std::fabs(sides.position.y), 0.25, 1e-9);
      }
    });
  }
  EXPECT_NEAR(norm(simulation.state().frames[0].position - start), 0, 1e-8);
}

/// mu g below what would turn it over: v = v_0 - mu g t, until it stands.
TEST(Compounds, SlideWithFriction) {
  const Scenario s = loaded(table("velocity_m_s: [1, 0, 0]"));
  Simulation simulation({s.scene}, s.solver);
  const double per_step = 0.2 * kG * 0.01;
  for (int k = 1; k <= 60; ++k) {
    simulation.step();
    EXPECT_NEAR(simulation.state().v[0].x, std::max(0.0, 1 - k * per_step), 1e-8) << k;
    EXPECT_NEAR(norm(simulation.state().v[1]), 0, 1e-8) << k;
  }
}

/// A socket holds a ball between its walls, which no convex body can, and both fly on as one.
TEST(Compounds, KeepMomentumWithWhatTheyHold) {
  const Scenario s = loaded(R"(name: socket
gravity_m_s2: [0, 0, 0]
time: {step_s: 0.01, duration_s: 1}
solver: {tolerance: 1e-12, max_iterations: 20000}
compounds:
  socket:
    parts:
      floor: {shape: box, size_m: [0.3, 0.3, 0.02]}
      left: {shape: box, size_m: [0.02, 0.3, 0.2], position_m: [-0.1, 0, 0.1]}
      right: {shape: box, size_m: [0.02, 0.3, 0.2], position_m: [0.1, 0, 0.1]}
    angular_velocity_rad_s: [0, 0, 1]
rigid_bodies:
  ball: {shape: sphere, radius_m: 0.05, position_m: [0, 0, 0.08], velocity_m_s: [2, 0, -0.5]}
checks:
  apart: {check: drift, body: socket, from_s: 0, to_s: 1, bound_m_s: 10}
)");
  Simulation simulation({s.scene}, s.solver);
  const double m_ball = s.scene.rigid_bodies[0].mass_kg, m = s.scene.compounds[0].mass_kg;
  const auto momentum = [&] {
    const State& state = simulation.state();
    return m_ball * state.v[0] + m * state.v[2];
  };
  const Vec3d start = momentum();
  int in_contact = 0;
  for (int k = 0; k < 30; ++k) {
    const StepRecord& record = simulation.step().front();
    in_contact += record.n_stick + record.n_slip > 0;
    EXPECT_NEAR(norm(momentum() - start), 0, 1e-9 * norm(start)) << k;
    const State& state = simulation.state();
    const Vec3d ball = matrix_pose(state.frames[1]).to_local(state.frames[0].position);
    EXPECT_LT(std::fabs(ball.x), 0.04 + 1e-3) << k;  // of 0.1 - 0.01 - 0.05
  }
  EXPECT_GT(in_contact, 0);
  EXPECT_GT(simulation.state().v[2].x, 0.1);
}

/// Held at a point of the frame that the file gives them in.
TEST(Compounds, HangOnMounts) {
  const Scenario s = loaded(table("position_m: [0, 0, 1]", R"(mounts:
  hook:
    body: table
    point_m: [0, 0, 0.42]
    stiffness_N_m: 1e4
    stiffness_Nm_rad: 1e3
    damping_s: 0.05
    position_m: [0, 0, 1.42]
)"));
  Simulation simulation({s.scene}, s.solver);
  for (int k = 0; k < 99; ++k) simulation.step();
  const double weight = (6 + 4 * leg_mass()) * kG;
  const Wrench hook = simulation.step().front().sensors.at(0);
  EXPECT_NEAR(norm(hook.force_N - Vec3d{0, 0, -weight}), 0, 1e-6 * weight);
  EXPECT_NEAR(norm(hook.torque_Nm), 0, 1e-6 * weight);
}

/// Parts that lie in each other do not touch.
TEST(Compounds, FallAsOne) {
  const Scenario s = loaded(table("position_m: [0, 0, 1]"));
  Simulation simulation({s.scene}, s.solver);
  for (int k = 1; k <= 10; ++k) {
    EXPECT_EQ(simulation.step().front().n_contact, 0);
    EXPECT_NEAR(simulation.state().v[0].z, -kG * 0.01 * k, 1e-12);
  }
}

/// A table of 420 mm whose legs, 40 mm thick, lie 10 mm deep.
TEST(Compounds, OverlapsAreSharesOfTheirParts) {
  const Scenario s = loaded(table("position_m: [0, 0, -0.01]"));
  Simulation simulation({s.scene}, s.solver);
  const std::vector<OverlapNotice> overlaps = simulation.step().front().overlaps;
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_TRUE(overlaps[0].at_start);
  EXPECT_NEAR(overlaps[0].depth_m, 0.01, 1e-9);
  EXPECT_NEAR(overlaps[0].share, 0.25, 1e-6);
}

TEST(Compounds, AreRecordedWithTheirShapes) {
  const Scenario s = loaded(table("position_m: [0, 0, 0]"));
  const RecordedTopology topology = recorded_topology(s.scene);
  EXPECT_EQ(topology.n_pose, 2);  // and the floor
  EXPECT_THAT(topology.poses,
              HasSubstr(R"("name":"table","kind":"compound","shapes":[{"shape":"box")"));
  EXPECT_THAT(topology.bodies, HasSubstr(R"({"name":"table","kind":"compound"})"));
  Simulation simulation({s.scene}, s.solver);
  simulation.step([&](const StepView& view) {
    const Frame frame = FrameMaker(s.scene, simulation.model()).frame_of(view);
    ASSERT_EQ(frame.position.size(), 2u);
    EXPECT_EQ(norm(frame.position[0] - view.state().frames[0].position), 0);
    ASSERT_GT(frame.contacts.n_contact(), 0U);
  });
}

TEST(Compounds, AreCountedByChecks) {
  const Scenario s =
      loaded(table("position_m: [0, 0, 0]", R"(checks:
  weight: {check: weight_on_obstacle, obstacle: floor, from_s: 0, to_s: 0.1, relative_tolerance: 1e-6}
  balance: {check: force_balance, from_s: 0, to_s: 0.1, relative_tolerance: 1e-6}
  still: {check: drift, body: table, from_s: 0, to_s: 0.1, bound_m_s: 1e-6}
  height: {check: body_position, body: table, at_s: 0.1, above_m: 0.2, below_m: 0.4}
  on_floor: {check: contact_force, on: table, by: floor, from_s: 0, to_s: 0.1, part: normal, value_N: )" +
                                                std::to_string((6 + 4 * leg_mass()) * kG) +
                                                ", relative_tolerance: 1e-6}\n"));
  ScenarioChecks checks(s.scene, s.checks);
  Simulation simulation({s.scene}, s.solver);
  for (int k = 0; k < 10; ++k) simulation.step([&](const StepView& view) { checks.observe(view); });
  EXPECT_EQ(checks.results().size(), 5u);
  for (const CheckResult& result : checks.results())
    EXPECT_TRUE(result.passed) << result.name << " " << result.value;
}

TEST(Compounds, BadOnesAreRefusedWithTheirPlace) {
  EXPECT_THAT(message(ScenarioFile("name: a\ncompounds:\n  c: {parts: {}}\n")),
              HasSubstr("compounds.c.parts = "));
  EXPECT_THAT(message(ScenarioFile("name: a\ncompounds:\n  c: {parts: {p: {shape: sphere, "
                                   "radius_m: 1, density_kg_m3: 0}}}\n")),
              HasSubstr("compounds.c.parts.p.density_kg_m3 = 0 (must be > 0"));
  EXPECT_THAT(message(ScenarioFile(table("solver: 1"))), HasSubstr("compounds.table.solver"));
  Scenario s = loaded(table("position_m: [0, 0, 0]"));
  s.solver.solver = "xpbd";
  EXPECT_THROW(Simulation({s.scene}, s.solver), InputError);
}

}  // namespace
}  // namespace nodia

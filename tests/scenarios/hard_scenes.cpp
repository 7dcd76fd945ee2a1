/// Piles, slides, loads and grips whose forces statics or a balance of momentum knows, with the
/// Newton solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fem/robot/urdf.hpp"
#include "host/simulation/simulation.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/piles.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using test::kG;

SolverOptions newton_at(double tolerance) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  options.execution.threads = 1;
  return options;
}

/// What a pile of rigid bodies did.
struct PileRun {
  int n_unsolved = 0;
  double fastest_m_s = 0;      ///< of all bodies, from the second step on
  std::vector<Vec3d> force_N;  ///< on each body from the layers below and from the floor
};

/// @param n_wide  bodies a layer
PileRun run_pile(const Scene& scene, int n_wide, const SolverOptions& options, int n_step) {
  PileRun run;
  Simulation simulation({scene}, options);
  const std::size_t n = scene.rigid_bodies.size();
  for (int k = 0; k < n_step; ++k)
    simulation.step([&](const StepView& view) {
      run.n_unsolved += view.record.solve.status != SolveStatus::converged;
      for (std::size_t row = 0; k > 0 && row < 2 * n; row += 2)
        run.fastest_m_s = std::max(run.fastest_m_s, norm(view.state().v[row]));
      run.force_N.assign(n, Vec3d{});
      for (std::size_t m = 0; m < view.contacts().size(); ++m) {
        const ContactSides& s = view.contact_sides()[m];
        const Vec3d f = transpose_times(view.contacts()[m].R, view.lambda()[m]);
        const bool on_floor = s.j.kind == ObjectKind::obstacle;
        if (!on_floor && s.i.index / n_wide == s.j.index / n_wide) continue;
        const bool i_later = on_floor || s.i.index > s.j.index;
        run.force_N[static_cast<std::size_t>(i_later ? s.i.index : s.j.index)] +=
            i_later ? f : -1.0 * f;
      }
    });
  return run;
}

TEST(HardScenes, AStackOfTenStandsForTenSeconds) {
  const int n = 10;
  const PileRun run = run_pile(test::stack_of_boxes(n), 1, newton_at(1e-6), 1000);
  EXPECT_EQ(run.n_unsolved, 0);
  EXPECT_LT(run.fastest_m_s, 1e-8);
  for (int k = 0; k < n; ++k)
    EXPECT_NEAR(run.force_N[k].z, (n - k) * kG, 1e-6 * (n - k) * kG) << "under box " << k;
}

TEST(HardScenes, AWallOfThirtyBricksStandsForTenSeconds) {
  const int n_wide = 6, n_high = 5;
  const Scene wall = test::wall_of_bricks(n_wide, n_high);
  for (const double tolerance : {1e-4, 1e-6, 1e-7}) {
    SCOPED_TRACE(tolerance);
    const PileRun run = run_pile(wall, n_wide, newton_at(tolerance), 1000);
    EXPECT_EQ(run.n_unsolved, 0);
    EXPECT_LT(run.fastest_m_s, 1e-8);
    for (int layer = 0; layer < n_high; ++layer) {
      double up = 0;
      for (int k = 0; k < n_wide; ++k) up += run.force_N[layer * n_wide + k].z;
      const double weight = 2.0 * n_wide * (n_high - layer) * kG;
      EXPECT_NEAR(up, weight, std::max(tolerance, 1e-6) * weight) << "under layer " << layer;
    }
  }
}

TEST(HardScenes, ASoftCubeSlidesDownASlopeAsCoulombSays) {
  const double mu = 0.5, angle = std::atan(mu) + 0.04;
  Scene scene = test::box_scene({0.1, 0.1, 0.1}, {3, 3, 3});
  scene.obstacles.push_back(test::floor_obstacle(mu));
  scene.soft_bodies[0].friction = mu;
  scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.01;
  scene.gravity_m_s2 = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
  // A tenth of the weight's part along the slope is left over: ten times the floor force's error.
  Simulation simulation({scene}, newton_at(1e-4));
  const auto speed = [&] {
    const test::Totals t = test::totals(simulation.model(), simulation.state());
    return t.momentum.x / t.mass;
  };
  double at_first = 0;
  const int first = 50, last = 150;
  for (int k = 0; k < last; ++k) {
    EXPECT_EQ(simulation.step().front().solve.status, SolveStatus::converged) << k;
    if (k + 1 == first) at_first = speed();
  }
  const double acceleration = (speed() - at_first) / ((last - first) * scene.time.step_s);
  const double exact = kG * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(acceleration, exact, 2e-4 * exact);
}

/// Sums of the contact forces on the soft and rigid bodies of a scene [N].
struct ForceOnBodies {
  Vec3d net{};
  double all = 0;                    ///< of their norms
  std::vector<Vec3d> from_obstacle;  ///< each obstacle's part of the net force
};

ForceOnBodies force_on_bodies(const StepView& view, int n_obstacle) {
  ForceOnBodies force;
  force.from_obstacle.resize(static_cast<std::size_t>(n_obstacle));
  const auto is_body = [](const ObjectId& side) {
    return side.kind == ObjectKind::soft_body || side.kind == ObjectKind::rigid_body;
  };
  for (std::size_t m = 0; m < view.contacts().size(); ++m) {
    const ContactSides& s = view.contact_sides()[m];
    const Vec3d f = transpose_times(view.contacts()[m].R, view.lambda()[m]);
    if (is_body(s.i)) force.net += f;
    if (is_body(s.j)) force.net -= f;
    force.all += norm(f);
    if (s.j.kind == ObjectKind::obstacle)
      force.from_obstacle[static_cast<std::size_t>(s.j.index)] += f;
  }
  return force;
}

constexpr double kCableRadius = 2e-3, kCableModulus = 2e10;
const double kCableSection = std::numbers::pi * kCableRadius * kCableRadius;

/// A cable of 1 m hangs from a mount; a mount at its lower end holds a plate as heavy as the cable,
/// on a vertical slide, and on it lies a box. Both weigh `times` the cable; nothing is stretched.
Scene loaded_cable(int links, double times) {
  Scene scene;
  scene.name = "loaded_cable";
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{0, 0, 0}, {0, 0, -1}};
  cable.links = links;
  cable.radius_m = kCableRadius;
  cable.material.youngs_modulus_Pa = kCableModulus;
  const double mass = cable.material.density_kg_m3 * kCableSection;
  scene.cables.push_back(cable);
  RobotSceneDescription lift;
  lift.name = "lift";
  lift.robot = test::only_base("lift");
  lift.robot.links.push_back(test::moving_link("plate", 0, JointKind::prismatic, {}, {0, 0, 1},
                                               {mass, {}, 0.01 * mass * Mat3d::identity()}));
  LinkCollision& plate = lift.robot.links[1].collisions.emplace_back();
  plate.name = "plate";
  plate.pose.position = {0, 0, -0.13};
  plate.shape = {ShapeKind::box, {0.2, 0.2, 0.02}, 0, 0, {}};
  lift.base.position = {0, 0, -1};
  lift.gravity_compensation = false;
  scene.robots.push_back(lift);
  scene.rigid_bodies.push_back(
      test::rigid_box("load", {0.1, 0.1, 0.1}, (times - 1) * mass, {0, 0, -1.07}));
  MountDescription top;
  top.name = "top";
  top.body = "cable";
  top.at = MountPoint::rear;
  scene.mounts.push_back(top);
  MountDescription end = top;
  end.name = "end";
  end.at = MountPoint::front;
  end.robot = "lift";
  end.link = "plate";
  scene.mounts.push_back(end);
  return scene;
}

TEST(HardScenes, ACableHoldsAThousandTimesItsWeight) {
  const int links = 100;
  const double times = 1000;
  const Scene scene = loaded_cable(links, times);
  const double mass = scene.cables[0].material.density_kg_m3 * kCableSection;
  Simulation simulation({scene}, newton_at(1e-6));
  double lowest = 0;
  std::vector<Wrench> sensors;
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = simulation.step().front();
    EXPECT_EQ(record.solve.status, SolveStatus::converged) << k;
    EXPECT_EQ(record.n_contact, 4) << k;
    sensors = record.sensors;
    lowest = std::min(lowest, simulation.state().q[0]);
  }
  // A joint's length l under the tension of what hangs below it; half of it in the mounts.
  double stretch = 0;
  for (int joint = 0; joint <= links; ++joint) {
    const double length = (joint == 0 || joint == links ? 0.5 : 1.0) / links;
    const double tension = mass * kG * (times + 1.0 - static_cast<double>(joint) / links);
    stretch += length * tension / (kCableModulus * kCableSection);
  }
  const double weight = mass * kG;
  EXPECT_NEAR(sensors[0].force_N.z, -(times + 1) * weight, 1e-6 * (times + 1) * weight);
  EXPECT_NEAR(sensors[1].force_N.z, times * weight, 1e-6 * times * weight);
  EXPECT_NEAR(-simulation.state().q[0], stretch, 1e-6 * stretch);
  // On the way there: what a load that is let go suddenly would give without damping.
  EXPECT_GT(lowest, -2 * stretch);
  for (const FramePose& frame : simulation.state().frames)
    EXPECT_LT(std::hypot(frame.position.x, frame.position.y), 1e-9);
}

/// Of 4 cm radius, on a floor at z = 0.
SoftBodyDescription soft_ball(double youngs_modulus_Pa) {
  SoftBodyDescription ball;
  ball.name = "ball";
  ball.mesh = mesh_ball(0.04, 250);
  ball.pose.position = {0, 0, 0.0401};
  ball.material.youngs_modulus_Pa = youngs_modulus_Pa;
  ball.material.rayleigh_stiffness_s = 0.005;
  ball.friction = 0.5;
  return ball;
}

ObstacleDescription moving_plate(const std::string& name, Vec3d size,
                                 const std::vector<Path::Key>& keys) {
  ObstacleDescription plate;
  plate.name = name;
  plate.shape = {ShapeKind::box, size, 0, 0, {}};
  plate.path.keys = keys;
  plate.friction = 0.5;
  return plate;
}

/// A soft ball on a floor is pressed by 8 mm in half a second: the floor's force, step by step.
std::vector<double> press_ball(double tolerance) {
  Scene scene;
  scene.name = "pressed_ball";
  scene.soft_bodies.push_back(soft_ball(1e5));
  scene.obstacles.push_back(test::floor_obstacle(0.5));
  scene.obstacles.push_back(
      moving_plate("press", {0.2, 0.2, 0.02}, {{0, {0, 0, 0.0905}, {}}, {0.5, {0, 0, 0.082}, {}}}));
  Simulation simulation({scene}, newton_at(tolerance));
  std::vector<double> from_floor;
  Vec3d momentum{};
  for (int k = 0; k < 80; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << k << " at " << tolerance;
      const ForceOnBodies force = force_on_bodies(view, 2);
      const test::Totals now = test::totals(simulation.model(), view.state());
      const Vec3d inertia = (1 / scene.time.step_s) * (now.momentum - momentum);
      momentum = now.momentum;
      const Vec3d balance = force.net + now.mass * scene.gravity_m_s2 - inertia;
      from_floor.push_back(force.from_obstacle[0].z);
      // To the tolerance times the net contact force, as the rule says.
      if (force.net.z > 0) {
        EXPECT_LT(norm(balance), tolerance * norm(force.net)) << k << " at " << tolerance;
      }
      if (k + 1 == 80) {
        EXPECT_LT(norm(inertia), 1e-6 * force.all);  // at rest
        EXPECT_GT(-force.from_obstacle[1].z, 2 * now.mass * kG);
      }
    });
  return from_floor;
}

TEST(HardScenes, APressedBallsFloorForceDoesNotHangOnTheTolerance) {
  const std::vector<double> exact = press_ball(1e-8);
  for (const double tolerance : {1e-3, 1e-4}) {
    const std::vector<double> loose = press_ball(tolerance);
    // From where the ball lies on the floor: before, it falls by 0.1 mm.
    for (std::size_t k = 15; k < exact.size(); ++k)
      EXPECT_NEAR(loose[k], exact[k], 2e-4 * exact[k]) << k << " at " << tolerance;
  }
}

constexpr double kHeldTolerance = 1e-3;

/// What happened while something was held in the air.
struct Held {
  int n_step = 0;
  double most_acceleration = 0;  ///< upward or downward [m/s2]
  double most_wrong = 0;    ///< of the net contact force, over the larger of m (g + a), m g [-]
  double most_squeeze = 0;  ///< all contact forces' norms over the weight [-]
};

/// Adds a step whose bodies of `mass` had this acceleration.
void hold(const ForceOnBodies& force, double mass, Vec3d acceleration, Held* held) {
  const Vec3d expected = mass * (acceleration - Vec3d{0, 0, -kG});
  ++held->n_step;
  held->most_acceleration = std::max(held->most_acceleration, std::fabs(acceleration.z));
  held->most_wrong =
      std::max(held->most_wrong, norm(force.net - expected) / std::max(norm(expected), mass * kG));
  held->most_squeeze = std::max(held->most_squeeze, force.all / (mass * kG));
}

/// By a net force that is right to the tolerance, however hard it is squeezed.
void expect_lifted(const Held& held) {
  EXPECT_GT(held.n_step, 60);
  EXPECT_GT(held.most_acceleration, 2);
  EXPECT_LT(held.most_wrong, kHeldTolerance);
}

/// Two plates squeeze a soft ball to 92 %, then rise by 0.1 m.
Held lift_ball(double youngs_modulus_Pa) {
  Scene scene;
  scene.name = "held_ball";
  scene.soft_bodies.push_back(soft_ball(youngs_modulus_Pa));
  scene.obstacles.push_back(test::floor_obstacle(0));
  for (const double side : {-1.0, 1.0})
    scene.obstacles.push_back(moving_plate(side < 0 ? "left" : "right", {0.02, 0.2, 0.2},
                                           {{0, {side * 0.0505, 0, 0.11}, {}},
                                            {0.4, {side * 0.044, 0, 0.11}, {}},
                                            {0.9, {side * 0.044, 0, 0.21}, {}}}));
  Simulation simulation({scene}, newton_at(kHeldTolerance));
  Held held;
  Vec3d momentum{};
  test::Totals now;
  for (int k = 0; k < 110; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << k;
      now = test::totals(simulation.model(), view.state());
      const Vec3d acceleration = (1 / (now.mass * scene.time.step_s)) * (now.momentum - momentum);
      momentum = now.momentum;
      const ForceOnBodies force = force_on_bodies(view, 3);
      if (view.state().time_s > 0.4 && norm(force.from_obstacle[0]) == 0)
        hold(force, now.mass, acceleration, &held);
    });
  // It is at rest between the plates, which rose by 0.1 m; it hangs lower by less than it is
  // squeezed.
  EXPECT_LT(norm(now.momentum), 1e-4 * now.mass);
  EXPECT_NEAR(now.centre.z, 0.14, 4e-3);
  return held;
}

TEST(HardScenes, ASqueezedBallIsLiftedByItsWeightAndInertia) {
  const Held soft = lift_ball(1e5), stiff = lift_ball(1e6);
  expect_lifted(soft);
  expect_lifted(stiff);
  EXPECT_GT(stiff.most_squeeze, 100);
}

/// A gripper takes a rigid box from the floor and lifts it by 0.1 m.
Held lift_box(double finger_stiffness_N_m) {
  Scene scene;
  scene.name = "held_box";
  const double mass = 0.2, height = 0.03;
  scene.rigid_bodies.push_back(test::rigid_box("box", {0.06, 0.06, 0.06}, mass, {0, 0, height}));
  scene.obstacles.push_back(test::floor_obstacle(0.5));
  RobotSceneDescription gripper;
  gripper.name = "gripper";
  gripper.robot =
      read_urdf(test::source_file("scenarios/assets/free_gripper/free_gripper_two_drives.urdf"));
  for (RobotLink& link : gripper.robot.links)
    if (link.joint.name.rfind("finger", 0) == 0)
      link.joint.max_effort = 1e3;  // not the file's 60 N
  gripper.base.position = {0, 0, 0.17};
  gripper.base.rotation = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};  // its z axis downward
  gripper.friction = 0.8;
  gripper.q = {0, 0, 0, 0, 0, 0, 0.04, 0.04};
  gripper.joint_drives = {{"base_x", 5000, 200, {}},
                          {"base_y", 5000, 200, {}},
                          {"base_z", 5000, 200, {{0.4, 0}, {0.9, -0.1}}},
                          {"base_yaw", 200, 10, {}},
                          {"base_pitch", 200, 10, {}},
                          {"base_roll", 200, 10, {}},
                          {"finger_left", finger_stiffness_N_m, 50, {{0.05, 0.04}, {0.3, 0.025}}},
                          {"finger_right", finger_stiffness_N_m, 50, {{0.05, 0.04}, {0.3, 0.025}}}};
  scene.robots.push_back(gripper);
  Simulation simulation({scene}, newton_at(kHeldTolerance));
  Held held;
  Vec3d velocity{};
  for (int k = 0; k < 110; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << k;
      const Vec3d acceleration = (1 / scene.time.step_s) * (view.state().v[0] - velocity);
      velocity = view.state().v[0];
      const ForceOnBodies force = force_on_bodies(view, 1);
      // It does not slip: the hand's coordinate is downward.
      EXPECT_NEAR(view.state().frames[0].position.z, height - view.state().q[2], 1e-6) << k;
      if (view.state().time_s > 0.4 && norm(force.from_obstacle[0]) == 0)
        hold(force, mass, acceleration, &held);
    });
  return held;
}

TEST(HardScenes, AGrippedBoxIsLiftedByItsWeightAndInertia) {
  const Held soft = lift_box(2e3), stiff = lift_box(2e4);
  expect_lifted(soft);
  expect_lifted(stiff);
  EXPECT_GT(stiff.most_squeeze, 100);
}

TEST(HardScenes, TwoCardsLeanOnEachOther) {
  for (const double degrees : {15.0, 20.0}) {
    SCOPED_TRACE(degrees);
    const Scene scene = test::house_of_cards(1, degrees, 0.5);
    Simulation simulation({scene}, newton_at(1e-6));
    std::vector<Vec3d> from_floor;
    for (int k = 0; k < 200; ++k)
      simulation.step([&](const StepView& view) {
        EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << k;
        from_floor.assign(2, Vec3d{});
        for (std::size_t m = 0; m < view.contacts().size(); ++m)
          if (view.contact_sides()[m].j.kind == ObjectKind::obstacle)
            from_floor[static_cast<std::size_t>(view.contact_sides()[m].i.index)] +=
                transpose_times(view.contacts()[m].R, view.lambda()[m]);
      });
    // Torque about a foot: the other card pushes at the height of the head with what the floor's
    // friction holds. Closing gaps of 1 um changes the lean by some 1e-5.
    const double weight = scene.rigid_bodies[0].mass_kg * kG;
    const Vec3d size = scene.rigid_bodies[0].shape.size;
    const double push = weight * (std::tan(degrees * std::numbers::pi / 180) - size.x / size.z) / 2;
    for (int card : {0, 1}) {
      EXPECT_NEAR(from_floor[card].z, weight, 1e-6 * weight);
      EXPECT_NEAR(from_floor[card].x, card == 0 ? push : -push, 1e-4 * push);
      EXPECT_LT(
          norm(simulation.state().frames[card].position - scene.rigid_bodies[card].pose.position),
          2e-6);
      EXPECT_LT(norm(simulation.state().v[static_cast<std::size_t>(2 * card)]), 1e-10);
    }
  }
}

/// A house of cards at 15 degrees stands for 2 s. While edges come to lie on each other some steps
/// end `stalled` with the best answer; after `settled` steps all are solved, and after `still`
/// steps nothing moves any more.
void expect_stands(int n_storey, double friction, const SolverOptions& options, int settled,
                   int still) {
  SCOPED_TRACE(options.solver);
  const Scene scene = test::house_of_cards(n_storey, 15, friction);
  Simulation simulation({scene}, options);
  int n_stalled = 0;
  double fastest = 0, from_floor = 0, weight = 0;
  for (int k = 0; k < 200; ++k)
    simulation.step([&](const StepView& view) {
      const SolveStatus status = view.record.solve.status;
      ASSERT_TRUE(status == SolveStatus::converged || status == SolveStatus::stalled) << k;
      if (k >= settled) {
        EXPECT_EQ(status, SolveStatus::converged) << k;
      }
      if (k >= still) {
        for (std::size_t row = 0; row < 2 * scene.rigid_bodies.size(); row += 2)
          fastest = std::max(fastest, norm(view.state().v[row]));
      }
      n_stalled += status == SolveStatus::stalled;
      from_floor = force_on_bodies(view, 1).from_obstacle[0].z;
    });
  EXPECT_LE(n_stalled, settled / 2);
  EXPECT_LT(fastest, 1e-7);
  for (const RigidBodyDescription& card : scene.rigid_bodies) weight += card.mass_kg * kG;
  EXPECT_NEAR(from_floor, weight, 1e-4 * weight);
  // Gaps of 1 um, two a storey but one under the lowest, close; no more happens.
  for (std::size_t card = 0; card < scene.rigid_bodies.size(); ++card)
    EXPECT_LT(
        norm(simulation.state().frames[card].position - scene.rigid_bodies[card].pose.position),
        2e-6 * n_storey)
        << card;
}

TEST(HardScenes, ACardHouseOfTwoStoreysStands) {
  expect_stands(2, 0.5, newton_at(1e-4), 20, 50);
  // Where `newton` stalls, `auto` asks `cond` too, which ends by its own rule.
  SolverOptions loose = newton_at(1e-3);
  loose.solver = "auto";
  expect_stands(2, 0.5, loose, 0, 50);
}

TEST(HardScenes, ACardHouseOfThreeStoreysStands) {
  expect_stands(3, 0.8, newton_at(1e-4), 50, 125);
  SolverOptions loose = newton_at(1e-3);
  loose.solver = "auto";
  expect_stands(3, 0.8, loose, 0, 125);
}

/// A cable over a soft block, both ends in the air: multigrid has a soft body and a chain.
TEST(HardScenes, ACableRestsOnASoftBlock) {
  const Vec3d size{0.1, 0.1, 0.1};
  Scene scene = test::box_scene(size, {5, 5, 5});
  scene.gravity_m_s2 = {0, 0, -kG};
  scene.obstacles.push_back(test::floor_obstacle(0.5));
  Material& soft = scene.soft_bodies[0].material;
  soft.rayleigh_mass_1_s = 5;
  soft.rayleigh_stiffness_s = 0.005;
  CableDescription cable;
  cable.name = "cable";
  cable.radius_m = 0.004;
  const double z = size.z + cable.radius_m + 1e-4, length = 0.2;
  cable.points_m = {{0.05 - length / 2, 0.048, z}, {0.05 + length / 2, 0.052, z}};
  cable.links = 50;
  cable.material.youngs_modulus_Pa = 1e7;
  cable.material.damping_s = 0.005;
  scene.cables.push_back(cable);
  SolverOptions options;
  options.execution.threads = 1;
  Simulation simulation({scene}, options);
  Vec3d from_floor, on_cable;
  for (int k = 0; k < 150; ++k)
    simulation.step([&](const StepView& view) {
      const SolveReport& report = view.record.solve;
      EXPECT_EQ(report.status, SolveStatus::converged) << k << ": " << report.reason;
      EXPECT_EQ(report.solver, "newton") << k;
      from_floor = on_cable = {};
      for (std::size_t m = 0; m < view.contacts().size(); ++m) {
        const ContactSides& s = view.contact_sides()[m];
        const Vec3d f = transpose_times(view.contacts()[m].R, view.lambda()[m]);
        if (s.j.kind == ObjectKind::obstacle) from_floor += f;
        if (s.i.kind == ObjectKind::cable) on_cable += f;
        if (s.j.kind == ObjectKind::cable) on_cable -= f;
      }
    });
  const double section = std::numbers::pi * cable.radius_m * cable.radius_m,
               of_cable = section * cable.material.density_kg_m3 * kG *
                          norm(cable.points_m[1] - cable.points_m[0]),
               of_block = size.x * size.y * size.z * soft.density_kg_m3 * kG;
  EXPECT_NEAR(on_cable.z, of_cable, 0.01 * of_cable);
  EXPECT_NEAR(from_floor.z, of_block + of_cable, 2e-3 * (of_block + of_cable));
}

}  // namespace
}  // namespace nodia

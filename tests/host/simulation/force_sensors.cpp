/// Force sensors of robots against statics, dynamics by hand, actuators' efforts and the balance of
/// momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "host/solvers/solver_options.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr Vec3d kGravity{0, 0, -9.81};

/// A robot alone, every link but the root with a sensor named after it.
Scene robot_scene(const RobotDescription& description, const Pose& base = {}) {
  Scene scene;
  scene.name = "sensors";
  RobotSceneDescription robot;
  robot.name = "robot";
  robot.robot = description;
  robot.base = base;
  for (std::size_t l = 1; l < description.links.size(); ++l)
    robot.force_sensors.push_back({description.links[l].name, description.links[l].name});
  scene.robots.push_back(robot);
  return scene;
}

/// Whether `link` is `ancestor` or hangs on it.
bool hangs_on(const RobotDescription& robot, int link, int ancestor) {
  while (link > ancestor) link = robot.links[static_cast<std::size_t>(link)].parent;
  return link == ancestor;
}

/// A capsule of radius 1 cm and length 4 cm about `at` of the link.
LinkCollision ball_at(Vec3d at) {
  LinkCollision collision;
  collision.shape.kind = ShapeKind::sphere;
  collision.shape.radius = 0.01;
  collision.pose.position = at;
  return collision;
}

/// Slides along x and z carry a hand of 0.5 kg with its centre of mass beside its frame.
RobotDescription cartesian() {
  RobotDescription robot = only_base("cartesian");
  robot.links.push_back(moving_link("x", 0, JointKind::prismatic, {}, {1, 0, 0},
                                    {1, {}, diagonal(0.01, 0.01, 0.01)}));
  robot.links.push_back(moving_link("z", 1, JointKind::prismatic, {}, {0, 0, 1},
                                    {2, {}, diagonal(0.01, 0.01, 0.01)}));
  robot.links.push_back(moving_link("hand", 2, JointKind::fixed, {0.1, 0, 0}, {0, 0, 1},
                                    {0.5, {0, 0, -0.02}, diagonal(0.001, 0.001, 0.001)}));
  return robot;
}

SolverOptions exact(double tolerance) {
  SolverOptions options = tight(tolerance);
  options.execution.threads = 1;
  return options;
}

void expect_near(Vec3d a, Vec3d b, double tolerance, const std::string& what = "") {
  EXPECT_LT(norm(a - b), tolerance) << what << ": " << a.x << " " << a.y << " " << a.z
                                    << " instead of " << b.x << " " << b.y << " " << b.z;
}

/// Trees of joints, fixed ones and mimics among them, that gravity compensation keeps at rest.
TEST(ForceSensors, CarryTheWeightBehindThemAtRest) {
  FemRandom random(3);
  for (int trial = 0; trial < 10; ++trial) {
    const RobotDescription description = random_robot(random, 7);
    const Pose base{random.vector(), random.rotation()};
    Simulation simulation({robot_scene(description, base)}, exact(1e-12));
    State state = simulation.state();
    for (double& q : state.q) q = random.uniform(-1, 1);
    simulation.set_state(0, state);
    RobotModel model(description, base);
    model.update_kinematics(state.q.data());
    const std::vector<Wrench> read = simulation.step().front().sensors;
    ASSERT_EQ(read.size(), description.links.size() - 1);
    for (std::size_t s = 1; s < description.links.size(); ++s) {
      Vec3d force{}, torque{};
      for (std::size_t l = s; l < description.links.size(); ++l) {
        const auto& inertia = description.links[l].inertia;
        if (!inertia || !hangs_on(description, static_cast<int>(l), static_cast<int>(s))) continue;
        const Vec3d weight = inertia->mass * kGravity;
        force += weight;
        torque +=
            cross(model.link_poses()[l].to_world(inertia->centre) - model.link_poses()[s].position,
                  weight);
      }
      expect_near(read[s - 1].force_N, force, 1e-9 * (1 + norm(force)), "force");
      expect_near(read[s - 1].torque_Nm, torque, 1e-9 * (1 + norm(torque)), "torque");
    }
  }
}

/// A free pendulum: qdd = -m g l sin q/(I + m l^2), force m (g - a), no torque about its axis.
TEST(ForceSensors, APendulumPullsAsByHand) {
  Scene scene = robot_scene(chain(1));
  scene.robots[0].gravity_compensation = false;
  scene.time.step_s = 1e-6;
  Simulation simulation({scene}, exact(1e-12));
  State state = simulation.state();
  const double q = 0.7, w = 3;  // turned about +y: the centre is at (-l sin q, 0, -l cos q)
  state.q[0] = q;
  state.v[0] = {w, 0, 0};
  simulation.set_state(0, state);
  const Wrench read = simulation.step().front().sensors[0];
  const double m = 2, l = 0.25, inertia = 0.04 + m * l * l;
  const Vec3d arm{-l * std::sin(q), 0, -l * std::cos(q)}, axis{0, 1, 0};
  const double turn = dot(axis, cross(arm, m * kGravity)) / inertia;
  const Vec3d a = turn * cross(axis, arm) - w * w * arm;
  expect_near(read.force_N, m * (kGravity - a), 1e-4);
  expect_near(read.torque_Nm, {}, 1e-4);
}

/// Random trees in motion under joint drives: along every joint's axis the sensor reads minus the
/// actuator's effort plus the joint's damping.
class Efforts : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Theta, Efforts, testing::Values(1.0, 0.5));

TEST_P(Efforts, AreReadAlongTheAxes) {
  FemRandom random(5);
  for (int trial = 0; trial < 10; ++trial) {
    RobotDescription description = random_robot(random, 7);
    for (RobotLink& link : description.links) {
      link.joint.mimic.reset();
      if (link.joint.kind != JointKind::fixed) link.joint.damping = 0.3;
      if (!link.inertia && link.joint.kind != JointKind::fixed)
        link.inertia = random_inertia(random);
    }
    Scene scene = robot_scene(description, {random.vector(), random.rotation()});
    scene.time.theta = GetParam();
    RobotModel model(description, scene.robots[0].base);
    for (const RobotCoordinate& c : model.coordinates())
      scene.robots[0].joint_drives.push_back({c.joint, 40, 2, {{0, 0.4}}});
    Simulation simulation({scene}, exact(1e-13));
    State start = simulation.state();
    for (double& q : start.q) q = random.uniform(-1, 1);
    for (int k = 0; k < model.n_dof(); ++k) start.v[k / 3][k % 3] = random.uniform(-2, 2);
    simulation.set_state(0, start);
    model.update_kinematics(start.q.data());
    const Eigen::VectorXd weight = model.bias_force(nullptr, kGravity);
    const std::vector<Wrench> read = simulation.step().front().sensors;
    const double t = scene.time.step_s;
    for (int k = 0; k < model.n_dof(); ++k) {
      const RobotCoordinate& c = model.coordinates()[static_cast<std::size_t>(k)];
      const auto index = static_cast<std::size_t>(k);
      const double v = (simulation.state().q[index] - start.q[index]) / t;
      const double target_velocity = 0;
      const double effort =
          weight[k] + 40 * (0.4 - start.q[index] - GetParam() * t * v) + 2 * (target_velocity - v);
      const RobotJoint& joint = description.links[static_cast<std::size_t>(c.link)].joint;
      const Vec3d axis = model.link_poses()[static_cast<std::size_t>(c.link)].rotation *
                         ((1 / norm(joint.axis)) * joint.axis);
      const Wrench& wrench = read[static_cast<std::size_t>(c.link) - 1];
      const double along =
          dot(axis, joint.kind == JointKind::prismatic ? wrench.force_N : wrench.torque_Nm);
      EXPECT_NEAR(along, -(effort - 0.3 * v), 1e-7 * (1 + std::fabs(effort)));
    }
  }
}

/// What slides and what it carries does not turn: the sum of the readings is the change of their
/// momentum to the bit of the solver, for both schemes.
class Momentum : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Theta, Momentum, testing::Values(1.0, 0.5));

TEST_P(Momentum, IsWhatTheSensorPassesOn) {
  Scene scene = robot_scene(cartesian());
  scene.time.theta = GetParam();
  scene.robots[0].collides = false;
  scene.robots[0].joint_drives = {{"to_x", 300, 20, {{0, 0}, {0.1, 0.1}}},
                                  {"to_z", 500, 30, {{0, 0}, {0.1, -0.05}}}};
  RigidBodyDescription body;
  body.name = "held";
  body.shape.kind = ShapeKind::box;
  body.shape.size = {0.02, 0.02, 0.02};
  body.mass_kg = 0.3;
  body.inertia_kg_m2 = solid_inertia(body.shape, 0.3);
  body.pose.position = {0.1, 0.01, -0.05};
  scene.rigid_bodies.push_back(body);
  MountDescription mount;
  mount.name = "mount";
  mount.body = "held";
  mount.robot = "robot";
  mount.link = "hand";
  mount.stiffness_N_m = 2000;
  mount.stiffness_Nm_rad = 2;
  scene.mounts.push_back(mount);
  const Scene soft = box_scene({0.04, 0.02, 0.02}, {2, 1, 1}, {0.12, 0, 0});
  scene.soft_bodies = soft.soft_bodies;
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = "box";
  grip.node_set = "x_min";
  grip.stiffness_N_m = 100;
  grip.robot = "robot";
  grip.link = "hand";
  scene.attachments.push_back(grip);
  Simulation simulation({scene}, exact(1e-13));
  const auto momentum = [&] {
    const State& s = simulation.state();
    const Vec3d qd = s.v[static_cast<std::size_t>(simulation.layout().first_robot_row())];
    Vec3d p = totals(simulation.model(), s).momentum;
    p += 0.3 * s.v[static_cast<std::size_t>(simulation.layout().frame_row(0))];
    return p + Vec3d{2.5 * qd.x, 0, 2.5 * qd.y};  // of the slide z, with the hand
  };
  const double carried = totals(simulation.model(), simulation.state()).mass + 0.3 + 2.5;
  const double t = scene.time.step_s;
  Vec3d impulse{};
  double largest = 0;
  for (int k = 0; k < 30; ++k) {
    const Vec3d before = momentum();
    const std::vector<Wrench> sensors = simulation.step().front().sensors;
    ASSERT_EQ(sensors.size(), 5u);  // mount, attachment, x, z, hand
    const Vec3d expected = t * carried * kGravity - (momentum() - before);
    expect_near(t * sensors[3].force_N, expected, 1e-8);
    impulse += sensors[3].force_N;
    largest = std::max(largest, std::fabs(sensors[3].force_N.x));
  }
  EXPECT_GT(largest, 5);  // it has been accelerated
  expect_near(t * impulse, 30 * t * carried * kGravity - momentum(), 1e-7);
}

/// What turns changes its Jacobians within a step: the balance holds to first order in the step.
TEST(ForceSensors, BalanceTheMomentumOfTurningLinksToFirstOrder) {
  const auto missing = [](double step_s) {
    Scene scene = robot_scene(chain(3));
    scene.robots[0].gravity_compensation = false;
    scene.time.step_s = step_s;
    Simulation simulation({scene}, exact(1e-13));
    State state = simulation.state();
    state.q = {0.3, -0.5, 0.8};
    state.v[0] = {2, -3, 4};
    simulation.set_state(0, state);
    RobotModel model(chain(3));
    const auto momentum = [&] {
      model.update_kinematics(simulation.state().q.data());
      Vec3d p{};
      for (int l = 1; l <= 3; ++l) {
        const Vec3d centre =
            model.link_poses()[static_cast<std::size_t>(l)].to_world({0, 0, -0.25});
        p += 2.0 * (model.point_jacobian(l, centre)[0] * simulation.state().v[0]);
      }
      return p;
    };
    const Vec3d start = momentum();
    Vec3d impulse{};
    const int n = static_cast<int>(std::lround(0.2 / step_s));
    for (int k = 0; k < n; ++k)
      impulse += step_s * (simulation.step().front().sensors[0].force_N - 6.0 * kGravity);
    return norm(impulse + momentum() - start);
  };
  const double coarse = missing(2e-3), fine = missing(1e-3);
  EXPECT_LT(coarse, 0.05 * 6 * 2);
  EXPECT_NEAR(coarse / fine, 2, 0.15);
}

/// A finger pressed on the floor: the floor's force less the weight behind, with its moment.
TEST(ForceSensors, PressOnAnObstacle) {
  RobotDescription description = cartesian();
  description.links[3].collisions.push_back(ball_at({0.05, 0.02, -0.08}));
  Scene scene = robot_scene(description, {{0, 0, 0.1}, Mat3d::identity()});
  scene.robots[0].gravity_compensation = false;
  scene.robots[0].joint_drives = {{"to_x", 500, 50, {}}, {"to_z", 1000, 100, {{0, -0.05}}}};
  scene.obstacles.push_back(floor_obstacle(0));
  Simulation simulation({scene}, exact(1e-11));
  for (int k = 0; k < 300; ++k) simulation.step();
  const StepRecord& record = simulation.step().front();
  const double floor = record.obstacle_force_N.z;
  // The drive asks for 0.05 m down of which the finger goes 0.01 m.
  const double down = 1000 * (0.05 + simulation.state().q[1]) + 2.5 * 9.81;
  EXPECT_NEAR(floor, down, 1e-6 * down);
  EXPECT_GT(down, 50);
  const Wrench slide = record.sensors[1], hand = record.sensors[2];
  expect_near(slide.force_N, {0, 0, floor - 2.5 * 9.81}, 1e-6 * down);
  expect_near(hand.force_N, {0, 0, floor - 0.5 * 9.81}, 1e-6 * down);
  // Arms from the hand's frame: contact (0.05, 0.02), centre of mass (0, 0).
  expect_near(hand.torque_Nm, {0.02 * floor, -0.05 * floor, 0}, 1e-6 * down);
  // From the slide's: the hand's frame is at (0.1, 0).
  expect_near(slide.torque_Nm, {0.02 * floor, -0.15 * floor + 0.1 * 0.5 * 9.81, 0}, 1e-6 * down);
}

/// A body between two robots, each with a sensor: they read the same force with opposite signs,
/// whichever side of the contacts the robots are.
TEST(ForceSensors, TwoRobotsSqueezeABody) {
  for (const bool soft : {false, true}) {
    RobotDescription description = only_base("pusher");
    description.links.push_back(moving_link("plate", 0, JointKind::prismatic, {}, {1, 0, 0},
                                            {1, {}, diagonal(0.01, 0.01, 0.01)}));
    LinkCollision plate;
    plate.shape.kind = ShapeKind::box;
    plate.shape.size = {0.02, 0.2, 0.2};
    description.links[1].collisions.push_back(plate);
    Scene scene = robot_scene(description, {{-0.065, 0, 0}, Mat3d::identity()});
    scene.gravity_m_s2 = {};
    scene.robots.push_back(scene.robots[0]);
    scene.robots[1].name = "other";
    scene.robots[1].base.position = {0.065, 0, 0};
    scene.robots[1].force_sensors[0].name = "other plate";
    scene.robots[0].joint_drives = {{"to_plate", 1000, 100, {{0, 0.01}}}};
    scene.robots[1].joint_drives = {{"to_plate", 1000, 100, {{0, -0.01}}}};
    if (soft) {
      scene.soft_bodies =
          box_scene({0.1, 0.06, 0.06}, {3, 2, 2}, {-0.05, -0.03, -0.03}).soft_bodies;
      scene.soft_bodies[0].material.rayleigh_stiffness_s = 0.05;
    } else {
      RigidBodyDescription body;
      body.name = "box";
      body.shape.kind = ShapeKind::box;
      body.shape.size = {0.1, 0.06, 0.06};
      body.mass_kg = 1;
      body.inertia_kg_m2 = solid_inertia(body.shape, 1);
      scene.rigid_bodies.push_back(body);
    }
    Simulation simulation({scene}, exact(1e-11));
    for (int k = 0; k < 80; ++k) simulation.step();
    const std::vector<Wrench> read = simulation.step().front().sensors;
    const double push = 1000 * (0.01 - simulation.state().q[0]);
    EXPECT_GT(push, 1) << soft;
    expect_near(read[0].force_N, {-push, 0, 0}, 1e-5 * push);
    expect_near(read[1].force_N, {push, 0, 0}, 1e-5 * push);
    expect_near(read[0].torque_Nm, {}, 1e-4 * push);
    expect_near(read[1].torque_Nm, {}, 1e-4 * push);
  }
}

/// An arm that holds a body beside its wrist.
TEST(ForceSensors, CarryAMountedBody) {
  RobotDescription description = chain(2);
  for (int l : {1, 2}) description.links[static_cast<std::size_t>(l)].joint.damping = 1;
  Scene scene = robot_scene(description);
  scene.robots[0].q = {0.5, -1.2};
  scene.robots[0].joint_drives = {{"to_link1", 2000, 200, {}}, {"to_link2", 2000, 200, {}}};
  RobotModel model(description);
  model.update_kinematics(scene.robots[0].q.data());
  RigidBodyDescription body;
  body.name = "held";
  body.shape.kind = ShapeKind::sphere;
  body.shape.radius = 0.05;
  body.mass_kg = 0.8;
  body.inertia_kg_m2 = solid_inertia(body.shape, 0.8);
  body.pose.position = model.link_poses()[2].to_world({0.1, 0.05, -0.5});
  scene.rigid_bodies.push_back(body);
  MountDescription mount;
  mount.name = "mount";
  mount.body = "held";
  mount.robot = "robot";
  mount.link = "link2";
  mount.stiffness_N_m = 1e5;
  mount.stiffness_Nm_rad = 1e3;
  mount.damping_s = 0.01;
  scene.mounts.push_back(mount);
  Simulation simulation({scene}, exact(1e-12));
  for (int k = 0; k < 400; ++k) simulation.step();
  const Wrench wrist = simulation.step().front().sensors[2];
  model.update_kinematics(simulation.state().q.data());
  const Pose& link = model.link_poses()[2];
  const Vec3d own = link.to_world({0, 0, -0.25}) - link.position;
  const Vec3d held = simulation.state().frames[0].position - link.position;
  expect_near(wrist.force_N, 2.8 * kGravity, 1e-6);
  expect_near(wrist.torque_Nm, cross(own, 2.0 * kGravity) + cross(held, 0.8 * kGravity), 1e-6);
}

/// A failed step has no reading.
TEST(ForceSensors, ReadNothingWhereAStepFails) {
  Simulation simulation({robot_scene(cartesian())}, exact(1e-10));
  State state = simulation.state();
  state.v[0].x = std::nan("");
  simulation.set_state(0, state);
  const StepRecord& record = simulation.step().front();
  EXPECT_EQ(record.solve.status, SolveStatus::not_a_number);
  ASSERT_EQ(record.sensors.size(), 3u);
  for (const Wrench& wrench : record.sensors) EXPECT_TRUE(std::isnan(wrench.force_N.x));
}

}  // namespace
}  // namespace nodia::test

#include "fem/robot/robot_control.hpp"

#include <gtest/gtest.h>

#include "fem/robot/urdf.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using test::chain;
using test::FemRandom;
using test::LoneRobot;
using test::slider;

const std::vector<double> kReady{0, -0.785, 0, -2.356, 0, 1.571, 0.785};

LoneRobot panda() {
  return LoneRobot(read_urdf(test::source_file("scenarios/assets/panda/panda.urdf")));
}

RobotModel::Report report(const LoneRobot& robot) {
  return robot.model.report(robot.v_hat.data());
}

/// Sum of a robot's rows of J^T f for a force on a point of a link.
Eigen::VectorXd generalized(const LoneRobot& robot, int link, Vec3d point, Vec3d force) {
  const auto J = robot.model.point_jacobian(link, point);
  Eigen::VectorXd f(3 * robot.model.n_row());
  for (int r = 0; r < robot.model.n_row(); ++r)
    for (int k = 0; k < 3; ++k) f[3 * r + k] = transpose_times(J[r], force)[k];
  return f;
}

TEST(RobotControl, JointDriveIsTheImplicitSpring) {
  // m v' = -Kp (q - q_d) - Kd (v - v_d), implicit Euler, by hand.
  LoneRobot robot(slider());
  robot.q[0] = 0.2;
  robot.qd[0] = -0.4;
  robot.control.joint = {{300, 20, 0.5, 0.1}};
  double q = 0.2, v = -0.4;
  const double t = robot.time.step_s, m = 2;
  for (int i = 0; i < 20; ++i) {
    robot.step();
    v = (m * v / t + 300 * (0.5 - q) + 20 * 0.1) / (m / t + 300 * t + 20);
    q += t * v;
    ASSERT_NEAR(robot.q[0], q, 1e-14);
    ASSERT_NEAR(robot.qd[0], v, 1e-13);
    ASSERT_NEAR(report(robot).effort[0], 300 * (0.5 - q) + 20 * (0.1 - v), 1e-11);
  }
}

TEST(RobotControl, JointDrivesSettleAtTheirStaticOffset) {
  // Kp (q_d - q) = G(q).
  LoneRobot robot = panda();
  robot.q = kReady;
  robot.control.joint.assign(7, {});
  for (int i = 0; i < 7; ++i) robot.control.joint[i] = {2000, 100, kReady[i], 0};
  robot.run(3000);
  robot.model.update_kinematics(robot.q.data());
  const Eigen::VectorXd G = robot.model.bias_force(nullptr, robot.gravity);
  double largest = 0, error = 0;
  for (int i = 0; i < 7; ++i) {
    const double offset = kReady[i] - robot.q[i];
    largest = std::max(largest, std::fabs(offset));
    error = std::max(error, std::fabs(offset - G[i] / 2000));
    EXPECT_NEAR(robot.qd[i], 0, 1e-12);
    EXPECT_NEAR(report(robot).effort[i], G[i], 1e-9);
  }
  printf("sag %.3g rad, error of the offset %.2g rad\n", largest, error);
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(error, 1e-12);
  EXPECT_EQ(report(robot).largest_excess, 0);
}

TEST(RobotControl, GravityCompensationHoldsStill) {
  LoneRobot robot = panda();
  robot.q = kReady;
  robot.control.gravity_compensation = true;
  robot.run(500);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(robot.q[i], kReady[i], 1e-12);
}

TEST(RobotControl, GravityCompensationLeavesAFreeArmToItsInertia) {
  // A push accelerates as without gravity: no stiffness of gravity is left in A.
  LoneRobot with = panda(), without = panda();
  with.q = without.q = kReady;
  with.control.gravity_compensation = true;
  without.gravity = {};
  with.external = without.external = {1, -2, 0.5, 1, 0.1, -0.1, 0.2};
  for (int i = 0; i < 50; ++i) {
    with.step();
    without.step();
  }
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(with.q[i], without.q[i], 1e-10);
}

TEST(RobotControl, FeedforwardIsAnEffort) {
  LoneRobot robot(slider());
  robot.control.feedforward = {3};
  robot.run(100);
  EXPECT_NEAR(robot.qd[0], 3.0 / 2 * 1, 1e-12);
  EXPECT_NEAR(report(robot).effort[0], 3, 1e-14);
}

PoseDrive drive_to(const LoneRobot& robot, const Pose& target) {
  PoseDrive drive;
  drive.link = robot.model.description().find_link("panda_tool");
  drive.target = target;
  drive.stiffness = {2000, 2000, 2000};
  drive.damping = {200, 200, 200};
  drive.angular_stiffness = {50, 50, 50};
  drive.angular_damping = {5, 5, 5};
  return drive;
}

TEST(RobotControl, PoseDriveReachesItsTarget) {
  FemRandom random(3);
  for (int trial = 0; trial < 5; ++trial) {
    LoneRobot robot = panda();
    robot.q = kReady;
    robot.model.update_kinematics(robot.q.data());
    const int tool = robot.model.description().find_link("panda_tool");
    Pose target = robot.model.link_poses()[tool];
    target.position += random.vector(0.08);
    Vec3d axis = random.vector();
    axis = (1 / norm(axis)) * axis;
    target.rotation = axis_rotation(axis, 0.5) * target.rotation;
    robot.control.pose = {drive_to(robot, target)};
    robot.control.gravity_compensation = true;
    robot.control.joint.assign(7, {0, 1, 0, 0});  // the arm has one coordinate more than a pose
    robot.run(4000);
    robot.model.update_kinematics(robot.q.data());
    const Pose& pose = robot.model.link_poses()[tool];
    EXPECT_LT(norm(pose.position - target.position), 1e-6);
    EXPECT_LT(test::frobenius(pose.rotation - target.rotation), 1e-6);
  }
}

/// In equilibrium with a force f on the tool: K (x_d - x) = -f, whatever the arm.
TEST(RobotControl, PoseDriveHasItsStiffnessInTheTargetsAxes) {
  LoneRobot robot = panda();
  robot.q = kReady;
  robot.model.update_kinematics(robot.q.data());
  const int tool = robot.model.description().find_link("panda_tool");
  const Pose start = robot.model.link_poses()[tool];
  PoseDrive drive = drive_to(robot, start);
  drive.stiffness = {500, 1000, 4000};
  robot.control.pose = {drive};
  robot.control.gravity_compensation = true;
  robot.control.joint.assign(7, {0, 1, 0, 0});
  const Vec3d force = start.rotation * Vec3d{1, 2, -4};
  for (int i = 0; i < 4000; ++i) {
    robot.assemble(robot.input());
    const Vec3d point = robot.model.link_poses()[tool].position;
    robot.solve(generalized(robot, tool, point, force));
    robot.model.advance(robot.v_hat.data(), robot.time, robot.q.data(), robot.qd.data());
  }
  robot.model.update_kinematics(robot.q.data());
  const Vec3d moved =
      transpose_times(start.rotation, robot.model.link_poses()[tool].position - start.position);
  EXPECT_NEAR(moved.x, 1.0 / 500, 1e-8);
  EXPECT_NEAR(moved.y, 2.0 / 1000, 1e-8);
  EXPECT_NEAR(moved.z, -4.0 / 4000, 1e-8);
}

TEST(RobotControl, PoseDriveFollowsAMovingTargetWithoutLag) {
  LoneRobot robot(read_urdf(test::source_file("scenarios/assets/free_gripper/free_gripper.urdf")));
  robot.gravity = {};
  PoseDrive drive;
  drive.link = robot.model.description().find_link("tool");
  drive.stiffness = {3000, 3000, 3000};
  drive.damping = {300, 300, 300};
  drive.angular_stiffness = {100, 100, 100};
  drive.angular_damping = {10, 10, 10};
  drive.linear_velocity = {0.1, -0.05, 0.02};
  drive.angular_velocity = {0, 0, 0.3};
  for (int i = 1; i <= 400; ++i) {
    const double time = i * robot.time.step_s;
    drive.target = {Vec3d{0, 0, 0.16} + time * drive.linear_velocity,
                    axis_rotation({0, 0, 1}, 0.3 * time)};
    robot.control.pose = {drive};
    robot.step();
  }
  robot.model.update_kinematics(robot.q.data());
  const Pose& pose = robot.model.link_poses()[drive.link];
  EXPECT_LT(norm(pose.position - drive.target.position), 1e-5);
  EXPECT_LT(test::frobenius(pose.rotation - drive.target.rotation), 1e-5);
}

/// Half a turn away, and next to it, the moment is finite and turns the shorter way.
TEST(RobotControl, PoseDriveTurnsTheShorterWayRound) {
  RobotDescription description = chain(1);
  for (const double angle : {3.0, 3.1415, -3.1415, 1e-12, M_PI - 1e-9, 2.0, -2.5}) {
    LoneRobot robot(description);
    robot.gravity = {};
    PoseDrive drive;
    drive.link = 1;
    drive.target.rotation = axis_rotation({0, 1, 0}, angle);
    drive.angular_stiffness = {7, 7, 7};
    robot.control.pose = {drive};
    robot.time.step_s = 1e-9;
    robot.step();
    EXPECT_NEAR(report(robot).effort[0], 7 * angle, 1e-6 * (1 + std::fabs(angle)));
  }
}

TEST(RobotControl, EffortLimitIsReachedAndNotPassed) {
  RobotDescription description = slider();
  description.links[1].joint.max_effort = 5;
  LoneRobot robot(description);
  robot.control.joint = {{1e4, 500, 1, 0}};
  robot.step();
  EXPECT_NEAR(robot.qd[0], 5 * 0.01 / 2, 1e-14);
  EXPECT_NEAR(report(robot).effort[0], 5, 1e-12);
  EXPECT_TRUE(report(robot).saturated[0]);
  EXPECT_LT(report(robot).largest_excess, 1e-9);
  int saturated = 0;
  double largest = 0, overshoot = 0;
  for (int i = 0; i < 3000; ++i) {
    robot.step();
    saturated += report(robot).saturated[0];
    largest = std::max(largest, std::fabs(report(robot).effort[0]));
    overshoot = std::max(overshoot, robot.q[0] - 1);
  }
  EXPECT_LE(largest, 5 * (1 + 1e-8));
  EXPECT_GT(saturated, 10);
  EXPECT_FALSE(report(robot).saturated[0]);
  EXPECT_NEAR(robot.q[0], 1, 1e-9);
  printf("saturated in %d of 3000 steps, overshoot %.3g m\n", saturated, overshoot);
}

/// A load above the limit is not held, one below it is.
TEST(RobotControl, AWeakActuatorGivesWay) {
  for (const double load : {4.9, 5.1}) {
    RobotDescription description = slider();
    description.links[1].joint.max_effort = 5;
    LoneRobot robot(description);
    robot.control.joint = {{1e4, 500, 0, 0}};
    robot.external = {load};
    robot.run(500);
    if (load < 5) {
      EXPECT_NEAR(robot.q[0], load / 1e4, 1e-9);
    } else {
      EXPECT_NEAR(robot.qd[0], 0.1 * 5 / 2, 0.01);  // (load - limit) time / mass
    }
  }
}

TEST(RobotControl, GravityCompensationAndFeedforwardKeepToTheLimitToo) {
  RobotDescription description = chain(1);
  description.links[1].joint.max_effort = 1;
  LoneRobot robot(description);
  robot.q[0] = M_PI / 2;  // the weight takes 2 * 9.81 * 0.25 = 4.9 N m
  robot.control.gravity_compensation = true;
  robot.control.joint = {{100, 1, M_PI / 2, 0}};
  robot.step();
  EXPECT_NEAR(std::fabs(report(robot).effort[0]), 1, 1e-12);
  EXPECT_TRUE(report(robot).saturated[0]);
  EXPECT_LT(robot.q[0], M_PI / 2);
}

TEST(RobotControl, PoseDriveKeepsEveryJointToItsLimit) {
  LoneRobot robot = panda();
  robot.q = kReady;
  robot.model.update_kinematics(robot.q.data());
  Pose target = robot.model.link_poses()[robot.model.description().find_link("panda_tool")];
  target.position += Vec3d{0.2, 0.1, 0.25};
  PoseDrive drive = drive_to(robot, target);
  drive.stiffness = {2e4, 2e4, 2e4};
  drive.damping = {500, 500, 500};
  robot.control.pose = {drive};
  robot.control.gravity_compensation = true;
  robot.control.joint.assign(7, {0, 2, 0, 0});
  int saturated = 0;
  double excess = 0;
  for (int i = 0; i < 600; ++i) {
    robot.step();
    const RobotModel::Report r = report(robot);
    for (const char s : r.saturated) saturated += s;
    excess = std::max(excess, r.largest_excess);
    for (int k = 0; k < 7; ++k) ASSERT_TRUE(std::isfinite(robot.q[k]));
  }
  EXPECT_GT(saturated, 0);
  EXPECT_LT(excess, 1e-8);
}

/// Every drive of a chain that swings applies P(tau_0 - g v), whatever the others do.
TEST(RobotControl, EveryDriveGivesWhatItAsksForOrItsLimit) {
  FemRandom random(5);
  int limited = 0;
  for (int sample = 0; sample < 40; ++sample) {
    const int n = 5;
    RobotDescription description = chain(n);
    for (int i = 1; i <= n; ++i)
      description.links[i].joint.max_effort = std::exp(random.uniform(-1, 4));
    LoneRobot robot(description);
    robot.control.joint.resize(n);
    for (JointDrive& drive : robot.control.joint)
      drive = {std::exp(random.uniform(2, 8)), std::exp(random.uniform(-1, 5)),
               random.uniform(-2, 2), random.uniform(-1, 1)};
    for (int k = 0; k < 30; ++k) {
      robot.step();
      for (int i = 0; i < n; ++i) {
        const JointDrive& drive = robot.control.joint[i];
        const double limit = description.links[i + 1].joint.max_effort;
        const double asked = drive.stiffness * (drive.target - robot.q[i]) +
                             drive.damping * (drive.target_velocity - robot.qd[i]);
        const double effort = report(robot).effort[i];
        ASSERT_NEAR(effort, std::clamp(asked, -limit, limit),
                    1e-9 * (limit + drive.stiffness + drive.damping))
            << sample << ' ' << k << ' ' << i;
        limited += std::fabs(effort) > limit * (1 - 1e-9);
      }
    }
  }
  EXPECT_GT(limited, 1000);
}

/// Pose and joint drives together, of which both ask for more than the joints can give.
TEST(RobotControl, PoseAndJointDrivesTogetherKeepToTheLimits) {
  FemRandom random(8);
  int limited = 0;
  for (int sample = 0; sample < 20; ++sample) {
    LoneRobot robot = panda();
    robot.q = kReady;
    robot.model.update_kinematics(robot.q.data());
    Pose target = robot.model.link_poses()[robot.model.description().find_link("panda_tool")];
    target.position += random.vector(0.4);
    PoseDrive drive = drive_to(robot, target);
    drive.stiffness = std::exp(random.uniform(6, 11)) * Vec3d{1, 1, 1};
    drive.damping = 0.03 * drive.stiffness;
    robot.control.pose = {drive};
    robot.control.gravity_compensation = sample % 2 == 0;
    robot.control.joint.resize(7);
    for (JointDrive& joint : robot.control.joint)
      if (random.uniform(0, 1) < 0.5)
        joint = {std::exp(random.uniform(2, 8)), std::exp(random.uniform(0, 4)),
                 random.uniform(-2, 2), 0};
    for (int k = 0; k < 50; ++k) {
      robot.step();
      const RobotModel::Report r = report(robot);
      ASSERT_LT(r.largest_excess, 1e-6) << sample << ' ' << k;
      limited += std::count(r.saturated.begin(), r.saturated.end(), 1) > 0;
    }
  }
  EXPECT_GT(limited, 200);
}

/// At a wall that stops it, a drive below its limit in free motion asks for more.
TEST(RobotControl, TheLimitsOfFreeMotionDoNotHoldAtAWall) {
  RobotDescription description = slider();
  description.links[1].joint.max_effort = 5;
  LoneRobot robot(description);
  robot.control.joint = {{1e4, 100, 0.9e-3, 0}};  // asks for 9 N at rest
  robot.assemble(robot.input());
  const std::vector<Vec3d> at_rest{Vec3d{}};
  double wall = 0;
  EXPECT_FALSE(robot.model.limits_hold(at_rest.data(), &wall));
  EXPECT_NEAR(wall, -9, 1e-12);
  RobotModel::AssemblyInput in = robot.input();
  in.expected_force = &wall;
  robot.assemble(in);
  EXPECT_TRUE(robot.model.limits_hold(at_rest.data(), &wall));
  EXPECT_NEAR(wall, -5, 1e-12);
}

/// A wall stops the slide; with the contact force of the last step the prediction is exact and
/// the push stays at the limit although the spring asks for a hundred times as much.
TEST(RobotControl, ContactForcesMakeThePredictionExact) {
  RobotDescription description = slider();
  description.links[1].joint.max_effort = 5;
  LoneRobot robot(description);
  robot.control.joint = {{1e4, 100, 0.05, 0}};  // asks for 500 N against the wall at 0
  std::vector<double> wall{0};
  for (int i = 0; i < 10; ++i) {
    RobotModel::AssemblyInput in = robot.input();
    in.expected_force = wall.data();
    robot.assemble(in);
    // v_hat = 0 by the wall's force, if it pushes.
    wall[0] = std::min(0.0, -robot.b[0].x);
    robot.solve(Eigen::Vector3d{wall[0], 0, 0});
    robot.model.advance(robot.v_hat.data(), robot.time, robot.q.data(), robot.qd.data());
    EXPECT_NEAR(wall[0], -5, 1e-9) << i;
  }
}

TEST(RobotControl, PositionLimitStopsAJoint) {
  RobotDescription description = slider();
  description.links[1].joint.lower = -0.1;
  description.links[1].joint.upper = 0.1;
  for (const double direction : {1.0, -1.0}) {
    LoneRobot robot(description);
    robot.qd[0] = direction * 2;
    double furthest = 0;
    for (int i = 0; i < 100; ++i) {
      robot.step();
      furthest = std::max(furthest, direction * robot.q[0]);
    }
    // The step that meets the limit would have crossed by up to 2 m/s * 10 ms.
    EXPECT_LT(furthest, 0.1 + 0.02 / 100);
    EXPECT_LT(std::fabs(robot.qd[0]), 0.01 * 2);
    // It does not hold on to the joint.
    robot.external = {-direction * 3};
    robot.run(10);
    EXPECT_LT(direction * robot.q[0], 0.1 - 0.9 * 0.5 * 1.5 * 0.01);
  }
}

/// A limit ahead that the prediction reaches pulls at nothing when a contact holds the joint.
TEST(RobotControl, PositionLimitNeverPulls) {
  RobotDescription description = slider();
  description.links[1].joint.upper = 0.1;
  for (const double q : {0.0, 0.05, 0.1 - 1e-6, 0.1}) {
    LoneRobot robot(description);
    robot.q[0] = q;
    robot.external = {1e4};
    robot.assemble(robot.input());
    EXPECT_NEAR(robot.b[0].x, 1e4, 1e-9);  // what a contact has to bear to keep v_hat = 0
  }
}

TEST(RobotControl, SeveralLimitsAtOnceAreMet) {
  FemRandom random(9);
  for (int trial = 0; trial < 100; ++trial) {
    RobotDescription description = test::random_robot(random, 8);
    for (RobotLink& link : description.links) {
      if (link.joint.mimic || link.joint.kind == JointKind::continuous) continue;
      link.joint.lower = -0.1;
      link.joint.upper = 0.1;
    }
    LoneRobot robot(description);
    for (double& q : robot.q) q = random.uniform(-0.09, 0.09);
    for (double& v : robot.qd) v = random.uniform(-30, 30);
    robot.step();
    for (int i = 0; i < robot.model.n_dof(); ++i) {
      const RobotCoordinate& c = robot.model.coordinates()[i];
      ASSERT_LT(robot.q[i], c.upper + 0.02) << trial;
      ASSERT_GT(robot.q[i], c.lower - 0.02) << trial;
    }
  }
}

TEST(RobotControl, PositionLimitBearsALoadAsDocumented) {
  RobotDescription description = slider();
  description.links[1].joint.upper = 0.1;
  LoneRobot robot(description);
  robot.q[0] = 0.1;
  robot.external = {50};
  robot.run(300);
  const double k = kLimitStiffness * (2 / 0.01) / 0.01;
  EXPECT_NEAR(robot.q[0] - 0.1, 50 / (0.2 * k), 1e-9);
  EXPECT_NEAR(report(robot).limit_force[0], -50, 1e-6);
}

TEST(RobotControl, FarBeyondALimitTheWayBackIsSlow) {
  RobotDescription description = slider();
  description.links[1].joint.upper = 0.1;
  LoneRobot robot(description);
  robot.q[0] = 0.5;
  double fastest = 0;
  for (int i = 0; i < 300; ++i) {
    robot.step();
    fastest = std::max(fastest, std::fabs(robot.qd[0]));
  }
  EXPECT_LE(fastest, kLimitRecovery);
  EXPECT_LT(robot.q[0], 0.1 + 1e-6);
}

TEST(RobotControl, APandaPushedAgainstItsLimitsStaysInside) {
  LoneRobot robot = panda();
  robot.q = kReady;
  robot.control.gravity_compensation = true;
  robot.external = {40, 30, -30, -30, 6, 6, -6};
  double excess = 0;
  for (int i = 0; i < 800; ++i) {
    robot.step();
    for (int k = 0; k < 7; ++k) {
      const RobotCoordinate& c = robot.model.coordinates()[k];
      excess = std::max({excess, robot.q[k] - c.upper, c.lower - robot.q[k]});
      ASSERT_TRUE(std::isfinite(robot.q[k]));
    }
  }
  printf("beyond the limits by at most %.3g rad\n", excess);
  EXPECT_LT(excess, 0.02);
}

TEST(RobotControl, MisfitsAreNamed) {
  LoneRobot robot = panda();
  const auto message = [&] {
    try {
      robot.step();
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  robot.control.joint.resize(6);
  EXPECT_EQ(message(),
            "control.joint size = 6 (must be 0 or 7, the number of coordinates of robot 'panda')");
  robot.control.joint.assign(7, {});
  robot.control.joint[2].stiffness = -1;
  EXPECT_EQ(message(), "joint drive.stiffness = -1 (must be finite and >= 0)");
  robot.control.joint.clear();
  robot.control.feedforward.resize(1);
  EXPECT_NE(message().find("control.feedforward size = 1"), std::string::npos);
  robot.control.feedforward.clear();
  robot.control.pose.resize(1);
  robot.control.pose[0].link = 10;
  EXPECT_EQ(message(), "pose drive.link = 10 (must be in [0, 9))");
}

}  // namespace
}  // namespace nodia

/// The robots of scenarios/assets against what is published about them.
#include <gtest/gtest.h>

#include "fem/robot/urdf.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

RobotModel asset(const std::string& path) {
  return RobotModel(read_urdf(test::source_file("scenarios/assets/" + path)));
}

Vec3d column(const Mat3d& m, int k) {
  return {m(0, k), m(1, k), m(2, k)};
}

/// Denavit-Hartenberg in Craig's convention: Rot_x(alpha) Trans_x(a) Rot_z(q) Trans_z(d).
Pose denavit_hartenberg(const Pose& parent, double a, double d, double alpha, double q) {
  const Mat3d x = axis_rotation({1, 0, 0}, alpha);
  const Mat3d R = x * axis_rotation({0, 0, 1}, q);
  return {parent.to_world(Vec3d{a, 0, 0} + x * Vec3d{0, 0, d}), parent.rotation * R};
}

TEST(RobotAssets, PandaHasItsPublishedKinematics) {
  RobotModel model = asset("panda/panda.urdf");
  ASSERT_EQ(model.n_dof(), 7);
  EXPECT_EQ(model.n_row(), 3);
  const double half = M_PI / 2;
  const double a[] = {0, 0, 0, 0.0825, -0.0825, 0, 0.088};
  const double d[] = {0.333, 0, 0.316, 0, 0.384, 0, 0};
  const double alpha[] = {0, -half, half, half, -half, half, half};
  test::FemRandom random(1);
  double worst = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> q = test::random_numbers(random, 7, 2.5);
    model.update_kinematics(q.data());
    Pose pose;
    for (int i = 0; i < 7; ++i) {
      pose = denavit_hartenberg(pose, a[i], d[i], alpha[i], q[i]);
      const Pose& ours =
          model.link_poses()[model.description().find_link("panda_link" + std::to_string(i + 1))];
      worst = std::max({worst, norm(ours.position - pose.position),
                        test::frobenius(ours.rotation - pose.rotation)});
    }
    const Pose& tool = model.link_poses()[model.description().find_link("panda_tool")];
    worst = std::max(worst, norm(tool.position - pose.to_world({0, 0, 0.107})));
  }
  EXPECT_LT(worst, 1e-14);
}

TEST(RobotAssets, PandaReachesUpToItsHeight) {
  RobotModel model = asset("panda/panda.urdf");
  const std::vector<double> q(7, 0.0);
  model.update_kinematics(q.data());
  const Pose& tool = model.link_poses()[model.description().find_link("panda_tool")];
  EXPECT_LT(norm(tool.position - Vec3d{0.088, 0, 0.333 + 0.316 + 0.384 - 0.107}), 1e-14);
  EXPECT_LT(norm(column(tool.rotation, 2) - Vec3d{0, 0, -1}), 1e-14);
}

TEST(RobotAssets, PandaHasItsPublishedLimitsAndMass) {
  const RobotModel model = asset("panda/panda.urdf");
  const double lower[] = {-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973};
  const double upper[] = {2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973};
  for (int i = 0; i < 7; ++i) {
    const RobotCoordinate& c = model.coordinates()[i];
    EXPECT_EQ(c.joint, "panda_joint" + std::to_string(i + 1));
    EXPECT_EQ(c.lower, lower[i]);
    EXPECT_EQ(c.upper, upper[i]);
    EXPECT_EQ(c.max_velocity, i < 4 ? 2.175 : 2.61);
    EXPECT_EQ(c.max_effort, i < 4 ? 87 : 12);
  }
  EXPECT_NEAR(model.mass(), 16.06, 0.01);
}

TEST(RobotAssets, EveryShapeTouchesItsNeighbours) {
  // At rest every arm link's capsules overlap the next link's: no gap in the chain.
  RobotModel model = asset("panda/panda.urdf");
  const std::vector<double> q{0, -0.785, 0, -2.356, 0, 1.571, 0.785};
  model.update_kinematics(q.data());
  const RobotDescription& robot = model.description();
  const auto distance = [&](int link, Vec3d point) {
    double least = 1;
    for (const LinkCollision& c : robot.links[link].collisions) {
      const Vec3d local = c.pose.to_local(model.link_poses()[link].to_local(point));
      least = std::min(least, signed_distance(c.shape, local).distance);
    }
    return least;
  };
  for (int i = 0; i < 7; ++i) {
    ASSERT_FALSE(robot.links[i].collisions.empty());
    double least = 1;
    for (const LinkCollision& c : robot.links[i + 1].collisions) {
      ASSERT_EQ(c.shape.kind, ShapeKind::capsule);
      for (double s = -0.5; s <= 0.5; s += 0.05) {
        const Vec3d p =
            model.link_poses()[i + 1].to_world(c.pose.to_world({0, 0, s * c.shape.length}));
        least = std::min(least, distance(i, p) - c.shape.radius);
      }
    }
    EXPECT_LT(least, 0) << "links " << i << " and " << i + 1;
  }
}

/// Inside surfaces of two box pads meet at q = 0 and stand 2 q apart.
TEST(RobotAssets, FingersCloseOnTheToolAndMirrorEachOther) {
  struct Gripper {
    const char *file, *joint, *left, *right, *tool;
    double open;
  };
  for (const Gripper& g : {Gripper{"panda/panda_gripper.urdf", "panda_finger_joint1",
                                   "panda_leftfinger", "panda_rightfinger", "panda_tool", 0.04},
                           Gripper{"free_gripper/free_gripper.urdf", "finger_left", "left_finger",
                                   "right_finger", "tool", 0.06}}) {
    RobotModel model = asset(g.file);
    const RobotDescription& robot = model.description();
    const int finger = model.find_coordinate(g.joint);
    ASSERT_GE(finger, 0);
    EXPECT_EQ(model.coordinates()[finger].upper, g.open);
    test::FemRandom random(2);
    for (const double opening : {0.0, 0.01, g.open}) {
      std::vector<double> q = test::random_numbers(random, model.n_dof(), 1);
      q[finger] = opening;
      model.update_kinematics(q.data());
      const Pose& tool = model.link_poses()[robot.find_link(g.tool)];
      int side = 1;
      for (const char* name : {g.left, g.right}) {
        const int link = robot.find_link(name);
        ASSERT_GE(link, 0);
        const auto& pads = robot.links[link].collisions;
        const auto pad = std::find_if(pads.begin(), pads.end(),
                                      [](const LinkCollision& c) { return c.name == "pad"; });
        ASSERT_NE(pad, pads.end());
        const Vec3d centre = tool.to_local(model.link_poses()[link].to_world(pad->pose.position));
        EXPECT_NEAR(centre.x, 0, 1e-15);
        EXPECT_NEAR(side * centre.y - pad->shape.size.y / 2, opening, 1e-15);
        side = -side;
      }
    }
  }
}

TEST(RobotAssets, FreeGripperMovesFreely) {
  RobotModel model = asset("free_gripper/free_gripper.urdf");
  ASSERT_EQ(model.n_dof(), 7);
  const int palm = model.description().find_link("palm");
  const std::vector<double> q{0.1, -0.2, 0.3, 0.4, 0.5, 0.6, 0.02};
  model.update_kinematics(q.data());
  const Pose& pose = model.link_poses()[palm];
  EXPECT_LT(norm(pose.position - Vec3d{0.1, -0.2, 0.3}), 1e-15);
  const Mat3d R =
      axis_rotation({0, 0, 1}, 0.4) * axis_rotation({0, 1, 0}, 0.5) * axis_rotation({1, 0, 0}, 0.6);
  EXPECT_LT(test::frobenius(pose.rotation - R), 1e-15);
  Eigen::MatrixXd J(6, 6);
  const auto V = model.point_jacobian(palm, pose.position), W = model.angular_jacobian(palm);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 3; ++k) {
      J(k, i) = V[i / 3](k, i % 3);
      J(3 + k, i) = W[i / 3](k, i % 3);
    }
  EXPECT_GT(std::fabs(J.determinant()), 0.5);
}

/// A grasp: the fingers press with the force they are asked for, shared by two.
TEST(RobotAssets, FingersPressWithTheirEffort) {
  test::LoneRobot robot(read_urdf(test::source_file("scenarios/assets/panda/panda_gripper.urdf")));
  const int finger = robot.model.find_coordinate("panda_finger_joint1");
  robot.q = {0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.02};
  robot.gravity = {};
  robot.control.joint.assign(8, {1e5, 1e3, 0, 0});
  for (int i = 0; i < 8; ++i) robot.control.joint[i].target = robot.q[i];
  robot.control.joint[finger] = {};
  robot.control.feedforward.assign(8, 0);
  robot.control.feedforward[finger] = -20;
  robot.assemble(robot.input());
  // Forces of 10 N on each pad hold it.
  const RobotDescription& description = robot.model.description();
  Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * robot.model.n_row());
  for (const char* name : {"panda_leftfinger", "panda_rightfinger"}) {
    const int link = description.find_link(name);
    const Pose& pose = robot.model.link_poses()[link];
    const double side = name == std::string("panda_leftfinger") ? 1 : -1;
    const Vec3d force = pose.rotation * Vec3d{0, side * 10, 0};
    const auto J = robot.model.point_jacobian(link, pose.to_world({0, 0, 0.045}));
    for (int r = 0; r < robot.model.n_row(); ++r)
      for (int k = 0; k < 3; ++k) load[3 * r + k] += transpose_times(J[r], force)[k];
  }
  robot.solve(load);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(robot.v_hat[i / 3][i % 3], 0, 1e-14);
}

}  // namespace
}  // namespace nodia

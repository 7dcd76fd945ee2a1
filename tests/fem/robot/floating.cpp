/// Planar and floating joints, and robots with a free base, against rigid-body mechanics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fem/robot/free_base.hpp"
#include "fem/robot/robot_model.hpp"
#include "fem/robot/urdf.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"
#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

const char* const kBody =
    "<inertial><origin xyz='0.1 -0.2 0.3'/><mass value='2'/>"
    "<inertia ixx='0.3' ixy='0.02' ixz='0' iyy='0.2' iyz='-0.01' izz='0.25'/></inertial>";

/// A body on one joint, at a turned place of the base.
RobotModel on_joint(const std::string& type, const std::string& axis = "0 0 1") {
  return RobotModel(parse_urdf("<robot name='r'><link name='base'/><link name='body'>" +
                                   std::string(kBody) + "</link><joint name='j' type='" + type +
                                   "'><parent link='base'/><child link='body'/><axis xyz='" + axis +
                                   "'/><origin xyz='1 2 3' rpy='0.4 -0.3 0.8'/></joint></robot>",
                               "r.urdf", ""));
}

std::vector<double> random_values(test::FemRandom* random, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(random->uniform(-1, 1));
  return values;
}

/// Rows of speeds for advance().
std::vector<Vec3d> rows_of(const std::vector<double>& v, int n_row) {
  std::vector<Vec3d> rows(static_cast<std::size_t>(n_row));
  for (std::size_t i = 0; i < v.size(); ++i) rows[i / 3][static_cast<int>(i % 3)] = v[i];
  return rows;
}

/// The pose of the last link after a short time at constant speeds.
Pose pose_after(RobotModel* model, std::vector<double> q, const std::vector<double>& v, double t) {
  std::vector<double> qd = v;
  model->advance(rows_of(v, model->n_row()).data(), {t, 1}, q.data(), qd.data());
  model->update_kinematics(q.data());
  return model->link_poses().back();
}

TEST(FloatingJoint, HasSixCoordinatesAndAPlanarOneThree) {
  const RobotModel floating = on_joint("floating"), planar = on_joint("planar");
  std::vector<std::string> names;
  for (const RobotCoordinate& c : floating.coordinates()) names.push_back(c.joint);
  EXPECT_THAT(names, ::testing::ElementsAre("j.x", "j.y", "j.z", "j.rx", "j.ry", "j.rz"));
  names.clear();
  for (const RobotCoordinate& c : planar.coordinates()) names.push_back(c.joint);
  EXPECT_THAT(names, ::testing::ElementsAre("j.x", "j.y", "j.rz"));
}

/// The Jacobians are the derivatives of the poses that advance() reaches, for every orientation.
TEST(FloatingJoint, JacobiansAreDerivativesOfTheMotion) {
  test::FemRandom random(1);
  for (const char* type : {"floating", "planar"}) {
    RobotModel model = on_joint(type, "0.2 0.5 -1");
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> q = random_values(&random, model.n_dof());
      for (double& value : q) value *= 3;
      const std::vector<double> v = random_values(&random, model.n_dof());
      constexpr double kStep = 1e-5;
      const Pose ahead = pose_after(&model, q, v, kStep), behind = pose_after(&model, q, v, -kStep);
      model.update_kinematics(q.data());
      const Vec3d local = random.vector();
      const Vec3d point = model.link_poses().back().to_world(local);
      const std::vector<Mat3d> J = model.point_jacobian(1, point), W = model.angular_jacobian(1);
      Vec3d velocity{}, angular{};
      const std::vector<Vec3d> rows = rows_of(v, model.n_row());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        velocity += J[r] * rows[r];
        angular += W[r] * rows[r];
      }
      const Vec3d difference = (0.5 / kStep) * (ahead.to_world(local) - behind.to_world(local));
      EXPECT_LT(norm(difference - velocity), 1e-8) << type;
      const Vec3d turn = (0.5 / kStep) * rotation_log(ahead.rotation * transpose(behind.rotation));
      EXPECT_LT(norm(turn - angular), 1e-8) << type;
    }
  }
}

/// Newton-Euler of one rigid body: force = m a, moment about the centre = I w' + w x I w.
TEST(FloatingJoint, InverseDynamicsAreThoseOfARigidBody) {
  test::FemRandom random(2);
  RobotModel model = on_joint("floating");
  const RigidInertia inertia = *model.description().links[1].inertia;
  const Vec3d gravity{0.3, -0.5, -9.81};
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> q = random_values(&random, 6), qd = random_values(&random, 6),
                        qdd = random_values(&random, 6);
    model.update_kinematics(q.data());
    const Mat3d joint =
        rotation_exp({0, 0, 0.8}) * rotation_exp({0, -0.3, 0}) * rotation_exp({0.4, 0, 0});
    const auto in_world = [&](const std::vector<double>& v, int k) {
      return joint * Vec3d{v[k], v[k + 1], v[k + 2]};
    };
    const Vec3d w = in_world(qd, 3), dw = in_world(qdd, 3);
    const Pose& pose = model.link_poses().back();
    const Vec3d arm = pose.rotation * inertia.centre;
    const Vec3d acceleration =
        in_world(qdd, 0) + cross(dw, arm) + cross(w, cross(w, arm)) - gravity;
    const Mat3d I = pose.rotation * inertia.rotation * transpose(pose.rotation);
    const Vec3d force = inertia.mass * acceleration;
    const Vec3d moment = I * dw + cross(w, I * w) + cross(arm, force);
    const Eigen::VectorXd tau = model.inverse_dynamics(qd.data(), qdd.data(), gravity);
    const Vec3d f = transpose(joint) * force, m = transpose(joint) * moment;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(tau[i], f[i], 1e-12);
      EXPECT_NEAR(tau[3 + i], m[i], 1e-12);
    }
  }
}

TEST(FloatingJoint, TurnsPastHalfATurnWithoutAJump) {
  RobotModel model = on_joint("floating");
  std::vector<double> q(6), qd(6);
  const std::vector<Vec3d> speeds = rows_of({0, 0, 0, 0, 0, 1}, 2);
  Mat3d before = model.link_poses().back().rotation;
  for (int step = 0; step < 100; ++step) {
    model.advance(speeds.data(), {0.1, 1}, q.data(), qd.data());
    model.update_kinematics(q.data());
    const Mat3d now = model.link_poses().back().rotation;
    EXPECT_NEAR(norm(rotation_log(now * transpose(before))), 0.1, 1e-12);
    before = now;
  }
}

TEST(FreeBase, IsAFloatingJointAboveTheRoot) {
  const RobotDescription fixed =
      parse_urdf("<robot name='r'><link name='trunk'>" + std::string(kBody) +
                     "</link><link name='leg'>" + kBody + "</link><link name='tail'>" + kBody +
                     "</link><joint name='hip' type='continuous'><parent link='trunk'/><child "
                     "link='leg'/></joint><joint name='wag' type='continuous'><parent "
                     "link='trunk'/><child link='tail'/><mimic joint='hip'/></joint></robot>",
                 "r.urdf", "");
  const RobotDescription free = with_free_base(fixed);
  RobotModel model(free);
  EXPECT_EQ(model.n_dof(), 7);
  EXPECT_EQ(model.mass(), 6) << "the trunk's mass counts";
  EXPECT_EQ(model.coordinates()[0].joint, "base.x");
  EXPECT_EQ(model.coordinates()[6].joint, "hip");
  EXPECT_EQ(free.links[2].joint.name, "hip");
  EXPECT_EQ(free.links[3].joint.mimic->link, 2);
  EXPECT_THROW(with_free_base(free), InputError);
}

}  // namespace
}  // namespace nodia

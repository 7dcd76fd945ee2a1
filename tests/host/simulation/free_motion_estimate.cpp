/// Free motion against the dense solution of the assembled rows.
#include "host/simulation/free_motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fem/robot/urdf.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {
namespace {

/// Free motion of a scene's start, and A^-1 b.
struct Motions {
  explicit Motions(const Scene& s) : scene(s), system(scene) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    const State state = system.initial_state();
    system.update_kinematics(state);
    BlockMatrix A(system.pattern());
    std::vector<Vec3d> b(state.v.size());
    const std::vector<double> diagonal(state.x.size());
    const std::vector<Vec3d> force(state.x.size());
    const Targets targets = Targets::of(scene, system);
    ExternalForces external_forces(scene, system);
    external_forces.begin_step(state, scene.time.step_s, system);
    system.assemble({state, targets, diagonal, force, 1, external_forces.force()}, A.value.data(),
                    b.data());
    motion.update(system, state, external_forces, 1, A.value.data(), b.data());
    Eigen::VectorXd rhs(3 * b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) rhs[3 * static_cast<int>(i) + axis] = b[i][axis];
    const Eigen::VectorXd v = Eigen::MatrixXd(A.to_eigen()).fullPivLu().solve(rhs);
    for (int i = 0; i < static_cast<int>(b.size()); ++i)
      exact.push_back({v[3 * i], v[3 * i + 1], v[3 * i + 2]});
  }
  double worst() const {
    double difference = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      difference = std::max(difference, norm(motion.v()[i] - exact[i]));
    return difference;
  }

  Scene scene;
  BodySystem system;
  FreeMotion motion;
  std::vector<Vec3d> exact;
};

TEST(FreeMotionEstimate, OfRigidBodiesIsExact) {
  Scene scene;
  scene.name = "rigid";
  RigidBodyDescription box = rigid_box("box", {0.1, 0.05, 0.02}, 0.3, {0, 0, 1});
  box.velocity_m_s = {0.3, -0.2, 0.1};
  box.angular_velocity_rad_s = {4, -3, 5};
  box.force_N = {1, 2, -3};
  scene.rigid_bodies.push_back(box);
  Motions motions(scene);
  EXPECT_LT(motions.worst(), 1e-10);
  // Not that of free fall alone: the force counts.
  EXPECT_NEAR(motions.exact[0].x, 0.3 + 0.01 * 1 / 0.3, 1e-9);
}

ExternalForceDescription push_of(const std::string& body) {
  ExternalForceDescription push;
  push.name = "push";
  push.body = body;
  push.force_N = {20, 30, -40};
  push.duration_s = 0.004;  // less than the step
  return push;
}

TEST(FreeMotionEstimate, OfPushedBodiesIsExact) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {3, 3, 3});
  scene.pushes.push_back(push_of("box"));
  Motions soft(scene);
  EXPECT_LT(soft.worst(), 1e-9);
  EXPECT_NEAR(soft.exact[0].x, 20 * 0.004, 1e-9);  // a kilogram
  scene = {};
  scene.gravity_m_s2 = {};
  scene.rigid_bodies.push_back(rigid_box("box", {0.1, 0.05, 0.02}, 0.5, {0, 0, 1}));
  scene.pushes.push_back(push_of("box"));
  Motions rigid(scene);
  EXPECT_LT(rigid.worst(), 1e-10);
  EXPECT_NEAR(rigid.exact[0].z, -40 * 0.004 / 0.5, 1e-9);
}

TEST(FreeMotionEstimate, OfRobotsIsExact) {
  Scene scene;
  scene.name = "robot";
  RobotSceneDescription gripper;
  gripper.name = "gripper";
  gripper.robot = read_urdf(source_file("scenarios/assets/free_gripper/free_gripper.urdf"));
  gripper.joint_drives.push_back({"base_z", 3000, 100, {{0, 0}, {0.1, -0.05}}});
  gripper.gravity_compensation = false;
  scene.robots.push_back(gripper);
  scene.pushes.push_back(push_of("gripper"));
  scene.pushes[0].link = "palm";
  Motions motions(scene);
  EXPECT_LT(motions.worst(), 1e-9);
  double fastest = 0;
  for (const Vec3d v : motions.exact) fastest = std::max(fastest, norm(v));
  EXPECT_GT(fastest, 1e-3);
}

TEST(FreeMotionEstimate, OfSoftBodiesInFreeFallIsExact) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {3, 3, 3});
  scene.gravity_m_s2 = {1, -2, -9.81};
  scene.soft_bodies[0].velocity = {0.1, 0.2, 0.3};
  EXPECT_LT(Motions(scene).worst(), 1e-9);
}

}  // namespace
}  // namespace nodia::test

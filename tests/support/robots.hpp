/// Small robots and a plain time step for tests of the robot model.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/random_tree.hpp"

namespace nodia::test {

inline RobotLink moving_link(const std::string& name, int parent, JointKind kind, Vec3d origin,
                             Vec3d axis, const RigidInertia& inertia) {
  RobotLink link;
  link.name = name;
  link.parent = parent;
  link.joint.name = "to_" + name;
  link.joint.kind = kind;
  link.joint.origin.position = origin;
  link.joint.axis = axis;
  link.inertia = inertia;
  return link;
}

inline RobotDescription only_base(const std::string& name) {
  RobotDescription robot;
  robot.name = name;
  robot.links.resize(1);
  robot.links[0].name = "base";
  return robot;
}

/// n links of length 0.5 m, 2 kg each at the middle, turning about y and hanging down at q = 0.
inline RobotDescription chain(int n) {
  RobotDescription robot = only_base("chain");
  for (int i = 0; i < n; ++i) {
    robot.links.push_back(moving_link("link" + std::to_string(i + 1), i, JointKind::continuous,
                                      {0, 0, i == 0 ? 0 : -0.5}, {0, 1, 0},
                                      {2, {0, 0, -0.25}, diagonal(0.04, 0.04, 0.001)}));
  }
  return robot;
}

/// A mass of 2 kg on one slide along x.
inline RobotDescription slider() {
  RobotDescription robot = only_base("slider");
  robot.links.push_back(moving_link("mass", 0, JointKind::prismatic, {}, {1, 0, 0},
                                    {2, {}, diagonal(0.1, 0.1, 0.1)}));
  return robot;
}

/// A random tree of the model's joints, some of them fixed, some mimics.
inline RobotDescription random_robot(FemRandom& random, int n_link) {
  RobotDescription robot = only_base("random");
  std::vector<int> moving;
  for (int i = 1; i < n_link; ++i) {
    const JointKind kinds[] = {JointKind::revolute, JointKind::continuous, JointKind::prismatic,
                               JointKind::fixed};
    JointKind kind = kinds[static_cast<int>(random.uniform(0, 3.999))];
    if (i + 1 == n_link && moving.empty()) kind = JointKind::revolute;
    const int parent = static_cast<int>(random.uniform(std::max(0, i - 3), i - 1e-9));
    RobotLink link = moving_link("l" + std::to_string(i), parent, kind, random.vector(0.5),
                                 random.vector(), random_inertia(random));
    link.joint.origin.rotation = random.rotation();
    if (kind != JointKind::fixed) {
      if (!moving.empty() && random.uniform(0, 1) < 0.25) {
        link.joint.mimic =
            JointMimic{moving[static_cast<int>(random.uniform(0, moving.size() - 1e-9))],
                       random.uniform(-2, 2), random.uniform(-0.5, 0.5)};
      }
      moving.push_back(i);
    } else if (random.uniform(0, 1) < 0.5) {
      link.inertia.reset();
    }
    robot.links.push_back(link);
  }
  return robot;
}

/// One robot as a whole system of rows, with a dense solver and no contacts.
struct LoneRobot {
  RobotModel model;
  BlockMatrix A;
  std::vector<Vec3d> b, v_hat;
  std::vector<double> q, qd;
  Vec3d gravity{0, 0, -9.81};
  TimeStep time;
  RobotControl control;
  std::vector<double> external;

  explicit LoneRobot(const RobotDescription& robot, const Pose& base = {})
      : model(robot, base),
        A(BlockPattern::from_couplings(model.n_row(), model.couplings(0))),
        b(model.n_row()),
        v_hat(model.n_row()),
        q(model.n_dof(), 0.0),
        qd(model.n_dof(), 0.0) {
    model.bind(A.pattern, 0);
  }

  RobotModel::AssemblyInput input() const {
    RobotModel::AssemblyInput in;
    in.q = q.data();
    in.qd = qd.data();
    in.time = time;
    in.gravity = gravity;
    in.control = &control;
    if (!external.empty()) in.external_force = external.data();
    return in;
  }
  void assemble(const RobotModel::AssemblyInput& in) {
    std::fill(A.value.begin(), A.value.end(), 0.0);
    std::fill(b.begin(), b.end(), Vec3d{});
    model.assemble(in, A.value.data(), b.data());
  }
  Eigen::VectorXd rhs() const {
    return Eigen::Map<const Eigen::VectorXd>(&b[0].x, 3 * static_cast<Eigen::Index>(b.size()));
  }
  void solve(const Eigen::VectorXd& extra) {
    const Eigen::VectorXd x = solve_symmetric(A.to_eigen(), rhs() + extra);
    for (std::size_t r = 0; r < v_hat.size(); ++r)
      v_hat[r] = {x[3 * r], x[3 * r + 1], x[3 * r + 2]};
  }
  void step() {
    assemble(input());
    solve(Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(b.size())));
    model.advance(v_hat.data(), time, q.data(), qd.data());
  }
  void run(int n) {
    for (int i = 0; i < n; ++i) step();
  }
  double energy() {
    model.update_kinematics(q.data());
    return model.kinetic_energy(qd.data()) + model.potential_energy(gravity);
  }
};

}  // namespace nodia::test

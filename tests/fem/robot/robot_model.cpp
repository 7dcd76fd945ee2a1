#include "fem/robot/robot_model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "fem/robot/urdf.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using test::chain;
using test::FemRandom;
using test::LoneRobot;
using test::random_numbers;
using test::random_robot;
using test::slider;

Eigen::Map<const Eigen::VectorXd> map(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

Eigen::VectorXd stacked(const std::vector<Vec3d>& rows) {
  return Eigen::Map<const Eigen::VectorXd>(&rows[0].x, 3 * static_cast<Eigen::Index>(rows.size()));
}

template <class Check>
void for_random_robots(unsigned seed, Check check) {
  FemRandom random(seed);
  for (int trial = 0; trial < 100; ++trial) {
    LoneRobot robot(random_robot(random, 2 + trial % 12), {random.vector(), random.rotation()});
    robot.q = random_numbers(random, robot.model.n_dof(), 2);
    robot.qd = random_numbers(random, robot.model.n_dof(), 2);
    robot.gravity = random.vector(10);
    robot.time.step_s = random.uniform(0.001, 0.05);
    robot.time.theta = random.uniform(0.5, 1);
    check(random, robot);
    if (::testing::Test::HasFailure()) FAIL() << "trial " << trial;
  }
}

TEST(RobotModel, FreeRowsAreMassOverThetaTimeAndTheBias) {
  for_random_robots(1, [](FemRandom& random, LoneRobot& robot) {
    const int n = robot.model.n_dof();
    robot.gravity = {};  // its stiffness is tested elsewhere
    robot.external = random_numbers(random, n, 10);
    robot.assemble(robot.input());
    const Eigen::MatrixXd A = robot.A.to_eigen();
    const double theta_t = robot.time.theta * robot.time.step_s;
    const Eigen::MatrixXd& M = robot.model.mass_matrix();
    ASSERT_LT((A.topLeftCorner(n, n) - M / theta_t).norm(), 1e-14 * A.norm());
    const Eigen::VectorXd expected = M * map(robot.qd) / theta_t -
                                     robot.model.bias_force(robot.qd.data(), robot.gravity) +
                                     map(robot.external);
    ASSERT_LT((robot.rhs().head(n) - expected).norm(), 1e-13 * expected.norm());
    // Padding.
    const int padded = static_cast<int>(A.rows());
    for (int i = n; i < padded; ++i) {
      for (int j = 0; j < padded; ++j) ASSERT_EQ(A(i, j), i == j ? 1 / theta_t : 0);
      for (int j = 0; j < n; ++j) ASSERT_EQ(A(j, i), 0);
      ASSERT_EQ(robot.rhs()[i], 0);
    }
  });
}

TEST(RobotModel, AddsToItsRowsAloneAmongOthers) {
  FemRandom random(2);
  LoneRobot robot(random_robot(random, 9));
  const int rows = robot.model.n_row();
  robot.q = robot.qd = random_numbers(random, robot.model.n_dof(), 1);
  robot.assemble(robot.input());
  const Eigen::MatrixXd alone = robot.A.to_eigen();
  // Rows 2 .. 2 + rows of a larger system that is not zero, with a chain of other couplings.
  RobotModel model = robot.model;
  auto couplings = model.couplings(2);
  for (int i = 0; i + 1 < rows + 5; ++i) couplings.emplace_back(i, i + 1);
  BlockMatrix A(BlockPattern::from_couplings(rows + 5, couplings));
  std::fill(A.value.begin(), A.value.end(), 0.5);
  std::vector<Vec3d> b(rows + 5, {1, 1, 1});
  const Eigen::MatrixXd before = A.to_eigen();
  model.bind(A.pattern, 2);
  model.assemble(robot.input(), A.value.data(), b.data());
  Eigen::MatrixXd difference = Eigen::MatrixXd(A.to_eigen()) - before;
  difference.block(6, 6, 3 * rows, 3 * rows) -= alone;
  EXPECT_LT(difference.norm(), 1e-12 * alone.norm());
  Eigen::VectorXd load = stacked(b).array() - 1;
  load.segment(6, 3 * rows) -= robot.rhs();
  EXPECT_LT(load.norm(), 1e-12 * robot.rhs().norm());
}

TEST(RobotModel, BindNeedsAllItsBlocks) {
  LoneRobot robot(chain(7));
  const auto pattern = BlockPattern::from_couplings(3, {{0, 1}, {1, 2}});
  EXPECT_THROW(robot.model.bind(pattern, 0), std::invalid_argument);
  EXPECT_THROW(robot.model.bind(robot.A.pattern, 1), std::invalid_argument);
}

/// Everything beside M/(theta t) is positive semidefinite: the certificate of a solution needs it.
TEST(RobotModel, MatrixIsSymmetricAndAboveTheMassAndItsBound) {
  for_random_robots(3, [](FemRandom& random, LoneRobot& robot) {
    const int n = robot.model.n_dof();
    robot.control.joint.resize(n);
    for (JointDrive& drive : robot.control.joint) {
      drive.stiffness = random.uniform(0, 1e4);
      drive.damping = random.uniform(0, 100);
      drive.target = random.uniform(-1, 1);
    }
    PoseDrive pose;
    pose.link = robot.model.n_link() - 1;
    pose.target = {random.vector(), random.rotation()};
    pose.stiffness = {1e3, 1e2, 10};
    pose.damping = pose.angular_stiffness = {5, 6, 7};
    robot.control.pose = {pose};
    robot.assemble(robot.input());
    const Eigen::MatrixXd A = robot.A.to_eigen();
    ASSERT_LT((A - A.transpose()).norm(), 1e-13 * A.norm());
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(A.rows(), A.cols());
    M.topLeftCorner(n, n) = robot.model.mass_matrix();
    const double theta_t = robot.time.theta * robot.time.step_s;
    ASSERT_GT(test::eigenvalues(A - M / theta_t)[0], -1e-11 * A.norm());

    const std::vector<double> bound = robot.model.mass_lower_bound();
    Eigen::VectorXd diagonal(A.rows());
    for (int i = 0; i < A.rows(); ++i) diagonal[i] = bound[i / 3];
    ASSERT_GT(diagonal.minCoeff(), 0);
    const Eigen::MatrixXd rest = M - Eigen::MatrixXd(diagonal.asDiagonal());
    ASSERT_GT(test::eigenvalues(rest)[0], -1e-15 * M.norm());
    // Nothing was given away: a little more of it is no bound.
    const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd ratio = test::eigenvalues(scale.asDiagonal() * M * scale.asDiagonal());
    const double rounding = 1e-13 * n * ratio.maxCoeff();
    ASSERT_NEAR(ratio[0], 1, rounding);
  });
}

TEST(RobotModel, JacobiansMapRowsToVelocities) {
  for_random_robots(4, [](FemRandom& random, LoneRobot& robot) {
    RobotModel& model = robot.model;
    const int link = static_cast<int>(random.uniform(0, model.n_link() - 1e-9));
    const Vec3d local = random.vector();
    const auto at = [&](double s) {
      std::vector<double> q = robot.q;
      for (std::size_t k = 0; k < q.size(); ++k) q[k] += s * robot.qd[k];
      model.update_kinematics(q.data());
      return model.link_poses()[link];
    };
    const double h = 1e-5;
    const Pose ahead = at(h), behind = at(-h), now = at(0);
    std::vector<Vec3d> rows(model.n_row());
    for (int k = 0; k < model.n_dof(); ++k) rows[k / 3][k % 3] = robot.qd[k];
    const auto J = model.point_jacobian(link, now.to_world(local));
    const auto W = model.angular_jacobian(link);
    Vec3d v{}, w{};
    for (int r = 0; r < model.n_row(); ++r) {
      v += J[r] * rows[r];
      w += W[r] * rows[r];
    }
    const Vec3d v_expected = (0.5 / h) * (ahead.to_world(local) - behind.to_world(local));
    const Mat3d spin = (0.5 / h) * ((ahead.rotation - behind.rotation) * transpose(now.rotation));
    ASSERT_LT(norm(v - v_expected), 1e-7 * (1 + norm(v)));
    ASSERT_LT(norm(w - Vec3d{spin(2, 1), spin(0, 2), spin(1, 0)}), 1e-7 * (1 + norm(w)));
  });
}

/// Links' forces do the work of M qdd + h, mimics and links fixed to others included.
TEST(RobotModel, LinkForcesDoTheWorkOfTheirMotion) {
  FemRandom random(23);
  for (int trial = 0; trial < 20; ++trial) {
    RobotModel model(random_robot(random, 8), {random.vector(), random.rotation()});
    const int n = model.n_dof();
    const std::vector<double> q = random_numbers(random, n, 1), qd = random_numbers(random, n, 2),
                              qdd = random_numbers(random, n, 5);
    const Vec3d gravity = random.vector(9.81);
    model.update_kinematics(q.data());
    std::vector<SpatialForce> force(static_cast<std::size_t>(model.n_link()));
    model.link_forces(qd.data(), qdd.data(), gravity, force.data());
    Eigen::VectorXd work = Eigen::VectorXd::Zero(n);
    for (int l = 0; l < model.n_link(); ++l) {
      const std::vector<Mat3d> J = model.point_jacobian(l, model.base().position),
                               w = model.angular_jacobian(l);
      const SpatialForce& f = force[static_cast<std::size_t>(l)];
      for (int k = 0; k < n; ++k)
        work[k] +=
            transpose_times(J[k / 3], f.force)[k % 3] + transpose_times(w[k / 3], f.moment)[k % 3];
    }
    const Eigen::VectorXd expected = model.inverse_dynamics(qd.data(), qdd.data(), gravity);
    EXPECT_LT((work - expected).norm(), 1e-10 * (1 + expected.norm()));
  }
}

TEST(RobotModel, MimicsMoveTogetherAndCountTwice) {
  RobotDescription robot = slider();
  RobotLink second = robot.links[1];
  second.name = "second";
  second.joint.name = "follows";
  second.joint.mimic = JointMimic{1, -2, 0.3};
  second.joint.lower = -1.7;  // of its own: -2 q + 0.3 >= -1.7, q <= 1
  second.joint.upper = 2.3;   // q >= -1
  second.joint.damping = 3;
  robot.links[1].joint.damping = 5;
  robot.links.push_back(second);
  RobotLink third = second;  // follows the follower: 0.5 (-2 q + 0.3) + 1
  third.name = "third";
  third.joint.name = "follows_again";
  third.joint.mimic = JointMimic{2, 0.5, 1};
  third.joint.lower = -std::numeric_limits<double>::infinity();
  third.joint.upper = std::numeric_limits<double>::infinity();
  third.joint.damping = 0;
  robot.links.push_back(third);
  RobotModel model(robot);
  ASSERT_EQ(model.n_dof(), 1);
  EXPECT_EQ(model.find_coordinate("to_mass"), 0);
  EXPECT_EQ(model.find_coordinate("follows"), -1);
  EXPECT_NEAR(model.coordinates()[0].lower, -1, 1e-15);
  EXPECT_NEAR(model.coordinates()[0].upper, 1, 1e-15);
  EXPECT_DOUBLE_EQ(model.coordinates()[0].damping, 5 + 4 * 3);
  const double q = 0.7;
  model.update_kinematics(&q);
  EXPECT_DOUBLE_EQ(model.link_poses()[1].position.x, 0.7);
  EXPECT_DOUBLE_EQ(model.link_poses()[2].position.x, -2 * 0.7 + 0.3);
  EXPECT_DOUBLE_EQ(model.link_poses()[3].position.x, 0.5 * (-2 * 0.7 + 0.3) + 1);
  EXPECT_DOUBLE_EQ(model.mass_matrix()(0, 0), 2 * (1 + 4 + 1));

  robot.links[2].joint.lower = 2.1;  // q <= -0.9
  robot.links[1].joint.lower = 0;
  EXPECT_THROW(RobotModel{robot}, InputError);
}

TEST(RobotModel, LinksFixedToTheRootAreTheBase) {
  RobotDescription robot = test::only_base("fixed");
  robot.links.push_back(test::moving_link("stand", 0, JointKind::fixed, {0, 0, 1}, {}, {}));
  robot.links[1].inertia.reset();
  const Pose base{{1, 2, 3}, FemRandom(5).rotation()};
  RobotModel model(robot, base);
  EXPECT_EQ(model.n_dof(), 0);
  EXPECT_EQ(model.n_row(), 0);
  EXPECT_LT(norm(model.link_poses()[1].position - base.to_world({0, 0, 1})), 1e-15);
  EXPECT_TRUE(model.point_jacobian(1, {}).empty());
  EXPECT_EQ(model.mass_lower_bound().size(), 0u);
  model.bind(BlockPattern::from_couplings(0, {}), 0);
  RobotModel::AssemblyInput in;
  model.assemble(in, nullptr, nullptr);
}

/// A damped slide alone: m v' = -d v, implicit Euler.
TEST(RobotModel, JointDampingIsImplicit) {
  RobotDescription description = slider();
  description.links[1].joint.damping = 30;
  LoneRobot robot(description);
  robot.qd[0] = 1;
  robot.run(5);
  EXPECT_NEAR(robot.qd[0], std::pow(1 / (1 + 0.01 * 30 / 2), 5), 1e-14);
}

/// Largest change of energy over the time, as a fraction of the swing's.
double energy_drift(int n_link, double amplitude, double theta, double step_s, double time_s) {
  LoneRobot robot(chain(n_link));
  robot.time.theta = theta;
  robot.time.step_s = step_s;
  const double lowest = robot.energy();
  for (double& q : robot.q) q = amplitude;
  const double start = robot.energy();
  double drift = 0;
  const int n_step = static_cast<int>(std::lround(time_s / step_s));
  for (int i = 0; i < n_step; ++i) {
    robot.step();
    drift = std::max(drift, std::fabs(robot.energy() - start) / (start - lowest));
  }
  return drift;
}

/// The stiffness of gravity makes the midpoint scheme second order.
TEST(RobotModel, PendulumKeepsItsEnergyAtTheMidpoint) {
  EXPECT_LT(energy_drift(1, 1, 0.5, 0.01, 10), 1e-3);
  const double coarse = energy_drift(1, 1, 0.5, 2e-3, 10), fine = energy_drift(1, 1, 0.5, 1e-3, 10);
  printf("drift %.3g at 2 ms, %.3g at 1 ms\n", coarse, fine);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

/// Coriolis forces are those of the start of the step, which is first order.
TEST(RobotModel, DoublePendulumKeepsItsEnergyToFirstOrder) {
  const double coarse = energy_drift(2, 1, 0.5, 1e-3, 3), fine = energy_drift(2, 1, 0.5, 5e-4, 3);
  printf("drift %.3g at 1 ms, %.3g at 0.5 ms\n", coarse, fine);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.4);
  EXPECT_LT(energy_drift(2, 1, 0.5, 2e-5, 1), 3e-4);
}

TEST(RobotModel, PendulumHasItsPeriod) {
  LoneRobot robot(chain(1));
  robot.time.theta = 0.5;
  robot.time.step_s = 1e-3;
  robot.q[0] = 1e-3;
  double crossing = 0;
  int crossings = 0;
  for (int i = 0; crossings < 11; ++i) {
    const double before = robot.q[0];
    robot.step();
    if ((before > 0) != (robot.q[0] > 0)) {
      const double now = (i + before / (before - robot.q[0])) * robot.time.step_s;
      if (crossings++ == 0) crossing = now;
      if (crossings == 11) crossing = now - crossing;
    }
  }
  const double inertia = 0.04 + 2 * 0.25 * 0.25;
  const double period = 2 * M_PI * std::sqrt(inertia / (2 * 9.81 * 0.25));
  EXPECT_NEAR(crossing / 5, period, 1e-5 * period);
}

/// A free body's momentum: no gravity, a prismatic and a revolute joint; the slide's momentum is
/// that of the whole robot along it.
TEST(RobotModel, MomentumAlongAFreeSlideStays) {
  RobotDescription description = slider();
  description.links.push_back(
      test::moving_link("arm", 1, JointKind::continuous, {}, {0, 1, 0},
                        {1, {0, 0, -0.3}, test::diagonal(0.02, 0.02, 0.02)}));
  LoneRobot robot(description);
  robot.gravity = {};
  robot.qd = {0.3, 2};
  robot.time.step_s = 1e-4;
  robot.model.update_kinematics(robot.q.data());
  const double start = (robot.model.mass_matrix() * map(robot.qd))[0];
  robot.run(10000);
  robot.model.update_kinematics(robot.q.data());
  EXPECT_NEAR((robot.model.mass_matrix() * map(robot.qd))[0], start, 1e-3 * std::fabs(start));
}

TEST(RobotModel, NotANumberStaysAnAnswer) {
  LoneRobot robot(read_urdf(test::source_file("scenarios/assets/panda/panda.urdf")));
  robot.q[3] = std::numeric_limits<double>::quiet_NaN();
  robot.control.joint.assign(7, {100, 10, 0, 0});
  robot.assemble(robot.input());
  EXPECT_FALSE(robot.rhs().allFinite());
  robot.q[3] = std::numeric_limits<double>::infinity();
  robot.assemble(robot.input());
  EXPECT_EQ(robot.model.mass_lower_bound().size(), 3u);
}

TEST(RobotModel, APandaIsAssembledInMicroseconds) {
  LoneRobot robot(read_urdf(test::source_file("scenarios/assets/panda/panda.urdf")));
  robot.q = {0, -0.5, 0, -2, 0, 1.6, 0.8};
  robot.control.joint.assign(7, {100, 10, 0, 0});
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) robot.assemble(robot.input());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  printf("%.3g us an assembly\n", took.count() * 1e3);
  EXPECT_LT(took.count(), 5);
}

}  // namespace
}  // namespace nodia

/// The robot model against Pinocchio's answers, tests/support/robot_oracle.json.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fem/robot/robot_model.hpp"
#include "fem/robot/urdf.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using Numbers = std::vector<double>;

constexpr double kTolerance = 1e-10;

Eigen::VectorXd vector(const nlohmann::json& j) {
  const Numbers x = j.get<Numbers>();
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Vec3d vec3(const nlohmann::json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}

class RobotOracle : public ::testing::Test {
 protected:
  /// Calls check(model, state, order) for every state, order[i] the model's coordinate of the
  /// oracle's i-th joint; the model's kinematics are of the state.
  template <class Check>
  void for_states(Check check) {
    std::ifstream file(test::source_file("tests/support/robot_oracle.json"));
    ASSERT_TRUE(file);
    const nlohmann::json oracle = nlohmann::json::parse(file);
    int n_state = 0;
    for (const auto& robot : oracle["robots"]) {
      const RobotDescription description =
          robot.contains("file") ? read_urdf(test::source_file(robot["file"].get<std::string>()))
                                 : parse_urdf(robot["urdf"].get<std::string>(), "random tree", "");
      RobotModel model(description);
      std::vector<int> order;
      for (const auto& joint : robot["joints"])
        order.push_back(model.find_coordinate(joint.get<std::string>()));
      ASSERT_EQ(static_cast<int>(order.size()), model.n_dof());
      for (const int k : order) ASSERT_GE(k, 0);
      for (const auto& state : robot["states"]) {
        model.update_kinematics(sorted(order, state["q"]).data());
        check(model, state, order);
        ++n_state;
        if (HasFailure()) FAIL() << description.name;
      }
    }
    EXPECT_GE(n_state, 30);
    RecordProperty("worst", std::to_string(worst_));
    printf("largest relative error: %.2g\n", worst_);
  }

  static Eigen::VectorXd sorted(const std::vector<int>& order, const nlohmann::json& j) {
    const Eigen::VectorXd x = vector(j);
    Eigen::VectorXd y(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) y[order[i]] = x[i];
    return y;
  }
  /// Differences relative to the larger of the answer and 1.
  void compare(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& answer) {
    const double error = (ours - answer).norm() / std::max(1.0, answer.norm());
    worst_ = std::max(worst_, error);
    EXPECT_LT(error, kTolerance);
  }

  double worst_ = 0;
};

TEST_F(RobotOracle, LinkPoses) {
  for_states([&](RobotModel& model, const auto& state, const auto&) {
    ASSERT_EQ(state["poses"].size(), model.description().links.size());
    for (const auto& [name, numbers] : state["poses"].items()) {
      const int link = model.description().find_link(name);
      ASSERT_GE(link, 0) << name;
      const Pose& pose = model.link_poses()[link];
      const Eigen::VectorXd answer = vector(numbers);
      Eigen::VectorXd ours(12);
      for (int i = 0; i < 3; ++i) {
        ours[i] = pose.position[i];
        for (int j = 0; j < 3; ++j) ours[3 + 3 * i + j] = pose.rotation(i, j);
      }
      compare(ours, answer);
    }
  });
}

TEST_F(RobotOracle, MassMatrix) {
  for_states([&](RobotModel& model, const auto& state, const auto& order) {
    const int n = model.n_dof();
    const Eigen::VectorXd numbers = vector(state["M"]);
    Eigen::MatrixXd M(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M(order[i], order[j]) = numbers[n * i + j];
    compare(model.mass_matrix(), M);
  });
}

TEST_F(RobotOracle, BiasWeightAndInverseDynamics) {
  for_states([&](RobotModel& model, const auto& state, const auto& order) {
    const Vec3d g = vec3(state["gravity"]);
    const Eigen::VectorXd qd = sorted(order, state["qd"]), qdd = sorted(order, state["qdd"]);
    compare(model.bias_force(qd.data(), g), sorted(order, state["h"]));
    compare(model.bias_force(nullptr, g), sorted(order, state["weight"]));
    compare(model.inverse_dynamics(qd.data(), qdd.data(), g), sorted(order, state["tau"]));
  });
}

TEST_F(RobotOracle, Energies) {
  for_states([&](RobotModel& model, const auto& state, const auto& order) {
    const Eigen::VectorXd qd = sorted(order, state["qd"]);
    const double kinetic = state["kinetic"], potential = state["potential"];
    compare(Eigen::VectorXd::Constant(1, model.kinetic_energy(qd.data())),
            Eigen::VectorXd::Constant(1, kinetic));
    compare(Eigen::VectorXd::Constant(1, model.potential_energy(vec3(state["gravity"]))),
            Eigen::VectorXd::Constant(1, potential));
  });
}

TEST_F(RobotOracle, Jacobians) {
  for_states([&](RobotModel& model, const auto& state, const auto& order) {
    const int n = model.n_dof();
    for (const auto& point : state["points"]) {
      const int link = model.description().find_link(point["link"].template get<std::string>());
      const Vec3d world = model.link_poses()[link].to_world(vec3(point["local"]));
      const std::vector<Mat3d> J = model.point_jacobian(link, world);
      const std::vector<Mat3d> W = model.angular_jacobian(link);
      const Eigen::VectorXd linear = vector(point["linear"]), angular = vector(point["angular"]);
      Eigen::MatrixXd ours(6, n), answer(6, n);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) {
          answer(k, order[i]) = linear[n * k + i];
          answer(3 + k, order[i]) = angular[n * k + i];
          ours(k, i) = J[i / 3](k, i % 3);
          ours(3 + k, i) = W[i / 3](k, i % 3);
        }
      }
      compare(ours, answer);
      // The padding moves nothing.
      for (int i = n; i < 3 * model.n_row(); ++i)
        for (int k = 0; k < 3; ++k) EXPECT_EQ(J[i / 3](k, i % 3), 0);
    }
  });
}

}  // namespace
}  // namespace nodia

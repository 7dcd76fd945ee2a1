#include "host/scene/weight_on_drives.hpp"

#include <algorithm>
#include <cmath>

#include "fem/robot/joint_axes.hpp"

namespace nodia {
namespace {

constexpr double kSagRad = 0.05, kSagM = 0.02;

/// Stiffness of the joint's drive; 0 without one.
double stiffness_of(const RobotSceneDescription& robot, const std::string& joint) {
  const auto drive = std::find_if(robot.joint_drives.begin(), robot.joint_drives.end(),
                                  [&](const JointDriveDescription& d) { return d.joint == joint; });
  return drive == robot.joint_drives.end() ? 0 : drive->stiffness;
}

}  // namespace

std::vector<WeightOnDrive> weights_on_drives(const Scene& scene,
                                             std::span<const RobotModel> robots) {
  std::vector<WeightOnDrive> found;
  for (std::size_t r = 0; r < robots.size(); ++r) {
    const RobotSceneDescription& robot = scene.robots[r];
    const RobotModel& model = robots[r];
    const Eigen::VectorXd weight = model.bias_force(nullptr, scene.gravity_m_s2);
    for (int c = 0; c < model.n_dof(); ++c) {
      const RobotCoordinate& coordinate = model.coordinates()[static_cast<std::size_t>(c)];
      if (!has_actuator(robot.robot.links[static_cast<std::size_t>(coordinate.link)].joint))
        continue;
      const double stiffness = stiffness_of(robot, coordinate.joint);
      const bool acts = robot.gravity_compensation || stiffness > 0 || !robot.pose_drives.empty();
      WeightOnDrive w{robot.name, coordinate.joint, coordinate.slides, std::abs(weight[c])};
      if (acts && w.weight > coordinate.max_effort) {
        w.limit = coordinate.max_effort;
        w.too_heavy = true;
        found.push_back(w);
      } else if (!robot.gravity_compensation && stiffness > 0) {
        w.sag = w.weight / stiffness;
        if (w.sag > (w.prismatic ? kSagM : kSagRad)) found.push_back(w);
      }
    }
  }
  return found;
}

}  // namespace nodia

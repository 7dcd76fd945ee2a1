/// Checks whether a robot's actuators carry its own weight.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "host/scene/scene.hpp"

namespace nodia {

/// A coordinate of a robot whose weight, in the pose at t = 0, exceeds the actuator's limit or
/// moves the coordinate away from the drive's target.
struct WeightOnDrive {
  std::string robot, joint;
  bool prismatic = false;
  double weight = 0;       ///< weight of the robot's links on it [N m] or [N]
  bool too_heavy = false;  ///< for the actuator's limit
  double limit = 0;        ///< limit of its effort, if too heavy [N m] or [N]
  double sag = 0;          ///< else weight divided by the drive's stiffness [rad] or [m]
};

/// Coordinates whose weight exceeds the effort limit. Without gravity compensation, also those that
/// sag by more than 0.05 rad or 20 mm. Joints without a drive may be intended to swing and are
/// omitted.
/// @param scene   a valid scene
/// @param robots  its robots in their poses at t = 0
std::vector<WeightOnDrive> weights_on_drives(const Scene& scene,
                                             std::span<const RobotModel> robots);

}  // namespace nodia

/// Whether a robot's actuators carry its own weight.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "host/scene/scene.hpp"

namespace nodia {

/// A coordinate of a robot whose weight, in the pose at t = 0, is more than its actuator can do, or
/// presses it away from where its drive wants it.
struct WeightOnDrive {
  std::string robot, joint;
  bool prismatic = false;
  double weight = 0;       ///< that the robot's links put on it [N m] or [N]
  bool too_heavy = false;  ///< for the actuator
  double limit = 0;        ///< of its effort, where too heavy [N m] or [N]
  double sag = 0;          ///< else weight over the drive's stiffness [rad] or [m]
};

/// Those whose weight exceeds the effort limit; without gravity compensation also those that sag by
/// more than 0.05 rad or 20 mm. Joints without a drive may be meant to swing and are left out.
/// @param scene   that validates
/// @param robots  its robots as they stand at t = 0
std::vector<WeightOnDrive> weights_on_drives(const Scene& scene,
                                             std::span<const RobotModel> robots);

}  // namespace nodia

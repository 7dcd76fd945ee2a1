/// A robot whose root link moves freely.
#pragma once

#include "fem/robot/robot_description.hpp"

namespace nodia {

inline constexpr const char* kFreeBaseJoint = "base";  ///< its coordinates: base.x ... base.rz

/// The robot with a new root link, without inertia, from which the former root link hangs by a
/// floating joint.
/// @throws InputError if the robot has a joint with this name
RobotDescription with_free_base(RobotDescription robot);

}  // namespace nodia

/// The coordinates of a joint.
#pragma once

#include <vector>

#include "fem/robot/robot_description.hpp"
#include "kernels/articulated/tree.hpp"

namespace nodia {

/// What one coordinate of a joint moves.
struct JointAxis {
  JointMotion motion;
  Vec3d axis;          ///< unit, in the link's frame
  std::int32_t part;   ///< of a ball joint (kernels/articulated/tree.hpp)
  const char* suffix;  ///< of the coordinate's name behind that of the joint: "" or ".rx"
};

/// The coordinates of a joint in their order: none of a fixed joint, one of a revolute, continuous
/// or prismatic joint, .x, .y, .rz of a planar joint, .x, .y, .z, .rx, .ry, .rz of a floating
/// joint.
std::vector<JointAxis> axes_of(const RobotJoint& joint);

/// Whether a joint of this kind has more than one coordinate: planar and floating joints do.
bool has_several_coordinates(JointKind kind);

/// Whether an actuator can drive the joint or carry weight at it: planar and floating joints have
/// one only if their limits give an effort.
bool has_actuator(const RobotJoint& joint);

}  // namespace nodia

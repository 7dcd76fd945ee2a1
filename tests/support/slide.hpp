/// A robot of one prismatic joint.
#pragma once

#include <string>

#include "host/scene/scene.hpp"

namespace nodia::test {

/// A hand of `mass_kg` on a slide along x, without gravity in that direction, driven by a spring
/// and a damper.
inline RobotSceneDescription slide(const std::string& name, double mass_kg, double stiffness,
                                   double damping) {
  RobotSceneDescription robot;
  robot.name = name;
  robot.robot.name = name;
  robot.robot.links.resize(2);
  robot.robot.links[0].name = "base";
  RobotLink& link = robot.robot.links[1];
  link.name = "hand";
  link.parent = 0;
  link.joint.name = "slide";
  link.joint.kind = JointKind::prismatic;
  link.joint.axis = {1, 0, 0};
  link.joint.lower = -10;
  link.joint.upper = 10;
  link.inertia = RigidInertia{mass_kg, {}, 0.01 * Mat3d::identity()};
  robot.joint_drives.push_back({"slide", stiffness, damping, {}});
  return robot;
}

}  // namespace nodia::test

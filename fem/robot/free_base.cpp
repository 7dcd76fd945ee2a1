#include "fem/robot/free_base.hpp"

#include "kernels/core/error.hpp"

namespace nodia {

RobotDescription with_free_base(RobotDescription robot) {
  if (robot.find_joint(kFreeBaseJoint) >= 0)
    throw_bad_value("joint", kFreeBaseJoint, "another name if the base is free",
                    "the floating joint of the base has this name");
  RobotLink world;
  for (world.name = "world"; robot.find_link(world.name) >= 0;) world.name += "_";
  for (RobotLink& link : robot.links) {
    ++link.parent;
    if (link.joint.mimic) ++link.joint.mimic->link;
  }
  RobotJoint& joint = robot.links.front().joint;
  joint = {};
  joint.name = kFreeBaseJoint;
  joint.kind = JointKind::floating;
  robot.links.insert(robot.links.begin(), std::move(world));
  return robot;
}

}  // namespace nodia

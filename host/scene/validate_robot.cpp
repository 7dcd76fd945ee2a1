#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/robot/joint_axes.hpp"
#include "fem/robot/robot_model.hpp"
#include "host/scene/keys.hpp"
#include "host/scene/rules.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/key.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

bool has_actuator(const RobotModel& model, const RobotCoordinate& coordinate) {
  return has_actuator(model.description().links[static_cast<std::size_t>(coordinate.link)].joint);
}

/// Joints that a drive can move, in the order of the coordinates.
std::vector<std::string> driven_joints(const RobotModel& model) {
  std::vector<std::string> joints;
  for (const RobotCoordinate& c : model.coordinates())
    if (has_actuator(model, c)) joints.push_back(c.joint);
  return joints;
}

/// Rejects pose drives on robots with joints without an actuator, because a drive pulls relative to
/// the world.
void refuse_pose_drives_without_actuators(const std::string& path,
                                          const RobotSceneDescription& robot,
                                          const RobotModel& model) {
  if (robot.pose_drives.empty()) return;
  for (const RobotCoordinate& c : model.coordinates())
    if (!has_actuator(model, c))
      throw_bad_value(path + ".pose_drives", "{...}", "left out for this robot",
                      fmt::format("{} has no actuator that could pull at the world", c.joint));
}

void validate_coordinates(const std::string& path, const RobotSceneDescription& robot,
                          const RobotModel& model) {
  if (robot.q.empty()) return;
  const auto n = static_cast<std::size_t>(model.n_dof());
  require(robot.q.size() == n, path + ".q", static_cast<double>(robot.q.size()),
          fmt::format("{} values, one a coordinate", n), "leave it out for zero");
  for (std::size_t k = 0; k < n; ++k) {
    const RobotCoordinate& c = model.coordinates()[k];
    require(robot.q[k] >= c.lower && robot.q[k] <= c.upper && std::isfinite(robot.q[k]),
            fmt::format("{}.q.{}", path, key_word(c.joint)), robot.q[k],
            fmt::format("in [{}, {}], the joint's limits", c.lower, c.upper), "");
  }
}

void validate_drive(const std::string& path, const JointDriveDescription& drive) {
  KeyCheck check(path);
  double stiffness = drive.stiffness, damping = drive.damping;
  visit_gains(check, stiffness, damping);
  Path times;  // its keyframes follow the rules of a path
  for (const JointDriveDescription::Key& key : drive.path)
    times.keys.push_back({key.time_s, {}, {}});
  times.validate(path + ".path");
  for (std::size_t k = 0; k < drive.path.size(); ++k)
    require(std::isfinite(drive.path[k].target), fmt::format("{}.path.{}.target", path, k),
            drive.path[k].target, "finite", "");
}

void validate_drive(const std::string& path, const PoseDriveDescription& drive) {
  drive.path.validate(path + ".path");
  KeyCheck check(path);
  PoseDriveDescription d = drive;
  visit_gains(check, d.stiffness_N_m, d.damping_N_s_m, d.stiffness_Nm_rad, d.damping_Nms_rad);
}

/// @param known  joints with coordinates of their own
std::string hint_for_joint(const RobotDescription& robot, const std::string& joint,
                           const std::vector<std::string>& known) {
  for (const RobotLink& link : robot.links)
    if (link.parent >= 0 && link.joint.name == joint && link.joint.mimic)
      return fmt::format("it mimics {}",
                         robot.links[static_cast<std::size_t>(link.joint.mimic->link)].joint.name);
  return known_names_hint(joint, known);
}

}  // namespace

void validate(const RobotSceneDescription& robot) {
  const std::string path = "robots." + robot.name;
  robot.robot.validate(path);
  validate_pose(path, robot.base);
  const RobotModel model(robot.robot, robot.base);
  validate_coordinates(path, robot, model);
  for (const JointDriveDescription& drive : robot.joint_drives) {
    const std::string own = path + ".joint_drives." + key_word(drive.joint);
    const std::vector<std::string> joints = driven_joints(model);
    if (std::find(joints.begin(), joints.end(), drive.joint) == joints.end())
      throw_bad_value(own, "{...}", "a joint that moves by itself",
                      hint_for_joint(robot.robot, drive.joint, joints));
    const RobotCoordinate& c =
        model.coordinates()[static_cast<std::size_t>(model.find_coordinate(drive.joint))];
    if (c.max_effort == 0)
      throw_bad_value(own, "{...}", "a joint with an effort above 0",
                      "the URDF says effort = 0: no drive could move it");
    validate_drive(own, drive);
  }
  refuse_pose_drives_without_actuators(path, robot, model);
  for (std::size_t k = 0; k < robot.pose_drives.size(); ++k) {
    const PoseDriveDescription& drive = robot.pose_drives[k];
    const std::string own =
        fmt::format("{}.pose_drives.{}", path, drive.name.empty() ? std::to_string(k) : drive.name);
    require_known(own + ".link", drive.link, link_names(robot.robot), "the name of a link");
    validate_drive(own, drive);
  }
  KeyCheck check(path);
  double friction = robot.friction;
  visit_friction(check, friction);
  if (robot.self_contact && !robot.collides)
    throw_bad_value(path + ".self_contact", "true", "false with collides: false",
                    "the links have no contact shapes then");
  for (std::size_t k = 0; k < robot.self_contact_exclude.size(); ++k) {
    const LinkPair& pair = robot.self_contact_exclude[k];
    const std::string own = fmt::format("{}.self_contact_exclude.{}", path, k);
    require_known(own + ".link", pair.link, link_names(robot.robot), "the name of a link");
    require_known(own + ".other", pair.other, link_names(robot.robot), "the name of a link");
    if (!robot.self_contact)
      throw_bad_value(own, "{...}", "left out without self_contact: true", "");
  }
  for (const ForceSensorDescription& sensor : robot.force_sensors) {
    const std::string link = path + ".force_sensors." + sensor.name + ".link";
    require_known(link, sensor.link, link_names(robot.robot), "the name of a link");
    if (robot.robot.find_link(sensor.link) == 0)
      throw_bad_value(link, sensor.link, "a link that hangs on a joint",
                      "the root hangs on nothing");
  }
}

}  // namespace nodia

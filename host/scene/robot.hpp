/// A robot of a scene, and the targets of its actuators over time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fem/robot/robot_description.hpp"
#include "host/collision/distance_grid.hpp"
#include "host/scene/path.hpp"

namespace nodia {

class RobotModel;

/// PD control of one joint towards targets over time: between two keys the target follows the
/// profile; before the first and after the last it is constant.
struct JointDriveDescription {
  struct Key {
    double time_s = 0;
    double target = 0;  ///< [rad] or [m]
  };
  std::string joint;
  double stiffness = 0;   ///< >= 0 [N m/rad] or [N/m]
  double damping = 0;     ///< >= 0 [N m s/rad] or [N s/m]
  std::vector<Key> path;  ///< empty: the joint's position at t = 0
  PathProfile profile = PathProfile::minimum_jerk;
};

/// Pose control of a frame on a link: a spring and a damper towards a moving frame.
struct PoseDriveDescription {
  std::string link;
  Pose frame;  ///< pose in the link's frame
  Path path;   ///< target pose over time; empty: the frame's pose at t = 0
  double stiffness_N_m = 0, damping_N_s_m = 0;       ///< >= 0
  double stiffness_Nm_rad = 0, damping_Nms_rad = 0;  ///< >= 0
  std::string name;                                  ///< for messages; may be empty
};

/// Force and torque between a link and its parent, as a sensor between them reads them: those of
/// the link, with all links that it carries, on its parent.
struct ForceSensorDescription {
  std::string name;
  std::string link;  ///< not the root
};

/// Names of two links.
struct LinkPair {
  std::string link, other;
};

struct RobotSceneDescription {
  std::string name;
  RobotDescription robot;
  Pose base;  ///< pose of the root link
  std::vector<double>
      q;  ///< coordinates at t = 0, one value each; empty: zero, clipped to the limits
  std::vector<JointDriveDescription> joint_drives;
  std::vector<PoseDriveDescription> pose_drives;
  bool gravity_compensation = true;
  bool collides = true;  ///< links touch other bodies
  /// Links touch each other, too, but not those of `self_contact_exclude`, nor neighbours
  /// (RobotDescription::are_neighbours()).
  bool self_contact = false;
  std::vector<LinkPair> self_contact_exclude;
  double friction = 0.3;  ///< friction of its links [-], >= 0
  std::vector<ForceSensorDescription> force_sensors;
  /// Owners of the samples of collision meshes, which are distance grids.
  std::vector<std::shared_ptr<const DistanceGrid>> grids;
};

/// Coordinates of the robot at t = 0: its q, else zero clipped to the limits.
std::vector<double> start_coordinates(const RobotSceneDescription& robot, const RobotModel& model);

}  // namespace nodia

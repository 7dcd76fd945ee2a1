/// Paths of joint drives' targets.
#pragma once

#include <vector>

#include "host/scene/robot.hpp"

namespace nodia {

struct JointTarget {
  double value = 0;  ///< [rad] or [m]
  double rate = 0;   ///< [rad/s] or [m/s]
};

/// Minimum jerk between neighbours; at rest before the first key and behind the last.
/// @param path  at least one key, ascending
JointTarget joint_target_at(const std::vector<JointDriveDescription::Key>& path, double time_s);

}  // namespace nodia

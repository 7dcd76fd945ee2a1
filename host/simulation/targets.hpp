/// What is prescribed in one environment over time: where drives pull, how frames move, what is
/// held. By the scene until it is commanded, by the last command from then on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

class BodySystem;

/// Of a joint drive.
struct JointTarget {
  std::vector<JointDriveDescription::Key> keys;  ///< one at least
  PathProfile profile = PathProfile::minimum_jerk;

  double at(double time_s) const;  ///< [rad] or [m]
  /// As Path::rate [rad/s] or [m/s].
  double rate(double time_s) const;
};

/// Of a mount or an attachment.
struct HolderTarget {
  Path path;                  ///< of its frame; without keyframes on a robot
  std::optional<bool> holds;  ///< as commanded; absent: by the scene's release time
};

/// As values, so that they can be kept and put back.
struct Targets {
  struct Robot {
    std::vector<JointTarget> joints;  ///< by joint drive
    std::vector<Path> poses;          ///< by pose drive
  };
  std::vector<Robot> robots;
  std::vector<Path> obstacles;
  std::vector<HolderTarget> mounts, attachments;

  Targets() = default;
  /// By the scene. Drives without a path stay where their joints and frames are at t = 0.
  Targets(const Scene& scene, const BodySystem& system);
};

/// From where it is to a target, linearly within reach_s > 0 (the rotation on the shortest great
/// arc), at rest there.
void command(double target, double now_s, double reach_s, JointTarget* joint);
void command(const Pose& target, double now_s, double reach_s, Path* path);

}  // namespace nodia

/// Prescribed values of one environment over time: targets of drives, motion of frames, and
/// released or held bodies. The scene sets them until the first command, then the last command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

class BodySystem;

/// Target of a joint drive over time.
struct JointTarget {
  std::vector<JointDriveDescription::Key> keys;  ///< at least one
  PathProfile profile = PathProfile::minimum_jerk;

  double at(double time_s) const;  ///< [rad] or [m]
  /// Rate of the target, see Path::rate [rad/s] or [m/s].
  double rate(double time_s) const;
};

/// Target of a mount or an attachment.
struct AttachmentFrameTarget {
  Path path;                  ///< path of its frame; no keyframes on a robot
  std::optional<bool> holds;  ///< commanded value; absent: the scene's release time decides
};

/// Plain values that can be saved and restored.
struct Targets {
  struct Robot {
    std::vector<JointTarget> joints;  ///< one per joint drive
    std::vector<Path> poses;          ///< one per pose drive
  };
  std::vector<Robot> robots;
  std::vector<Path> obstacles;
  std::vector<AttachmentFrameTarget> mounts, attachments;

  /// Targets of the scene. Drives without a path stay at the positions of t = 0.
  static Targets of(const Scene& scene, const BodySystem& system);
};

/// Moves a target from its current value to the given one, linearly within reach_s > 0 (the
/// rotation on the shortest great arc), then holds it at rest.
void command(double target, double now_s, double reach_s, JointTarget* joint);
void command(const Pose& target, double now_s, double reach_s, Path* path);

}  // namespace nodia

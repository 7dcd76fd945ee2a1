/// Elastic joints between a cable or a rigid body and the frame that holds it. Each is a sensor of
/// force and torque.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "fem/frames/rod.hpp"
#include "host/scene/attachment_frame.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

enum class MountPoint : std::uint8_t {
  rear,  ///< end of a cable
  front,
  body  ///< a point of a rigid body
};

constexpr auto words_of(MountPoint) {
  return std::array{Word{MountPoint::rear, "rear"}, Word{MountPoint::front, "front"},
                    Word{MountPoint::body, "body"}};
}

struct MountDescription : AttachmentFrameDescription {
  std::string name;  ///< name of the mount and of its sensor
  std::string body;  ///< name of a cable or a rigid body
  MountPoint at = MountPoint::body;
  Vec3d point_m{};  ///< point of a rigid body, in its frame
  /// True: the body's point keeps its place in the frame of t = 0. False: it is held at the frame's
  /// origin.
  bool keeps_place = true;
  bool moment = true;  ///< false: a ball joint
  /// Stiffness along and about all axes. Default for a cable's mount: that of its section over the
  /// length of stiffness_links links.
  std::optional<double> stiffness_N_m, stiffness_Nm_rad;
  double stiffness_links = 0.5;  ///< for a cable's mount [-], > 0; half a link is part of the rod
  double damping_s = 0;          ///< beta of D = beta K, >= 0
  /// The body is free after a step in which the mean force exceeds this [N]; absent: never.
  std::optional<double> breaks_at_N;
};

}  // namespace nodia

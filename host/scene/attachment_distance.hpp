/// Finds attachment frames that are far from the held body.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "host/scene/scene.hpp"

namespace nodia {

/// A mount or an attachment whose frame is far from the held body, compared with the size of the
/// body, or whose frame pulls the body away at the start.
struct DistantAttachment {
  std::string path;       ///< key in a scenario file: `mounts.rear`
  std::string body;       ///< name of the held body
  double distance_m = 0;  ///< at t = 0, distance of the held point from the attachment frame; if it
                          ///< pulls, from the point's place in the attachment frame
  double extent_m = 0;    ///< extent of the body
  bool pulls = false;     ///< the frame's path has left its first pose at t = 0
};

/// Mounts and attachments that are further than half the body's extent. Mounts that pull the body
/// to the frame's origin, and attachment frames that pull, count from a tenth of it.
/// @param scene   a valid scene
/// @param robots  its robots in their poses at t = 0
std::vector<DistantAttachment> distant_attachments(const Scene& scene,
                                                   std::span<const RobotModel> robots);

/// Point of the body that a mount holds, at t = 0 [m].
Vec3d held_point(const MountDescription& mount, const Scene& scene);

}  // namespace nodia

/// How far attachment frames are from what they hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fem/robot/robot_model.hpp"
#include "host/scene/scene.hpp"

namespace nodia {

/// A mount or an attachment that holds from much further than what it holds is large, or that pulls
/// it from where it is.
struct DistantAttachment {
  std::string path;       ///< of a scenario file: `mounts.rear`
  std::string body;       ///< that it holds
  double distance_m = 0;  ///< at t = 0, of the held point: from the attachment frame, or, where
                          ///< that pulls, from where the attachment frame keeps it
  double extent_m = 0;    ///< of the body
  bool pulls = false;     ///< along a path that has left its first pose at t = 0
};

/// Those further than half the body's extent; of mounts that pull the body to the frame's
/// origin, and of attachment frames that pull, further than a tenth of it.
/// @param scene   that validates
/// @param robots  its robots as they stand at t = 0
std::vector<DistantAttachment> distant_attachments(const Scene& scene,
                                                   std::span<const RobotModel> robots);

}  // namespace nodia

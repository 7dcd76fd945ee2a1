/// How far holders are from what they hold.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// A mount or an attachment that holds from much further than what it holds is large.
struct DistantHolder {
  std::string path;       ///< of a scenario file: `mounts.rear`
  std::string body;       ///< that it holds
  double distance_m = 0;  ///< between the held point and the holder's frame at t = 0
  double extent_m = 0;    ///< of the body
};

/// Those further than ten times the body's extent; of mounts that pull the body to the frame's
/// origin, further than a tenth of it.
/// @param scene  that validates
std::vector<DistantHolder> distant_holders(const Scene& scene);

}  // namespace nodia

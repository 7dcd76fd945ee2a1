/// What holds a body.
#pragma once

#include <string>

#include "host/scene/path.hpp"

namespace nodia {

/// Exactly one of the two: a robot's link, or a frame along a path.
struct AttachmentFrameDescription {
  std::string robot;  ///< empty: along the path
  std::string link;
  Path path;                   ///< of the frame
  double release_time_s = -1;  ///< what is held is free from then on; negative: never
};

}  // namespace nodia

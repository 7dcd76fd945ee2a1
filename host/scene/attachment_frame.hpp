/// The frame that holds a body.
#pragma once

#include <string>

#include "host/scene/path.hpp"

namespace nodia {

/// Exactly one of two: a robot's link, or a frame along a path.
struct AttachmentFrameDescription {
  std::string robot;  ///< empty: along the path
  std::string link;
  Path path;                   ///< pose of the frame over time
  double release_time_s = -1;  ///< the body is free from this time on; negative: never
};

}  // namespace nodia

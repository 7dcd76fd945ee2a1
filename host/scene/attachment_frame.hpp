/// The frame that holds a body.
#pragma once

#include <string>

#include "host/scene/path.hpp"

namespace nodia {

/// Exactly one of three: a robot's link, another body, or a frame along a path.
struct AttachmentFrameDescription {
  std::string robot;
  std::string link;
  /// Name of a cable, a rigid body or a compound; of a cable the nearest link. An attachment may
  /// also name a soft body.
  std::string to;
  Path path;                   ///< pose of the frame over time
  double release_time_s = -1;  ///< the body is free from this time on; negative: never

  bool is_along_path() const { return robot.empty() && to.empty(); }
};

}  // namespace nodia

/// Frames of a cable among all.
#pragma once

#include <cstddef>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// Frames of an object that has some.
struct FrameRange {
  std::size_t first = 0, last = 0;  ///< [first, last)
};

inline FrameRange cable_frames(const BodyLayout& layout, int cable) {
  const auto c = static_cast<std::size_t>(cable);
  return {static_cast<std::size_t>(layout.cable_frame[c]),
          static_cast<std::size_t>(layout.cable_frame[c + 1])};
}

}  // namespace nodia

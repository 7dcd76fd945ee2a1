/// Names of a scene's surfaces.
#pragma once

#include <cstdint>

namespace nodia {

/// A surface of the scene.
struct SurfaceId {
  enum class Kind : std::uint8_t { soft_body, rigid_body, cable, robot, obstacle };
  Kind kind = Kind::obstacle;
  std::int32_t index = 0;  ///< in the scene's list of that kind
  std::int32_t link = 0;   ///< of a robot or a cable
};

}  // namespace nodia

/// What nodes are asked for.
#pragma once

#include <cstdint>

namespace nodia {

enum class NodeQuantity : std::uint8_t {
  position,  ///< [m]
  velocity   ///< [m/s]
};

}  // namespace nodia

/// Quantities of nodes that a caller can read.
#pragma once

#include <cstdint>

namespace nodia {

enum class NodeQuantity : std::uint8_t {
  position,  ///< [m]
  velocity   ///< [m/s]
};

}  // namespace nodia

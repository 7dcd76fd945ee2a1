/// Conversion of 32-bit indices of the collision data to positions in a std::vector.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nodia {

/// @param i  index, >= 0
inline std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace nodia

/// Contact geometry of the links of a rod.
#pragma once

#include <cstdint>

namespace nodia {

enum class RodContact : std::uint8_t {
  segments,     ///< links are capsules; forces act on their surface
  link_centres  ///< links are spheres; forces act at the centre, without moment
};

}  // namespace nodia

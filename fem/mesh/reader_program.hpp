/// Where the program nodia-read-mesh (tools/read_mesh) is.
#pragma once

#include <string>

namespace nodia {

/// $NODIA_READ_MESH if it is set. Otherwise the program in the folder of the program or shared
/// library that contains this function, or in the folder `bin` of that folder or of one of the two
/// above it. Empty if it is in none of them.
std::string reader_program();

}  // namespace nodia

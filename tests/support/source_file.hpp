/// Files of the source tree that tests read, wherever the tree lies now.
#pragma once

#include <cstdlib>
#include <string>

namespace nodia::test {

/// @param path  relative to NODIA_SOURCE_DIR of the environment, else to the tree that was built
inline std::string source_file(const std::string& path) {
  const char* const moved = std::getenv("NODIA_SOURCE_DIR");
  return std::string(moved && *moved ? moved : NODIA_SOURCE_DIR) + "/" + path;
}

}  // namespace nodia::test

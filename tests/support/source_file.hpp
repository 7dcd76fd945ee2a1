/// Files of the source tree that tests read, wherever the tree lies now.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace nodia::test {

/// @param path  relative to NODIA_SOURCE_DIR of the environment, else to the tree that was built
inline std::string source_file(const std::string& path) {
  const char* const moved = std::getenv("NODIA_SOURCE_DIR");
  return std::string(moved && *moved ? moved : NODIA_SOURCE_DIR) + "/" + path;
}

/// A text in which files of the source tree are named from its root.
inline std::string named_from_root(std::string text) {
  const std::string root = std::filesystem::absolute(source_file("")).lexically_normal().string();
  for (std::size_t at; (at = text.find(root)) != std::string::npos;) text.erase(at, root.size());
  return text;
}

}  // namespace nodia::test

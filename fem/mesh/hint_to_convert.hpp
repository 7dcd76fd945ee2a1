/// What a user can do with a mesh file in a format that nodia does not read.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace nodia {

/// The command that converts the file to .vtu.
inline std::string hint_to_convert(const std::string& path) {
  const std::filesystem::path file = std::filesystem::path(path).filename();
  return fmt::format("convert it: pip install meshio && meshio convert {} {}.vtu", file.string(),
                     file.stem().string());
}

}  // namespace nodia

#include "fem/robot/mesh_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace nodia {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file://", kPackage = "package://";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// NAME/PATH in the nearest folder above; empty if no folder has it.
fs::path in_folders_above(const fs::path& file, const fs::path& start) {
  std::error_code ignored;
  fs::path folder = fs::absolute(start.empty() ? "." : start, ignored).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  for (;; folder = folder.parent_path()) {
    if (is_file(folder / file)) return folder / file;
    if (folder == folder.root_path()) return {};
  }
}

/// What the user can write for a file of a package that no folder above has.
/// @param file  NAME/PATH
std::string hint_for_package(std::string file, const fs::path& folder) {
  for (std::size_t slash; (slash = file.find('/')) != std::string::npos;) {
    file = file.substr(slash + 1);
    if (is_file(folder / file)) return fmt::format("write filename=\"{}\", which is there", file);
  }
  return fmt::format(
      "no folder above '{}' has it; name the package's folder with packages: {{NAME: FOLDER}} or "
      "--package NAME=FOLDER",
      folder.string());
}

/// NAME/PATH after package://, found in the packages or above the URDF file.
MeshFile find_in_package(std::string file, const fs::path& folder,
                         const std::map<std::string, std::string>& packages) {
  file.erase(0, file.find_first_not_of('/'));  // package:///NAME/PATH is written, too
  const std::size_t slash = std::min(file.find('/'), file.size());
  const std::string name = file.substr(0, slash);
  if (const auto package = packages.find(name); package != packages.end()) {
    const fs::path path = package->second + file.substr(slash);
    if (is_file(path)) return {path.string(), "", ""};
    return {"", fmt::format("a file of the package {}", name),
            fmt::format("'{}' is none; packages.{} = {}", path.string(), name, package->second)};
  }
  if (const fs::path path = in_folders_above(file, folder); !path.empty())
    return {path.string(), "", ""};
  return {"", "a file of a package above the URDF file", hint_for_package(file, folder)};
}

}  // namespace

MeshFile find_mesh_file(const std::string& filename, const fs::path& folder,
                        const std::map<std::string, std::string>& packages) {
  std::string name = filename;
  if (name.starts_with(kFile)) name = name.substr(kFile.size());
  if (name.starts_with(kPackage))
    return find_in_package(name.substr(kPackage.size()), folder, packages);
  const fs::path path = folder / name;
  if (name.find("://") != std::string::npos) {
    return {"", "a path relative to the URDF file, or of a package",
            "e.g. filename=\"meshes/arm.stl\""};
  }
  if (name.empty() || !is_file(path) || !std::ifstream(path, std::ios::binary))
    return {"", "a file that can be read",
            fmt::format("'{}' is none; names are relative to the URDF file; a link without "
                        "<collision> touches nothing",
                        path.string())};
  return {path.string(), "", ""};
}

}  // namespace nodia

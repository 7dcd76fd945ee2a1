/// Copies of URDF files whose meshes have other names.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace nodia {

/// Text of a URDF file with another file name for each collision mesh. Visuals keep their names.
/// @param packages  folders of packages by name (mesh_files.hpp)
/// @param rename    takes the path of a mesh's file and returns its new name
/// @throws InputError for a file that is not URDF, and for a mesh that is not found
std::string urdf_with_renamed_meshes(const std::string& path,
                                     const std::map<std::string, std::string>& packages,
                                     const std::function<std::string(const std::string&)>& rename);

}  // namespace nodia

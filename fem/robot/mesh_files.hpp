/// Where the collision meshes of a URDF file are.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace nodia {

struct MeshFile {
  std::string path;  ///< empty if no file was found
  std::string rule;  ///< which the file name breaks, if there is no path
  std::string hint;
};

/// Finds the mesh file that an attribute `filename` names: a path from the folder of the URDF file,
/// file://PATH, or package://NAME/PATH. The latter is PATH in the folder of the package NAME if
/// `packages` has it, else NAME/PATH in the nearest folder above the URDF file that has it.
/// @param folder    of the URDF file
/// @param packages  folders of packages by name
MeshFile find_mesh_file(const std::string& filename, const std::filesystem::path& folder,
                        const std::map<std::string, std::string>& packages = {});

}  // namespace nodia

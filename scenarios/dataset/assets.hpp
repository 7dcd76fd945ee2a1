/// Copies of a scenario's files in a dataset. The SHA-256 of a file is its name.
#pragma once

#include <map>
#include <string>

#include "scenarios/build/document.hpp"

namespace nodia {

/// Folder of a dataset that contains the assets.
inline constexpr const char* kAssetFolder = "assets";

class Assets {
 public:
  /// Reads the files that the document names, the contact meshes that its URDF files name, and the
  /// file of the policy. Replaces each path in the document by `assets/SHA256.ext`.
  /// @throws InputError for a file that cannot be read
  explicit Assets(ScenarioDocument* document);

  /// Bytes of each asset, by its name without the folder.
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  /// @return the name of the asset
  std::string add_bytes(std::string bytes, const std::string& extension);
  std::string add_file(const std::string& path);
  /// Adds a URDF file, and its meshes, and renames the meshes in its copy to their assets.
  std::string add_urdf(const std::string& path);
  /// Replaces the paths of files in a choice of `randomize`.
  void add_choice(YamlNode* choice);
  /// Adds the file at `path`. @return its new path in the document
  std::string named(const std::string& path);

  std::map<std::string, std::string> packages_;  ///< folders of URDF packages by name
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> name_of_;  ///< name of an asset by the path of its file
};

}  // namespace nodia

/// The files that a scenario is made from, as a dataset keeps them: under the names of their sums.
#pragma once

#include <map>
#include <string>

#include "scenarios/build/document.hpp"

namespace nodia {

/// Folder of a dataset in which they lie.
inline constexpr const char* kAssetFolder = "assets";

class Assets {
 public:
  /// Names the document's files `assets/SHA256.ext` in their places, the meshes that URDF files
  /// name for contact, and the file of a policy.
  /// @throws InputError for a file that cannot be read
  explicit Assets(ScenarioDocument* document);

  /// Bytes by name, without the folder.
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  std::string add_bytes(std::string bytes, const std::string& extension);
  std::string add_file(const std::string& path);
  /// Adds a URDF file in which its meshes have their names among the assets.
  std::string add_urdf(const std::string& path);
  void add_choice(YamlNode* choice);
  /// A file's name in the document.
  std::string named(const std::string& path);

  std::map<std::string, std::string> packages_;  ///< folders of URDF packages by name
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> name_of_;  ///< by path
};

}  // namespace nodia

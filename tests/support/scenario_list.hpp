/// Every scenario file of the tree, so that a new one is tested without being named anywhere.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/source_file.hpp"

namespace nodia::test {

/// scenarios/*/*.yaml, relative to the tree, sorted; empty where there is no tree.
inline std::vector<std::string> scenario_files() {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code absent;
  for (const fs::directory_entry& folder : fs::directory_iterator(source_file("scenarios"), absent))
    if (folder.is_directory())
      for (const fs::directory_entry& file : fs::directory_iterator(folder))
        if (file.path().extension() == ".yaml")
          files.push_back("scenarios/" + folder.path().filename().string() + "/" +
                          file.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// A name for a test: the file's, behind its folder's where that is another (`grip_creep_plates`).
inline std::string scenario_name(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string name = path.stem().string(), folder = path.parent_path().filename().string();
  return name == folder ? name : folder + "_" + name;
}

}  // namespace nodia::test

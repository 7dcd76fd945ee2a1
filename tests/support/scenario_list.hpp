/// Every scenario file of the tree, so that a new one is tested without being named anywhere.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/source_file.hpp"

namespace nodia::test {

/// Whether a scenario has files of a package that is no part of the tree.
inline bool needs_package(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return text.find("package://") != std::string::npos;
}

/// scenarios/*/*.yaml, relative to the tree, sorted; empty if there is no tree. Scenarios with
/// files of other packages are left out: tests/python/test_packaged_robots.py runs them.
inline std::vector<std::string> scenario_files() {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code absent;
  for (const fs::directory_entry& folder : fs::directory_iterator(source_file("scenarios"), absent))
    if (folder.is_directory())
      for (const fs::directory_entry& file : fs::directory_iterator(folder))
        if (file.path().extension() == ".yaml" && !needs_package(file.path()))
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

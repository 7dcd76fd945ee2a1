/// Includes between folders: launchers know no algorithm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kLauncherFolders{"kernels/core",
                                             "kernels/launch",
                                             "kernels/cpu",
                                             "kernels/device",
                                             "tests/devices/checked_host",
                                             "tests/devices/race_detector"};

/// Folders of this tree that a file includes from: `kernels/cpu`, `host/solvers`.
std::vector<std::string> included_folders(const fs::path& file) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*"([^"]+)/[^"/]+")");
  std::vector<std::string> folders;
  std::ifstream text(file);
  std::smatch match;
  for (std::string line; std::getline(text, line);)
    if (std::regex_search(line, match, kInclude)) folders.push_back(match[1]);
  return folders;
}

TEST(Layers, LaunchersIncludeLaunchersAlone) {
  int n_include = 0;
  for (const std::string& folder : kLauncherFolders) {
    const fs::path root = test::source_file(folder);
    ASSERT_TRUE(fs::exists(root)) << root;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      for (const std::string& included : included_folders(entry.path())) {
        EXPECT_THAT(kLauncherFolders, testing::Contains(included)) << entry.path();
        ++n_include;
      }
    }
  }
  EXPECT_GT(n_include, 50);
}

}  // namespace
}  // namespace nodia

/// What this binary was made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nodia::cli {

extern const char* const kVersion;
extern const char* const kCommit;  ///< build_commit()
extern const char* const kCompiler;
extern const char* const kBuildType;
extern const char* const kArch;  ///< -march of the host code, empty for the compiler's default

/// Where scenarios/ lies: NODIA_SOURCE_DIR of the environment, else the tree that was built.
std::string source_directory();
/// Where the package nodia_tools lies: NODIA_PYTHON_DIR of the environment, else python/ there.
std::string python_directory();

/// Name and version of every library the binary uses.
const std::vector<std::pair<const char*, const char*>>& library_versions();

}  // namespace nodia::cli

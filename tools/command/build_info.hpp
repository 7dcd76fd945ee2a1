/// Build of this binary: version, compiler, folders and libraries.
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

/// Folder that contains scenarios/: NODIA_SOURCE_DIR of the environment, else the tree of the
/// build.
std::string source_directory();
/// Folder of the package nodia_tools: NODIA_PYTHON_DIR of the environment, else python/ in
/// source_directory().
std::string python_directory();

/// Names and versions of the libraries that the binary uses.
const std::vector<std::pair<const char*, const char*>>& library_versions();

}  // namespace nodia::cli

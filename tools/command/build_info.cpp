#include "tools/command/build_info.hpp"

#include <fmt/core.h>
#include <spdlog/version.h>
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>

#include "host/io/build_id.hpp"

namespace nodia::cli {

const char* const kVersion = NODIA_VERSION;
const char* const kCommit = build_commit();
const char* const kCompiler = NODIA_COMPILER;
const char* const kBuildType = NODIA_BUILD_TYPE;
const char* const kArch = NODIA_ARCH;

namespace {

std::string dotted(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace

std::string source_directory() {
  const char* const moved = std::getenv("NODIA_SOURCE_DIR");
  return moved && *moved ? moved : NODIA_SOURCE_DIR;
}

std::string python_directory() {
  const char* const installed = std::getenv("NODIA_PYTHON_DIR");
  return installed && *installed ? installed : source_directory() + "/python";
}

const std::vector<std::pair<const char*, const char*>>& library_versions() {
  static const std::string eigen =
      dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  static const std::string fmt_version =
      dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  static const std::string json =
      dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
  static const std::string spdlog_version =
      dotted(SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH);
  static const std::vector<std::pair<const char*, const char*>> versions = {
      {"Eigen", eigen.c_str()},
      {"HDF5", NODIA_HDF5_VERSION},
      {"yaml-cpp", NODIA_YAML_CPP_VERSION},
      {"CLI11", CLI11_VERSION},
      {"fmt", fmt_version.c_str()},
      {"spdlog", spdlog_version.c_str()},
      {"nlohmann-json", json.c_str()},
  };
  return versions;
}

}  // namespace nodia::cli

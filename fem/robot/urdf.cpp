#include "fem/robot/urdf.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fem/robot/repair_robot.hpp"
#include "fem/robot/urdf_element.hpp"
#include "fem/robot/urdf_reader.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

RobotDescription parse_urdf(const std::string& text, const std::string& name,
                            const std::string& folder, const UrdfOptions& options) {
  const UrdfDocument document(text, name);
  RobotDescription robot = UrdfReader(document, folder, options).read();
  if (options.repair == RobotRepair::automatic) repair_robot(name, &robot);
  robot.validate(name);
  return robot;
}

std::string text_of_urdf(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    throw InputError(fmt::format("{}: is a folder (must be a URDF file)", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a regular file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(fmt::format("{}: cannot be read (no such file, or no permission)", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

RobotDescription read_urdf(const std::string& path, const UrdfOptions& options) {
  return parse_urdf(text_of_urdf(path), path, std::filesystem::path(path).parent_path().string(),
                    options);
}

}  // namespace nodia

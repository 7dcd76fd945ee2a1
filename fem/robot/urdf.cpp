#include "fem/robot/urdf.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fem/robot/repair_robot.hpp"
#include "fem/robot/urdf_element.hpp"
#include "fem/robot/urdf_reader.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"

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
  require_readable_file(path, "a URDF file");
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

RobotDescription read_urdf(const std::string& path, const UrdfOptions& options) {
  return parse_urdf(text_of_urdf(path), path, std::filesystem::path(path).parent_path().string(),
                    options);
}

}  // namespace nodia

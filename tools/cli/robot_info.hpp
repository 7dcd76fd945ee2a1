/// `nodia info ROBOT.urdf`: content of a robot file.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

/// Prints links, joints, masses and repairs of a URDF file.
/// @param settings  overrides of a scenario whose robot has the name `robot`, such as
///                  `packages.NAME="FOLDER"` and `robots.robot.repair=none`
/// @throws InputError like read_urdf()
void print_robot(const std::string& path, const std::vector<std::string>& settings, bool as_json);

}  // namespace nodia::cli

/// `nodia info ROBOT.urdf`: what a robot file contains.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

/// Prints links, joints, masses and repairs of a URDF file.
/// @param settings  changes of a scenario whose robot has the name `robot`:
/// `packages.NAME="FOLDER"`, `robots.robot.repair=none`
/// @throws InputError as read_urdf()
void print_robot(const std::string& path, const std::vector<std::string>& settings, bool as_json);

}  // namespace nodia::cli

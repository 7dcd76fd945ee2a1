/// Finds the objects that can be commanded by their names in the scene.
#pragma once

#include <string>

#include "host/simulation/targets.hpp"

namespace nodia {

/// Index of a robot in the scene. @throws InputError with the nearest name
std::size_t find_robot(const Scene& scene, const std::string& name);
/// Path of a pose drive. @param drive  index in the robot's list of drives. @throws InputError
Path* find_pose(const Scene& scene, const std::string& robot, int drive, Targets* targets);
/// Path of an obstacle, or of a mount or attachment along a path.
/// @throws InputError with the nearest name, or if a robot's link moves it
Path* find_frame(const Scene& scene, const std::string& name, Targets* targets);
const Path& find_pose(const Scene& scene, const std::string& robot, int drive,
                      const Targets& targets);
const Path& find_frame(const Scene& scene, const std::string& name, const Targets& targets);
/// Index of an attachment in the scene. @throws InputError with the nearest name
std::size_t find_attachment(const Scene& scene, const std::string& name);

}  // namespace nodia

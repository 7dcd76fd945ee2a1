/// What can be commanded, by the names of a scene.
#pragma once

#include <string>

#include "host/simulation/targets.hpp"

namespace nodia {

/// Place of a robot in the scene. @throws InputError with the nearest name
std::size_t find_robot(const Scene& scene, const std::string& name);
/// A pose drive of a robot by its place in the list of them. @throws InputError
Path* find_pose(const Scene& scene, const std::string& robot, int drive, Targets* targets);
/// An obstacle, or a mount or an attachment along a path.
/// @throws InputError with the nearest name, or where a robot holds it
Path* find_frame(const Scene& scene, const std::string& name, Targets* targets);
const Path& find_pose(const Scene& scene, const std::string& robot, int drive,
                      const Targets& targets);
const Path& find_frame(const Scene& scene, const std::string& name, const Targets& targets);
/// Place of an attachment in the scene. @throws InputError with the nearest name
std::size_t find_attachment(const Scene& scene, const std::string& name);

}  // namespace nodia

/// From what a scenario file says to the scene it stands for: meshes read or made, names resolved.
#pragma once

#include <vector>

#include "fem/robot/robot_model.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/scene_files.hpp"

namespace nodia {

/// Fills in what keyframes leave out and refuses keys that contradict each other in the file alone;
/// all other rules are the scene's.
/// @param root  the tree the document was read from, for messages
/// @throws InputError
void complete_document(const YamlNode& root, ScenarioDocument* document);

struct BuiltScene {
  Scene scene;
  std::vector<RobotModel> robots;  ///< as they stand at t = 0, in the order of the scene's
};

/// @param document  completed
/// @param files     in and out
/// @throws InputError where a mesh is missing or unusable, or the scene as a whole breaks a rule
BuiltScene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files);

}  // namespace nodia

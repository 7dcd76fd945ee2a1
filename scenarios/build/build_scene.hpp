/// Builds the scene of a scenario file: reads or generates meshes and resolves names.
#pragma once

#include <vector>

#include "fem/robot/robot_model.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/scene_files.hpp"

namespace nodia {

/// Fills in the poses that keyframes leave out, and makes the paths of URDF files and of the policy
/// absolute. Checks only rules between keys of the file; Scene::validate() checks the others.
/// @param root  tree that the document was read from, for messages
/// @throws InputError if keys contradict each other
void complete_document(const YamlNode& root, ScenarioDocument* document);

struct BuiltScene {
  Scene scene;
  std::vector<RobotModel> robots;  ///< in their poses at t = 0, in the order of Scene::robots
};

/// Builds the scene and validates it together with the checks and the task.
/// @param document  result of complete_document()
/// @param files     in and out: files that were read before
/// @throws InputError if a mesh is missing or unusable, or if the scene breaks a rule
BuiltScene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files);

}  // namespace nodia

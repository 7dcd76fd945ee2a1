/// From what a scenario file says to the scene it stands for: meshes read or made, names resolved.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "scenarios/loader/document.hpp"
#include "scenarios/loader/yaml_tree.hpp"

namespace nodia {

/// Fills in what keyframes leave out and checks the rules between keys.
/// @param root  the tree the document was read from, for messages
/// @throws InputError
void complete_document(const YamlNode& root, ScenarioDocument* document);

/// What was read from files for one environment and serves the next as well.
struct SceneFiles {
  std::map<std::string, TetMesh> meshes;  ///< by path
  std::map<std::pair<std::string, double>, std::shared_ptr<const DistanceGrid>>
      grids;  ///< by path and spacing [m]
};

/// @param document  completed
/// @param files     in and out
/// @throws InputError where a mesh is missing or unusable, or the scene as a whole breaks a rule
Scene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files);

}  // namespace nodia

/// From what a scenario file says to the scene it stands for: meshes read or made, names resolved.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "host/collision/solid_integrals.hpp"
#include "scenarios/loader/document.hpp"
#include "scenarios/loader/yaml_tree.hpp"

namespace nodia {

/// Fills in what keyframes leave out and checks the rules between keys.
/// @param root  the tree the document was read from, for messages
/// @throws InputError
void complete_document(const YamlNode& root, ScenarioDocument* document);

/// What was read from files for one environment and serves the next as well.
struct SceneFiles {
  struct Solid {
    std::shared_ptr<const DistanceGrid> grid;
    SolidIntegrals integrals;
  };
  std::map<std::string, TetMesh> meshes;                   ///< by path
  std::map<std::pair<std::string, double>, Solid> solids;  ///< by path and spacing [m]
  std::map<std::string, RobotDescription> robots;          ///< by path
  /// Of links, by path, scale and spacing [m]; 0: chosen.
  std::map<std::array<double, 4>, std::map<std::string, std::shared_ptr<const DistanceGrid>>> grids;
  std::map<std::string, std::vector<Vec3d>> tracks;  ///< by path [m]
};

/// @param document  completed
/// @param files     in and out
/// @throws InputError where a mesh is missing or unusable, or the scene as a whole breaks a rule
Scene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files);

}  // namespace nodia

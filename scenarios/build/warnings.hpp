/// Warnings about scenarios that are valid and probably wrong.
#pragma once

#include <string>
#include <vector>

#include "scenarios/build/build_scene.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/scene_files.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

struct ScenarioWarning {
  std::string about;  ///< dotted key
  std::string text;   ///< one sentence that begins with it
};

/// Values outside their usual ranges (usual_ranges.hpp); a friction that the file (or a draw) sets
/// and that has no effect, because a pair takes the larger and the other's default is; attachment
/// frames far from what they hold, or that pull it from where it is; drives that the robot's weight
/// bends; meshes read as something else, or out of all proportion.
/// @param root             the tree that the scene was made from, drawn values included
/// @param document, files  what it was made from besides
std::vector<ScenarioWarning> warnings_of(const YamlNode& root, const ScenarioDocument& document,
                                         const BuiltScene& built, const SceneFiles& files);

}  // namespace nodia

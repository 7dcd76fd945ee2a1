/// Warnings about scenarios that are valid but probably wrong.
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
  std::string text;   ///< one sentence
};

/// Warnings of a scenario:
/// - values outside their usual ranges (usual_ranges.hpp);
/// - a friction coefficient without effect, because a pair uses the larger of both coefficients and
///   the default of the other object is larger;
/// - attachment frames that are far from their body or pull it at t = 0;
/// - drives that the weight of the robot deflects;
/// - cables of spheres (contact: link_centres) with gaps between them;
/// - cables that fold at their joints;
/// - gaps and sheets that are narrower than the contact margin (narrow_places.hpp);
/// - meshes and robot files that a reader repaired, and meshes that are probably in millimetres;
/// - external forces that begin after the last step.
/// @param root             tree that the scene was built from, with sampled values
/// @param document, files  document and files that the scene was built from
std::vector<ScenarioWarning> warnings_of(const YamlNode& root, const ScenarioDocument& document,
                                         const BuiltScene& built, const SceneFiles& files);

}  // namespace nodia

/// Usual ranges of the values of a scenario: outside of them a unit is probably wrong.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// A value outside its usual range.
struct UnusualValue {
  std::string key;   ///< dotted
  std::string text;  ///< `KEY = VALUE (usually ...; cure)`
};

/// Looks at every number that a scenario gives, and at what follows from several of them: densities
/// of rigid bodies, speeds along paths, drive targets beyond joint limits.
/// @param root  the tree that the scene was made from, sampled values included
std::vector<UnusualValue> unusual_values(const YamlNode& root, const Scene& scene);

}  // namespace nodia

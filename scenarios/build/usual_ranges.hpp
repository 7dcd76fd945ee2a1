/// Usual ranges of the values of a scenario. A value outside its range probably has a wrong unit.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// A value outside its usual range.
struct UnusualValue {
  std::string key;   ///< dotted key
  std::string text;  ///< `KEY = VALUE (usually ...; cure)`
};

/// Finds the values outside their usual ranges: numbers of the file, densities of rigid bodies,
/// speeds along paths, and drive targets that exceed joint limits.
/// @param root  tree that the scene was built from, with sampled values
std::vector<UnusualValue> unusual_values(const YamlNode& root, const Scene& scene);

}  // namespace nodia

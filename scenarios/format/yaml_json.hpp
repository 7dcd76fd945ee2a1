/// Converts YAML trees to JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Converts a tree. Numbers, `true`, `false` and null without quotes keep their type; all other
/// scalars become text.
nlohmann::ordered_json json_of(const YamlNode& node);

}  // namespace nodia

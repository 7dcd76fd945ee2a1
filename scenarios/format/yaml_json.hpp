/// YAML trees as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Numbers, `true`, `false` and null where they stand without quotes; all else is text.
nlohmann::ordered_json json_of(const YamlNode& node);

}  // namespace nodia

/// The keys of a scenario file as a JSON Schema and as a list.
#pragma once

#include <string>
#include <vector>

#include "scenarios/loader/yaml_tree.hpp"

namespace nodia {

/// JSON Schema (draft 2020-12) of a scenario file; scenarios/schema/scenario.schema.json holds this
/// text.
std::string scenario_schema();

/// Every dotted key that the file may have, for the names, list members and alternatives in it:
/// present keys and absent ones.
std::vector<std::string> known_keys(const YamlNode& root);

}  // namespace nodia

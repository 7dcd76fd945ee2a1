/// The keys of a scenario file as a JSON Schema and as a list.
#pragma once

#include <string>
#include <vector>

#include "scenarios/loader/yaml_tree.hpp"

namespace nodia {

/// JSON Schema (draft 2020-12) of a scenario file; scenarios/schema/scenario.schema.json holds this
/// text.
std::string scenario_schema();

/// Of an object whose keys depend on its kind (the shape of an obstacle): the keys of every kind,
/// or of the one that the file has chosen.
enum class Alternatives { all, chosen };

/// Every dotted key that the file may have, for the names and list members in it: present keys and
/// absent ones.
std::vector<std::string> known_keys(const YamlNode& root,
                                    Alternatives alternatives = Alternatives::all);

}  // namespace nodia

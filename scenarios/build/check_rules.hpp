/// Rules between the keys of checks.
#pragma once

#include <string>

#include "scenarios/build/document.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// @throws InputError for the first broken rule, with the place in the tree
void require_good_check(const YamlNode& root, const ScenarioDocument& document,
                        const CheckDescription& check);

}  // namespace nodia

/// Writes single values as YAML.
#pragma once

#include <string>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// True for control characters other than tab and line ends.
bool is_control(char c);

/// Writes a value on one line, in flow style.
std::string flow(const YamlNode& node);

}  // namespace nodia

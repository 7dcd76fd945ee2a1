/// YAML as text, of one value.
#pragma once

#include <string>

#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Whether no text has it: neither blank, tab, line end nor printable.
bool is_control(char c);

/// On one line, in flow style.
std::string flow(const YamlNode& node);

}  // namespace nodia

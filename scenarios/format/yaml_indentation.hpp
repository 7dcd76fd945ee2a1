/// Explains wrong indentation in YAML.
#pragma once

#include <string>

namespace nodia {

/// Message about the indentation of a line that a YAML parser rejected: the depth of its key and of
/// the keys above it. Empty if the indentation is correct.
/// @param line  line number, from 1
std::string indentation_fault(const std::string& text, int line);

}  // namespace nodia

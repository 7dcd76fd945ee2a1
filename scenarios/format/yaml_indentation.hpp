/// Explains wrong indentation in YAML.
#pragma once

#include <string>

namespace nodia {

/// What is wrong with the indentation of a line that a YAML parser refused, for a message: at which
/// depth its key stands, and at which depths the keys above it stand. Empty if the indentation is
/// not the fault.
/// @param line  from 1
std::string indentation_fault(const std::string& text, int line);

}  // namespace nodia

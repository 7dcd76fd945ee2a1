/// Explains why a YAML parser rejected a text.
#pragma once

#include <string>

namespace nodia {

struct YamlFault {
  int line = 0;      ///< of the mistake, from 1; may be above the line where the parser stopped
  std::string text;  ///< what the line has and what it must have
};

/// The mistake in a text that the parser rejected: a bracket that is not closed, a missing comma, a
/// missing space behind a colon, or wrong indentation. For other mistakes the line and the parser's
/// words.
/// @param line, column  where the parser stopped, from 1 and from 0
YamlFault yaml_fault(const std::string& text, int line, int column, const std::string& parser_says);

}  // namespace nodia

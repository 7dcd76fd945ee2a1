/// Explains why a YAML parser rejected a text.
#pragma once

#include <string>

namespace nodia {

struct YamlFault {
  int line = 0;  ///< line of the mistake, from 1; may be above the line where the parser stopped
  std::string text;  ///< the mistake and the rule that it breaks
};

/// Finds the mistake in a text that the parser rejected: an open bracket, a missing comma, a
/// missing space after a colon, or wrong indentation. For other mistakes returns the parser's
/// message.
/// @param line, column  position at which the parser stopped, from 1 and from 0
/// @param parser_says   message of the parser
YamlFault yaml_fault(const std::string& text, int line, int column, const std::string& parser_says);

}  // namespace nodia

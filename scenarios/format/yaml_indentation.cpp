#include "scenarios/format/yaml_indentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace nodia {
namespace {

/// A line `key: value` of a block.
struct KeyLine {
  std::size_t indent = 0;
  std::string key;
  bool has_value = false;
};

/// @return false for blank lines, comments, and lines that do not begin with a key
bool parse_key_line(const std::string& line, KeyLine* result) {
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string::npos || line[indent] == '#') return false;
  const std::size_t colon = line.find(':', indent);
  if (colon == std::string::npos || (colon + 1 < line.size() && line[colon + 1] != ' '))
    return false;
  const std::size_t value = line.find_first_not_of(' ', colon + 1);
  *result = {indent, line.substr(indent, colon - indent),
             value != std::string::npos && line[value] != '#'};
  return true;
}

std::string spaces(std::size_t n) {
  return fmt::format("{} space{}", n, n == 1 ? "" : "s");
}

}  // namespace

std::string indentation_fault(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string at;
  std::vector<KeyLine> open;  // keys that contain the previous line, the outermost first
  for (int k = 1; k < line && std::getline(stream, at); ++k) {
    KeyLine key;
    if (!parse_key_line(at, &key)) continue;
    while (!open.empty() && open.back().indent >= key.indent) open.pop_back();
    open.push_back(key);
  }
  if (!std::getline(stream, at)) return "";
  const std::size_t first = at.find_first_not_of(' ');
  if (first != std::string::npos && at[first] == '\t')
    return "the line is indented with a tab (must be spaces)";
  KeyLine key;
  if (!parse_key_line(at, &key) || open.empty()) return "";
  const bool is_beside = std::any_of(open.begin(), open.end(),
                                     [&](const KeyLine& k) { return k.indent == key.indent; });
  const KeyLine& last = open.back();
  if (is_beside || (key.indent > last.indent && !last.has_value)) return "";
  std::string depths;
  for (const KeyLine& k : open)
    depths += fmt::format("{}{} ({})", depths.empty() ? "" : " or ", k.indent, k.key);
  return fmt::format("{} is indented by {} (must be as deep as a key above it: {})", key.key,
                     spaces(key.indent), depths);
}

}  // namespace nodia

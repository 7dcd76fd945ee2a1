#include "scenarios/format/yaml_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "scenarios/format/yaml_indentation.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

char closing(char bracket) {
  return bracket == '[' ? ']' : '}';
}

struct Bracket {
  char kind;
  int line;  ///< line number, from 1
};

/// Follows the brackets of flow collections through lines of YAML.
class BracketScanner {
 public:
  void scan(std::string_view line, int number) {
    char before =
        ':';  // last character that is not blank; a value may begin at the start of a line
    for (std::size_t k = 0; k < line.size(); ++k) {
      const char c = line[k];
      const bool begins_value = std::string_view(":,[{-").find(before) != std::string_view::npos;
      if (quote_ != 0) {
        if (c == '\\' && quote_ == '"') ++k;
        if (c == quote_) quote_ = 0;
      } else if (c == '#' && (k == 0 || line[k - 1] == ' ')) {
        return;
      } else if ((c == '"' || c == '\'') && begins_value) {
        quote_ = c;
      } else if ((c == '[' || c == '{') && begins_value) {
        open_.push_back({c, number});
      } else if (!open_.empty() && c == closing(open_.back().kind)) {
        open_.pop_back();
      }
      if (c != ' ') before = c;
    }
  }
  /// Brackets that are not closed, the innermost last.
  const std::vector<Bracket>& open() const { return open_; }

 private:
  std::vector<Bracket> open_;
  char quote_ = 0;
};

std::optional<YamlFault> bracket_fault(const std::vector<std::string>& lines, int line,
                                       int column) {
  BracketScanner scanner;
  const int last = std::min(line, static_cast<int>(lines.size()));
  for (int k = 1; k <= last; ++k) {
    const std::string_view whole = lines[static_cast<std::size_t>(k - 1)];
    scanner.scan(k < line ? whole : whole.substr(0, static_cast<std::size_t>(column)), k);
  }
  if (scanner.open().empty()) return std::nullopt;
  const Bracket at = scanner.open().back();
  const std::string& its_line = lines[static_cast<std::size_t>(at.line - 1)];
  BracketScanner alone;
  alone.scan(its_line, at.line);
  const std::string shown_line = shown(yaml_plain(trimmed(its_line)));
  if (alone.open().empty())
    return YamlFault{at.line,
                     fmt::format("{} (must have a comma between two entries)", shown_line)};
  return YamlFault{at.line, fmt::format("{} ('{}' must be closed with '{}')", shown_line, at.kind,
                                        closing(at.kind))};
}

/// Finds `key:value` without a space, which YAML reads as one word.
std::optional<YamlFault> colon_fault(const std::vector<std::string>& lines, int line) {
  for (const int k : {line, line - 1}) {
    if (k < 1 || k > static_cast<int>(lines.size())) continue;
    const std::string text = trimmed(lines[static_cast<std::size_t>(k - 1)]);
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) continue;
    const bool is_word = std::all_of(text.begin(), text.begin() + static_cast<long>(colon),
                                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!is_word || text[colon + 1] == ' ') continue;
    const std::string key = text.substr(0, colon), value = text.substr(colon + 1);
    return YamlFault{
        k, fmt::format("{} (must have a space behind the colon: `{}: {}`)", shown(yaml_plain(text)),
                       shown(yaml_plain(key)), shown(yaml_plain(value)))};
  }
  return std::nullopt;
}

}  // namespace

YamlFault yaml_fault(const std::string& text, int line, int column,
                     const std::string& parser_says) {
  const std::vector<std::string> lines = lines_of(text);
  if (parser_says.find("flow") != std::string::npos)
    if (const std::optional<YamlFault> fault = bracket_fault(lines, line, column)) return *fault;
  if (const std::optional<YamlFault> fault = colon_fault(lines, line)) return *fault;
  const std::string indentation = indentation_fault(text, line);
  if (!indentation.empty()) return {line, indentation};
  const bool has_line = line >= 1 && line <= static_cast<int>(lines.size());
  const std::string at = has_line ? trimmed(lines[static_cast<std::size_t>(line - 1)]) : "";
  return {line,
          at.empty() ? parser_says : fmt::format("{} ({})", shown(yaml_plain(at)), parser_says)};
}

}  // namespace nodia

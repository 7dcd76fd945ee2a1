#include "kernels/core/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "kernels/core/nearest_name.hpp"

namespace nodia {

std::string key_word(const std::string& name) {
  if (name.find_first_of(".=\"") == std::string::npos) return name;
  std::string word = "\"";
  for (const char c : name) word += c == '"' ? std::string(2, c) : std::string(1, c);
  return word + "\"";
}

void throw_unknown_word(const std::string& key, const std::string& text,
                        const std::vector<std::string>& known) {
  throw_bad_value(key, text, fmt::format("one of {}", fmt::join(known, ", ")),
                  similar_name_hint(text, known));
}

bool Range::contains(double value) const {
  return std::isfinite(value) && (low_open ? value > low : value >= low) &&
         (high_open ? value < high : value <= high);
}

std::string Range::rule() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (has_low && has_high)
    return fmt::format("in {}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
  if (has_low) return fmt::format("{} {}", low_open ? ">" : ">=", low);
  return "a finite number";
}

void KeyCheck::real(const Key& key, double& value, const Range& range) {
  require(range.contains(value), full(key), value, range.rule(), key.hint);
}

void KeyCheck::integer(const Key& key, int& value, int low, int high) {
  require(value >= low && value <= high, full(key), value, fmt::format("in [{}, {}]", low, high),
          key.hint);
}

void KeyCheck::word(const Key& key, std::string& value, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), value) == words.end())
    throw_unknown_word(full(key), value, words);
}

void KeyCheck::names(const Key& key, std::string& value, const std::vector<std::string>& known) {
  const std::vector<std::string> names = split_names(value);
  if (names.empty())
    throw_bad_value(full(key), value, "names with commas",
                    fmt::format("{}", fmt::join(known, ", ")));
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw_bad_value(full(key), value, fmt::format("of {}, with commas", fmt::join(known, ", ")),
                      fmt::format("{}: did you mean {}?", name, nearest_name(name, known)));
}

void KeyCheck::group(const Key& key, const std::function<void(KeyVisitor&)>& visit) {
  KeyCheck members(full(key));
  visit(members);
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
    names.push_back(first == std::string::npos ? "" : word.substr(first, last - first + 1));
  }
  return names;
}

}  // namespace nodia

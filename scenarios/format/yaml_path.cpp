#include "scenarios/format/yaml_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/core/key.hpp"

namespace nodia {
namespace {

constexpr const char* kRandomize = "randomize";

/// Removes the first name of a path and the dot after it. Returns the name.
std::string take_name(std::string_view* path) {
  std::string name;
  const bool is_quoted = path->starts_with('"');
  std::size_t k = is_quoted ? 1 : 0;
  for (; k < path->size(); ++k) {
    const char c = (*path)[k];
    if (is_quoted && c == '"') {
      if (k + 1 == path->size() || (*path)[k + 1] != '"') break;
      ++k;
    } else if (!is_quoted && c == '.') {
      break;
    }
    name += c;
  }
  path->remove_prefix(std::min(k + (is_quoted ? 2 : 1), path->size()));
  return name;
}

/// Deepest existing node along a path, and whether it is the end of the path.
std::pair<const YamlNode*, bool> follow(const YamlNode& root, const std::string& path) {
  const YamlNode* node = &root;
  for (const std::string& word : path_names(path)) {
    const YamlNode* next = node->find(word);
    if (!next && node->is_sequence())
      if (const auto index = index_of(word, node->children.size())) next = &node->children[*index];
    if (!next) return {node, false};
    node = next;
  }
  return {node, true};
}

}  // namespace

std::string joined(const std::string& path, const std::string& member) {
  if (path.empty()) return member;
  return path + "." + (path == kRandomize ? member : key_word(member));
}

std::string path_of_text(const std::string& list, std::size_t n, std::size_t k) {
  return n > 1 ? fmt::format("{}.{}", list, k) : list;
}

std::vector<std::string> path_names(const std::string& path) {
  std::vector<std::string> names;
  std::string_view left = path;
  while (!left.empty()) {
    if (names.size() == 1 && names[0] == kRandomize) {
      names.emplace_back(left);
      break;
    }
    names.push_back(take_name(&left));
  }
  if (path.empty() || path.ends_with('.')) names.emplace_back();
  return names;
}

std::optional<std::size_t> index_of(const std::string& name, std::size_t size) {
  if (name.empty() || name.size() > 8) return {};
  std::size_t index = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return {};
    index = 10 * index + static_cast<std::size_t>(c - '0');
  }
  if (index >= size) return {};
  return index;
}

void refuse_value(const YamlNode& node, const std::string& path, const std::string& rule,
                  const std::string& hint) {
  throw_bad_value(fmt::format("{}: {}", location(node), path), shown(node), rule, hint);
}

const YamlNode& nearest_node(const YamlNode& root, const std::string& path) {
  return *follow(root, path).first;
}

const YamlNode* find_node(const YamlNode& root, const std::string& path) {
  const auto [node, whole] = follow(root, path);
  return whole ? node : nullptr;
}

}  // namespace nodia

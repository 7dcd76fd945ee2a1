#include "scenarios/format/yaml_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

bool is_index(const std::string& word) {
  return !word.empty() && word.size() < 9 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The deepest node on the way along a path, and whether it is the path's end.
std::pair<const YamlNode*, bool> follow(const YamlNode& root, const std::string& path) {
  const YamlNode* node = &root;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string word = path.substr(begin, end - begin);
    const YamlNode* next = node->find(word);
    if (!next && node->is_sequence() && is_index(word) &&
        std::stoul(word) < node->children.size()) {
      next = &node->children[std::stoul(word)];
    }
    if (!next) return {node, false};
    node = next;
    begin = end + 1;
  }
  return {node, true};
}

}  // namespace

std::string joined(const std::string& path, const std::string& member) {
  return path.empty() ? member : path + "." + member;
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

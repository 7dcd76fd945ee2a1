#include "scenarios/format/yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/yaml_text.hpp"

namespace nodia {

const YamlNode* YamlNode::find(std::string_view name) const {
  if (!is_map()) return nullptr;
  for (const YamlNode& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view name) {
  return const_cast<YamlNode*>(static_cast<const YamlNode*>(this)->find(name));
}

std::string location(const YamlNode& node) {
  if (!node.source) return "scenario";
  return node.source->has_lines ? fmt::format("{}:{}", node.source->label, std::max(1, node.line))
                                : node.source->label;
}

std::string shown(const YamlNode& node) {
  if (node.kind == YamlKind::null) return "nothing";
  if (node.is_map()) return "{...}";
  std::string text = node.is_sequence() ? flow(node) : node.text;
  constexpr std::size_t kWidth = 60;
  const bool cut = text.size() > kWidth;
  if (cut) text.resize(kWidth);
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E) c = '?';
  }
  return cut ? text + "..." : text;
}

}  // namespace nodia

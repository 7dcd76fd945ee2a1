#include "scenarios/format/yaml_json.hpp"

#include <charconv>
#include <cstdint>

#include "kernels/core/number.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_scalar(const YamlNode& node) {
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  std::int64_t whole = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [last, code] = std::from_chars(node.text.data(), end, whole);
  if (code == std::errc() && last == end) return whole;
  if (const std::optional<double> number = parse_real(node.text)) return *number;
  return node.text;
}

}  // namespace

Json json_of(const YamlNode& node) {
  if (node.kind == YamlKind::null) return nullptr;
  if (node.kind == YamlKind::scalar) return json_of_scalar(node);
  Json json = node.is_map() ? Json::object() : Json::array();
  for (const YamlNode& child : node.children) {
    if (node.is_map())
      json[child.key] = json_of(child);
    else
      json.push_back(json_of(child));
  }
  return json;
}

}  // namespace nodia

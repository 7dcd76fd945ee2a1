#include "scenarios/format/document_keys.hpp"

#include <unordered_set>

#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

/// Keys without repetition, in the order in which they were found.
struct KeyList {
  std::vector<std::string> all;
  std::unordered_set<std::string> seen;
};

/// True if the file selects another alternative than this branch of the schema.
bool is_other_branch(const Json& branch, const YamlNode* node) {
  if (!node || !branch.contains("properties")) return false;
  for (const auto& [name, member] : branch["properties"].items()) {
    const YamlNode* chosen = member.contains("const") ? node->find(name) : nullptr;
    if (chosen && chosen->text != member["const"]) return true;
  }
  return false;
}

void list_keys(const Json& schema, const YamlNode* node, const std::string& path,
               Alternatives alternatives, KeyList* keys) {
  const auto list_member = [&](const std::string& name, const Json& member) {
    const std::string key = joined(path, name);
    if (keys->seen.insert(key).second) keys->all.push_back(key);
    list_keys(member, node ? node->find(name) : nullptr, key, alternatives, keys);
  };
  if (schema.contains("oneOf")) {
    for (const Json& branch : schema["oneOf"]) {
      if (alternatives == Alternatives::chosen && is_other_branch(branch, node)) continue;
      list_keys(branch, node, path, alternatives, keys);
    }
    return;
  }
  if (schema.contains("properties")) {
    for (const auto& [name, member] : schema["properties"].items()) list_member(name, member);
    return;
  }
  if (!node) return;
  if (schema.contains("additionalProperties")) {
    for (const YamlNode& child : node->children) {
      list_member(child.key, schema["additionalProperties"]);
    }
  }
  if (schema.contains("items") && node->is_sequence()) {
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      list_keys(schema["items"], &node->children[i], joined(path, std::to_string(i)), alternatives,
                keys);
    }
  }
}

}  // namespace

std::vector<std::string> DocumentKeys::known(const YamlNode& root,
                                             Alternatives alternatives) const {
  KeyList keys;
  list_keys(schema_, &root, "", alternatives, &keys);
  return keys.all;
}

std::vector<std::string> DocumentKeys::named_groups() const {
  std::vector<std::string> groups;
  for (const auto& [name, group] : schema_["properties"].items())
    if (group.contains("propertyNames")) groups.push_back(name);
  return groups;
}

bool DocumentKeys::adds_member(const std::vector<std::string>& words, const YamlNode& value) const {
  const Json* schema = &schema_;
  bool named = false;
  for (const std::string& word : words) {
    const auto properties = schema->find("properties");
    const bool own = properties != schema->end() && properties->contains(word);
    const auto others = schema->find("additionalProperties");
    named = !own && others != schema->end() && others->is_object();
    if (!own && !named) return false;
    schema = own ? &(*properties)[word] : &*others;
  }
  const bool group = schema->contains("oneOf") || schema->value("type", "") == "object";
  return named && (schema->contains("anyOf") || group == value.is_map());
}

}  // namespace nodia

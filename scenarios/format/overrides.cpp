#include "scenarios/format/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

/// Member of a group or a list with a name or an index; null if there is none.
YamlNode* member(YamlNode* node, const std::string& word) {
  if (YamlNode* found = node->find(word)) return found;
  const std::optional<std::size_t> index = index_of(word, node->children.size());
  return index ? &node->children[*index] : nullptr;
}

/// Known keys that the user may have meant, for a message. For a single word these are all keys
/// that end with it, those of the file first. For other keys it is the nearest key with the same
/// last word, or the nearest of all keys.
std::string meant_keys(const YamlNode& root, const std::string& key,
                       const std::vector<std::string>& known) {
  std::vector<std::string> same_word;
  for (const std::string& candidate : known)
    if (last_word(candidate) == last_word(key)) same_word.push_back(candidate);
  const bool is_single = path_names(key).size() == 1;
  if (!is_single || same_word.size() < 2)
    return nearest_name(key, same_word.empty() ? known : same_word);
  std::stable_partition(same_word.begin(), same_word.end(),
                        [&](const std::string& k) { return find_node(root, k) != nullptr; });
  constexpr std::size_t kShown = 5;
  const bool has_more = same_word.size() > kShown;
  same_word.resize(std::min(same_word.size(), kShown));
  const std::string last = same_word.back();
  same_word.pop_back();
  return fmt::format("{}{} {}", fmt::join(same_word, ", "), has_more ? "," : " or",
                     has_more ? last + ", ..." : last);
}

/// Keys `group.member` of all objects with this name.
std::vector<std::string> objects_named(const YamlNode& root, const DocumentKeys& keys,
                                       const std::string& name) {
  std::vector<std::string> objects;
  for (const std::string& group : keys.named_groups()) {
    const YamlNode* members = root.find(group);
    if (members && members->find(name)) objects.push_back(joined(group, name));
  }
  return objects;
}

/// Subset of the objects that may have the key, or a component of it.
std::vector<std::string> with_key(const YamlNode& root, const DocumentKeys& keys,
                                  const std::vector<std::string>& objects, const std::string& key) {
  const std::vector<std::string> known = keys.known(root, Alternatives::chosen);
  std::vector<std::string> found;
  for (const std::string& object : objects) {
    const std::string full = object + "." + key;
    const auto is_it = [&](const std::string& k) { return within(full, k) && !within(object, k); };
    if (std::any_of(known.begin(), known.end(), is_it)) found.push_back(object);
  }
  return found;
}

std::vector<std::string> all_checks(const YamlNode& root) {
  std::vector<std::string> checks;
  if (const YamlNode* group = root.find("checks"))
    for (const YamlNode& check : group->children) checks.push_back(joined("checks", check.key));
  return checks;
}

/// Expands a short key: `NAME.key` of the only object with this name, or `check.key` of the only
/// check that has the key. Other keys do not change.
/// @throws InputError if several objects or checks match, with their names, or if no check has the
///         key
std::string whole_key(const YamlNode& root, const DocumentKeys& keys, const std::string& key,
                      const YamlNode& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return key;
  const std::string name = key.substr(0, dot), rest = key.substr(dot + 1);
  const std::vector<std::string> known = keys.known(root);
  if (std::find(known.begin(), known.end(), name) != known.end()) return key;
  std::vector<std::string> objects = objects_named(root, keys, name);
  if (objects.size() == 1) return objects.front() + "." + rest;
  const bool any_check = objects.empty() && name == "check";
  if (objects.empty() && !any_check) return key;
  if (any_check) objects = all_checks(root);
  const std::vector<std::string> fitting = with_key(root, keys, objects, rest);
  if (fitting.size() == 1) return fitting.front() + "." + rest;
  const std::vector<std::string>& candidates = fitting.empty() ? objects : fitting;
  throw InputError(fmt::format("{}: {} ({}; {})", location(value), shown(yaml_plain(key)),
                               fitting.empty() ? fmt::format("none of them has the key {}", rest)
                                               : "several objects have it",
                               candidates.empty()
                                   ? "there is no check"
                                   : fmt::format("write {}", fmt::join(candidates, " or "))));
}

/// Position of the first '=' outside of quotes.
std::size_t find_equals(const std::string& argument) {
  bool is_quoted = false;
  for (std::size_t k = 0; k < argument.size(); ++k) {
    if (argument[k] == '"') is_quoted = !is_quoted;
    if (argument[k] == '=' && !is_quoted) return k;
  }
  return std::string::npos;
}

}  // namespace

bool within(const std::string& key, const std::string& group) {
  return key == group || (key.size() > group.size() && key.compare(0, group.size(), group) == 0 &&
                          key[group.size()] == '.');
}

std::string last_word(const std::string& key) {
  return path_names(key).back();
}

std::string put(YamlNode* root, const DocumentKeys& keys, const std::string& key, YamlNode value) {
  const std::vector<std::string> words = path_names(key);
  YamlNode* node = root;
  std::string path;
  std::size_t k = 0;
  while (k < words.size()) {
    YamlNode* next = member(node, words[k]);
    if (!next) break;
    path = joined(path, node->is_map() ? next->key : words[k]);
    node = next;
    ++k;
  }
  if (k < words.size()) {
    std::string full = path;
    for (std::size_t i = k; i < words.size(); ++i) full = joined(full, words[i]);
    const std::vector<std::string> known = keys.known(*root);
    const bool is_known = std::find(known.begin(), known.end(), full) != known.end();
    if (!is_known && !keys.adds_member(words, value)) {
      throw InputError(fmt::format("{}: {} (unknown key; did you mean {}?)", location(value),
                                   shown(yaml_plain(full)), meant_keys(*root, full, known)));
    }
    for (; k < words.size(); ++k) {
      if (!node->is_map()) {
        if (node->kind != YamlKind::null) {
          refuse_value(*node, path, "a group of keys", "write key: value");
        }
        node->kind = YamlKind::map;
      }
      YamlNode child;
      child.key = words[k];
      child.source = value.source;
      node->children.push_back(std::move(child));
      node = &node->children.back();
      path = joined(path, words[k]);
    }
  }
  value.key = node->key;
  *node = std::move(value);
  return path;
}

std::string apply_override(YamlNode* root, const DocumentKeys& keys, const std::string& argument) {
  const std::size_t equals = find_equals(argument);
  auto source = std::make_shared<YamlSource>();
  source->label = "--set " + shown(yaml_plain(argument));
  source->directory = std::filesystem::current_path();
  source->has_lines = false;
  if (equals == std::string::npos || equals == 0) {
    throw InputError(
        fmt::format("{} (must be key=value; e.g. --set time.step_s=0.005)", source->label));
  }
  YamlNode value = parse_yaml(argument.substr(equals + 1), source);
  value.source = source;
  const std::string key = whole_key(*root, keys, argument.substr(0, equals), value);
  return put(root, keys, key, std::move(value));
}

}  // namespace nodia

#include "scenarios/loader/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/loader/reader.hpp"
#include "scenarios/loader/schema.hpp"

namespace nodia {
namespace {

/// Words of a dotted key; the keys of `randomize` have dots of their own.
std::vector<std::string> split(const std::string& key) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (true) {
    const bool whole = words.size() == 1 && words[0] == "randomize";
    const std::size_t end = whole ? std::string::npos : key.find('.', begin);
    words.push_back(key.substr(begin, end - begin));
    if (end == std::string::npos) return words;
    begin = end + 1;
  }
}

std::optional<std::size_t> index_of(const std::string& word, std::size_t size) {
  if (word.empty() || word.size() > 8) return {};
  std::size_t index = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return {};
    index = 10 * index + static_cast<std::size_t>(c - '0');
  }
  if (index >= size) return {};
  return index;
}

/// The member of a group or list that a word names, by name or by index, or null.
YamlNode* member(YamlNode* node, const std::string& word) {
  if (YamlNode* found = node->find(word)) return found;
  const std::optional<std::size_t> index = index_of(word, node->children.size());
  return index ? &node->children[*index] : nullptr;
}

std::string last_word(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

/// The known key that was meant: one with the same last word, else the nearest as a whole.
std::string nearest_key(const std::string& key, const std::vector<std::string>& known) {
  std::vector<std::string> same_word;
  for (const std::string& candidate : known) {
    if (last_word(candidate) == last_word(key)) same_word.push_back(candidate);
  }
  return nearest_name(key, same_word.empty() ? known : same_word);
}

bool within(const std::string& key, const std::string& group) {
  return key == group || (key.size() > group.size() && key.compare(0, group.size(), group) == 0 &&
                          key[group.size()] == '.');
}

/// Groups of the top level whose members have names.
constexpr std::array<const char*, 8> kNamedGroups = {
    "bodies", "rigid_bodies", "cables", "robots", "obstacles", "mounts", "attachments", "checks"};

bool adds_member(const std::vector<std::string>& words, const YamlNode& value) {
  if (words.size() == 2) {
    if (words[0] == "randomize") return true;
    return value.is_map() &&
           std::find(kNamedGroups.begin(), kNamedGroups.end(), words[0]) != kNamedGroups.end();
  }
  if (words.size() != 4 || words[0] != "robots") return false;
  return value.is_map() ? words[2] == "joint_drives" || words[2] == "pose_drives" : words[2] == "q";
}

/// Keys `group.member` of the objects of this name in the tree.
std::vector<std::string> objects_named(const YamlNode& root, const std::string& name) {
  std::vector<std::string> objects;
  for (const char* group : kNamedGroups) {
    const YamlNode* members = root.find(group);
    if (members && members->find(name)) objects.push_back(joined(group, name));
  }
  return objects;
}

/// Those of the objects that may have the key, or a component of it.
std::vector<std::string> with_key(const YamlNode& root, const std::vector<std::string>& objects,
                                  const std::string& key) {
  const std::vector<std::string> known = known_keys(root, Alternatives::chosen);
  std::vector<std::string> found;
  for (const std::string& object : objects) {
    const std::string full = joined(object, key);
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

/// The whole key that a short one stands for: `NAME.key` of the one object of that name, and
/// `check.key` of the one check that has the key; any other key as it is.
/// @throws InputError where there are several of them, naming them, or no check has the key
std::string whole_key(const YamlNode& root, const std::string& key, const YamlNode& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return key;
  const std::string name = key.substr(0, dot), rest = key.substr(dot + 1);
  const std::vector<std::string> known = known_keys(root);
  if (std::find(known.begin(), known.end(), name) != known.end()) return key;
  std::vector<std::string> objects = objects_named(root, name);
  if (objects.size() == 1) return joined(objects.front(), rest);
  const bool any_check = objects.empty() && name == "check";
  if (objects.empty() && !any_check) return key;
  if (any_check) objects = all_checks(root);
  const std::vector<std::string> fitting = with_key(root, objects, rest);
  if (fitting.size() == 1) return joined(fitting.front(), rest);
  const std::vector<std::string>& candidates = fitting.empty() ? objects : fitting;
  throw InputError(fmt::format("{}: {} ({}; {})", location(value), shown(yaml_plain(key)),
                               fitting.empty() ? fmt::format("none of them has the key {}", rest)
                                               : "several objects have it",
                               candidates.empty()
                                   ? "there is no check"
                                   : fmt::format("write {}", fmt::join(candidates, " or "))));
}

/// Puts a value at a key that is known, making the groups on the way.
/// @return the key, indices of named members replaced by their names
/// @throws InputError where the key is unknown
std::string put(YamlNode* root, const std::string& key, YamlNode value) {
  const std::vector<std::string> words = split(key);
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
    const std::vector<std::string> known = known_keys(*root);
    const bool is_known = std::find(known.begin(), known.end(), full) != known.end();
    if (!is_known && !adds_member(words, value)) {
      throw InputError(fmt::format("{}: {} (unknown key; did you mean {}?)", location(value),
                                   shown(yaml_plain(full)), nearest_key(full, known)));
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

/// SplitMix64's output function: a bijection of 64 bits that mixes them well.
std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::vector<RandomRange> ranges_of(const YamlNode& root) {
  return read_document(root).randomize;
}

/// A known key, or a component of one that holds several numbers: `bodies.mat.velocity_m_s.0`.
bool is_number_key(const YamlNode& root, const std::string& path) {
  const std::vector<std::string> known = known_keys(root);
  const auto is_known = [&](const std::string& key) {
    return std::find(known.begin(), known.end(), key) != known.end();
  };
  const std::string group = path.substr(0, path.rfind('.'));
  return is_known(path) || (index_of(last_word(path), 6) && is_known(group));
}

YamlNode drawn_node(double value, const YamlNode& range) {
  YamlNode node = yaml_scalar(value);
  node.line = range.line;
  node.source = range.source;
  return node;
}

void remove_member(YamlNode* root, const std::string& name) {
  std::erase_if(root->children, [&](const YamlNode& child) { return child.key == name; });
}

}  // namespace

std::string apply_override(YamlNode* root, const std::string& argument) {
  const std::size_t equals = argument.find('=');
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
  const std::string key = whole_key(*root, argument.substr(0, equals), value);
  return put(root, key, std::move(value));
}

double draw_unit(std::uint64_t seed, const std::string& key) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return static_cast<double>(mix(mix(seed) ^ hash) >> 11) * 0x1p-53;
}

void remove_set_ranges(YamlNode* root, const std::vector<std::string>& set) {
  YamlNode* const ranges = root->find("randomize");
  if (!ranges) return;
  std::erase_if(ranges->children, [&](const YamlNode& range) {
    return std::any_of(set.begin(), set.end(), [&](const std::string& key) {
      return within(key, range.key) || within(range.key, key);
    });
  });
}

std::vector<DrawnValue> draw_values(YamlNode* root, std::uint64_t seed) {
  std::vector<DrawnValue> drawn;
  for (const RandomRange& range : ranges_of(*root)) {
    const double value = range.low + draw_unit(seed, range.key) * (range.high - range.low);
    put(root, range.key, drawn_node(value, *root->find("randomize")->find(range.key)));
    drawn.push_back({range.key, value});
  }
  remove_member(root, "randomize");
  return drawn;
}

void require_good_ranges(const YamlNode& root) {
  for (const RandomRange& range : ranges_of(root)) {
    const YamlNode& written = *root.find("randomize")->find(range.key);
    const std::string where =
        fmt::format("{}: randomize.{}", location(written), shown(yaml_plain(range.key)));
    for (const double end : {range.low, range.high}) {
      YamlNode tried = root;
      remove_member(&tried, "randomize");
      try {
        const std::string path = put(&tried, range.key, drawn_node(end, written));
        if (path != range.key) throw InputError(fmt::format("write {}", path));
        if (!is_number_key(tried, path)) throw InputError("only a single number can be drawn");
        read_document(tried);
      } catch (const InputError& error) {
        throw InputError(fmt::format("{} = {} (must be a known number and its range; {})", where,
                                     shown(written), error.what()));
      }
    }
  }
}

}  // namespace nodia

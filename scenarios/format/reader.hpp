/// Reads groups of keys from a YAML tree and rejects unknown keys and bad values.
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/core/pose.hpp"
#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_path.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

/// Prefix of the name of a file in a package: package://NAME/PATH.
inline constexpr std::string_view kPackagePrefix = "package://";

/// Reader of one group of keys. All functions throw InputError for a value that breaks a rule.
class Reader {
 public:
  /// @param path  dotted path of the group, for messages; empty at the top level
  Reader(const YamlNode& group, std::string path);

  void real(const Key& key, double& value, const Range& range);
  void integer(const Key& key, int& value, int low, int high);
  void unsigned_64(const Key& key, std::uint64_t& value);
  void boolean(const Key& key, bool& value);
  void text(const Key& key, std::string& value);
  /// Reads a list of texts that are not empty. A single text needs no brackets.
  void texts(const Key& key, std::vector<std::string>& value);
  /// Reads a path and makes it absolute.
  void file(const Key& key, std::string& value);
  void vector(const Key& key, Vec3d& value, const Range& range);
  /// Reads a list of numbers. @param sizes  allowed lengths
  void numbers(const Key& key, std::vector<double>& value, const std::vector<std::size_t>& sizes,
               const Range& range);
  /// Reads a list of at least two positions.
  void points(const Key& key, std::vector<Vec3d>& value);
  /// Reads a map from arbitrary names to numbers.
  void numbers_by_name(const Key& key, std::vector<NamedNumber>& value);
  void folders_by_name(const Key& key, std::map<std::string, std::string>& value);
  void cells(const Key& key, std::array<int, 3>& value, int low, int high);
  /// Reads a quaternion of unit length within 1e-3. The user of the value must normalise it.
  void quaternion(const Key& key, Quaternion& value);
  /// Reads a list of at least one value of any kind.
  void values(const Key& key, std::vector<YamlNode>& value);
  /// Reads a map from dotted keys to rules: [low, high], `rotation`, or the keys of a DrawRule.
  void draw_rules(const Key& key, std::vector<DrawRule>& value);
  /// The group must have exactly one key. @param what  hint of the message
  void exactly_one(const char* what);

  template <class E>
  void choice(const Key& key, E& value, const Choices<E>& choices) {
    const YamlNode* node = take(key);
    if (!node) return;
    std::vector<std::string> names;
    for (const auto& [name, choice] : choices) {
      if (node->kind == YamlKind::scalar && node->text == name) {
        value = choice;
        return;
      }
      names.push_back(name);
    }
    refuse_choice(*node, names);
  }

  template <class T, class Read>
  void optional(const Key& key, std::optional<T>& value, const Read& read) {
    if (group_.find(key.name))
      read(key, value.emplace());
    else
      known_.push_back(key.name);
  }

  template <class T>
  void group(const Key& key, T& value) {
    if (const YamlNode* node = take(key)) read_group(*node, value);
  }

  /// Reads a map of named objects.
  template <class T>
  void named(const Key& key, std::vector<T>& value) {
    const YamlNode* node = take(key);
    if (!node || node->kind == YamlKind::null) return;
    if (!node->is_map()) refuse(*node, "a map of names", "e.g. floor: {shape: half_space}");
    for (const YamlNode& child : node->children) {
      if constexpr (!HasForeignName<T>) require_name(child, joined(path_of(*node), child.key));
      if (child.kind != YamlKind::map && child.kind != YamlKind::null)
        refuse_value(child, joined(path_of(*node), child.key), "a name with a group of keys",
                     "e.g. my_name: {key: value}");
      value.emplace_back().name = child.key;
      Reader reader(child, joined(path_of(*node), child.key));
      visit_keys(reader, value.back());
      reader.finish();
    }
  }

  template <class T>
  void list(const Key& key, std::vector<T>& value) {
    const YamlNode* node = take(key);
    if (!node || node->kind == YamlKind::null) return;
    if (!node->is_sequence()) refuse(*node, "a list", "e.g. [{...}, {...}]");
    for (const YamlNode& child : node->children) {
      Reader reader(child, joined(path_of(*node), std::to_string(value.size())));
      visit_keys(reader, value.emplace_back());
      reader.finish();
    }
  }

  /// Reads an alternative. The value of the key is the kName of the alternative, whose keys are in
  /// the same group.
  template <class... Ts>
  void tagged(const Key& key, std::variant<Ts...>& value) {
    const YamlNode* node = take(key);
    if (!node) return;
    const bool found = ((node->kind == YamlKind::scalar && node->text == Ts::kName &&
                         (visit_keys(*this, value.template emplace<Ts>()), true)) ||
                        ...);
    if (!found) refuse_choice(*node, {Ts::kName...});
  }

  /// Rejects missing required keys and unknown keys. Must be called last. The message of a missing
  /// key names the unknown key that may be a misspelling of it.
  void finish() const;

 private:
  template <class T>
  void read_group(const YamlNode& node, T& value) const {
    Reader reader(node, path_of(node));
    visit_keys(reader, value);
    reader.finish();
  }

  /// Value of a key; null if it is absent.
  const YamlNode* take(const Key& key);
  [[noreturn]] void refuse_missing() const;
  bool is_known(const YamlNode& child) const;
  std::string file_path(const YamlNode& node, const std::string& key, const std::string& rule,
                        const std::string& hint) const;
  std::string path_of(const YamlNode& node) const { return joined(path_, node.key); }
  double number(const YamlNode& node, const std::string& path, const Range& range,
                const char* hint) const;
  std::int64_t whole_number(const YamlNode& node, const std::string& path, std::int64_t low,
                            std::int64_t high, const char* hint) const;
  std::array<double, 4> tuple(const YamlNode& node, const std::string& path, std::size_t n,
                              const Range& range, const char* hint) const;
  void require_name(const YamlNode& node, const std::string& path) const;
  [[noreturn]] void refuse(const YamlNode& node, const std::string& rule,
                           const std::string& hint) const;
  [[noreturn]] void refuse_choice(const YamlNode& node,
                                  const std::vector<std::string>& names) const;

  const YamlNode& group_;
  std::string path_;
  std::vector<std::string> known_;
  std::optional<Key> missing_;  ///< first missing required key
};

}  // namespace nodia

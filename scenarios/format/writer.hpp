/// Writes groups of keys as a YAML tree: every key with its value. Absent values and empty groups
/// of named objects are left out.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "kernels/core/pose.hpp"
#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

class Writer {
 public:
  Writer() { map_.kind = YamlKind::map; }

  void real(const Key& key, double value, const Range&) { add(key, yaml_scalar(value)); }
  void integer(const Key& key, int value, int, int) { add(key, yaml_plain(std::to_string(value))); }
  void unsigned_64(const Key& key, std::uint64_t value) {
    add(key, yaml_plain(std::to_string(value)));
  }
  void boolean(const Key& key, bool value) { add(key, yaml_plain(value ? "true" : "false")); }
  void text(const Key& key, const std::string& value) { add(key, yaml_text(value)); }
  void texts(const Key& key, const std::vector<std::string>& values) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    for (const std::string& value : values) node.children.push_back(yaml_text(value));
    add(key, std::move(node));
  }
  void file(const Key& key, const std::string& value) { add(key, yaml_text(value)); }
  void vector(const Key& key, Vec3d v, const Range&) { add(key, sequence({v.x, v.y, v.z})); }
  void quaternion(const Key& key, Quaternion q) { add(key, sequence({q.w, q.x, q.y, q.z})); }
  void numbers(const Key& key, const std::vector<double>& values, const std::vector<std::size_t>&,
               const Range&) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    for (const double value : values) node.children.push_back(yaml_scalar(value));
    add(key, std::move(node));
  }
  void points(const Key& key, const std::vector<Vec3d>& points) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    for (const Vec3d p : points) node.children.push_back(sequence({p.x, p.y, p.z}));
    add(key, std::move(node));
  }
  void numbers_by_name(const Key& key, const std::vector<NamedNumber>& numbers) {
    Writer group;
    for (const NamedNumber& n : numbers) group.add({n.name.c_str(), ""}, yaml_scalar(n.value));
    add(key, group.map_);
  }
  void folders_by_name(const Key& key, const std::map<std::string, std::string>& folders) {
    if (folders.empty()) return;
    Writer group;
    for (const auto& [name, folder] : folders) group.add({name.c_str(), ""}, yaml_text(folder));
    add(key, group.map_);
  }
  void cells(const Key& key, const std::array<int, 3>& n, int, int) {
    add(key, sequence({double(n[0]), double(n[1]), double(n[2])}));
  }
  void values(const Key& key, const std::vector<YamlNode>& values) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    node.children = values;
    add(key, std::move(node));
  }
  void draw_rules(const Key& key, std::vector<DrawRule>& rules) {
    if (rules.empty()) return;
    Writer group;
    for (DrawRule& rule : rules) {
      YamlNode node = written(rule);
      if (rule.uniform) node = YamlNode(node.children.front());  // a copy: node is its parent
      if (rule.rotation && node.children.front().children.empty()) node = yaml_text("rotation");
      group.add({rule.key.c_str(), ""}, std::move(node));
    }
    add(key, group.map_);
  }
  void exactly_one(const char*) {}

  template <class E>
  void choice(const Key& key, E value, const Choices<E>& choices) {
    for (const auto& [name, choice] : choices) {
      if (choice == value) add(key, yaml_text(name));
    }
  }
  template <class T, class Write>
  void optional(const Key& key, std::optional<T>& value, const Write& write) {
    if (value) write(key, *value);
  }
  template <class T>
  void group(const Key& key, T& value) {
    add(key, written(value));
  }
  template <class T>
  void named(const Key& key, std::vector<T>& value) {
    if (value.empty()) return;
    Writer group;
    for (T& member : value) group.add({member.name.c_str(), ""}, written(member));
    add(key, group.map_);
  }
  template <class T>
  void list(const Key& key, std::vector<T>& value) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    for (T& item : value) node.children.push_back(written(item));
    add(key, node);
  }
  template <class... Ts>
  void tagged(const Key& key, std::variant<Ts...>& value) {
    std::visit(
        [&](auto& alternative) {
          add(key, yaml_text(alternative.kName));
          visit_keys(*this, alternative);
        },
        value);
  }

  template <class T>
  static YamlNode written(T& value) {
    Writer writer;
    visit_keys(writer, value);
    return std::move(writer.map_);
  }

 private:
  static YamlNode sequence(std::initializer_list<double> values) {
    YamlNode node;
    node.kind = YamlKind::sequence;
    for (const double value : values) node.children.push_back(yaml_scalar(value));
    return node;
  }
  void add(const Key& key, YamlNode value) {
    value.key = key.name;
    map_.children.push_back(std::move(value));
  }

  YamlNode map_;
};

}  // namespace nodia

#include "scenarios/format/writer.hpp"

#include <algorithm>
#include <utility>

namespace nodia {
namespace {

/// A list of nodes. @param node_of  node_of(element)
template <class List, class NodeOf>
YamlNode sequence_of(const List& list, const NodeOf& node_of) {
  YamlNode node;
  node.kind = YamlKind::sequence;
  for (const auto& element : list) node.children.push_back(node_of(element));
  return node;
}

YamlNode sequence(std::initializer_list<double> values) {
  return sequence_of(values, [](double value) { return yaml_scalar(value); });
}

YamlNode vector_node(Vec3d v) {
  return sequence({v.x, v.y, v.z});
}

}  // namespace

void Writer::add(const std::string& name, YamlNode value) {
  value.key = name;
  map_.children.push_back(std::move(value));
}

void Writer::real(const Key& key, double& value, const Range&) {
  add(key.name, yaml_scalar(value));
}

void Writer::integer(const Key& key, int& value, int, int) {
  add(key.name, yaml_plain(std::to_string(value)));
}

void Writer::boolean(const Key& key, bool& value) {
  add(key.name, yaml_plain(value ? "true" : "false"));
}

void Writer::text(const Key& key, std::string& value) {
  add(key.name, yaml_text(value));
}

void Writer::word(const Key& key, std::string& value, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), value) != words.end()) text(key, value);
}

void Writer::unsigned_64(const Key& key, std::uint64_t& value) {
  add(key.name, yaml_plain(std::to_string(value)));
}

void Writer::texts(const Key& key, std::vector<std::string>& value) {
  add(key.name, sequence_of(value, [](const std::string& text) { return yaml_text(text); }));
}

void Writer::file(const Key& key, std::string& value) {
  text(key, value);
}

void Writer::vector(const Key& key, Vec3d& value, const Range&) {
  add(key.name, vector_node(value));
}

void Writer::quaternion(const Key& key, Quaternion& value) {
  add(key.name, sequence({value.w, value.x, value.y, value.z}));
}

void Writer::numbers(const Key& key, std::vector<double>& value, const std::vector<std::size_t>&,
                     const Range&) {
  add(key.name, sequence_of(value, [](double number) { return yaml_scalar(number); }));
}

void Writer::points(const Key& key, std::vector<Vec3d>& value) {
  add(key.name, sequence_of(value, vector_node));
}

void Writer::numbers_by_name(const Key& key, std::vector<NamedNumber>& value) {
  Writer group;
  for (const NamedNumber& n : value) group.add(n.name, yaml_scalar(n.value));
  add(key.name, std::move(group.map_));
}

void Writer::folders_by_name(const Key& key, std::map<std::string, std::string>& value) {
  if (value.empty()) return;
  Writer group;
  for (const auto& [name, folder] : value) group.add(name, yaml_text(folder));
  add(key.name, std::move(group.map_));
}

void Writer::cells(const Key& key, std::array<int, 3>& value, int, int) {
  add(key.name, sequence_of(value, [](int n) { return yaml_scalar(n); }));
}

void Writer::values(const Key& key, std::vector<YamlNode>& value) {
  add(key.name, sequence_of(value, [](const YamlNode& node) { return node; }));
}

void Writer::draw_rules(const Key& key, std::vector<DrawRule>& value) {
  if (value.empty()) return;
  Writer group;
  for (DrawRule& rule : value) {
    YamlNode node = written(rule);
    if (rule.uniform) node = YamlNode(node.children.front());  // not from itself
    if (rule.rotation && node.children.front().children.empty()) node = yaml_text("rotation");
    group.add(rule.key, std::move(node));
  }
  add(key.name, std::move(group.map_));
}

DocumentVisitor::OptionalValue Writer::begin_optional(const Key&, bool has_value) {
  return has_value ? OptionalValue::present : OptionalValue::left_out;
}

void Writer::visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) {
  Writer group;
  visit(group);
  add(key.name, std::move(group.map_));
}

void Writer::visit_named(const Key& key, GroupList& groups) {
  if (groups.size() == 0) return;
  Writer all;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    Writer group;
    groups.visit(group, k);
    all.add(groups.name(k), std::move(group.map_));
  }
  add(key.name, std::move(all.map_));
}

void Writer::visit_list(const Key& key, GroupList& groups) {
  YamlNode node;
  node.kind = YamlKind::sequence;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    Writer group;
    groups.visit(group, k);
    node.children.push_back(std::move(group.map_));
  }
  add(key.name, std::move(node));
}

void Writer::visit_tagged(const Key& key, TaggedGroup& group) {
  add(key.name, yaml_text(group.names()[group.chosen()]));
  group.visit(*this);
}

}  // namespace nodia

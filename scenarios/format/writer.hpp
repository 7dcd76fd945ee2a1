/// Writes groups of keys as a YAML tree: every key with its value. Leaves out absent values and
/// empty groups of named objects.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {

class Writer final : public DocumentVisitor {
 public:
  Writer() { map_.kind = YamlKind::map; }

  /// The group as a map.
  template <class T>
  static YamlNode written(T& value) {
    Writer writer;
    visit_keys(writer, value);
    return std::move(writer.map_);
  }

  void real(const Key& key, double& value, const Range& range) override;
  void integer(const Key& key, int& value, int low, int high) override;
  void boolean(const Key& key, bool& value) override;
  void text(const Key& key, std::string& value) override;
  void word(const Key& key, std::string& value, const std::vector<std::string>& words) override;
  void unsigned_64(const Key& key, std::uint64_t& value) override;
  void texts(const Key& key, std::vector<std::string>& value) override;
  void file(const Key& key, std::string& value) override;
  void vector(const Key& key, Vec3d& value, const Range& range) override;
  void quaternion(const Key& key, Quaternion& value) override;
  void numbers(const Key& key, std::vector<double>& value, const std::vector<std::size_t>& sizes,
               const Range& range) override;
  void points(const Key& key, std::vector<Vec3d>& value) override;
  void numbers_by_name(const Key& key, std::vector<NamedNumber>& value) override;
  void folders_by_name(const Key& key, std::map<std::string, std::string>& value) override;
  void cells(const Key& key, std::array<int, 3>& value, int low, int high) override;
  void values(const Key& key, std::vector<YamlNode>& value) override;
  void draw_rules(const Key& key, std::vector<DrawRule>& value) override;
  void exactly_one(const char*) override {}

 protected:
  OptionalValue begin_optional(const Key& key, bool has_value) override;
  void visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) override;
  void visit_named(const Key& key, GroupList& groups) override;
  void visit_list(const Key& key, GroupList& groups) override;
  void visit_tagged(const Key& key, TaggedGroup& group) override;

 private:
  void add(const std::string& name, YamlNode value);

  YamlNode map_;
};

}  // namespace nodia

/// Builds a JSON Schema (draft 2020-12) from groups of keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/format/visitor.hpp"

namespace nodia {

using Json = nlohmann::ordered_json;

/// Visits a group of keys with its defaults.
class SchemaBuilder final : public DocumentVisitor {
 public:
  template <class T>
  static Json schema_of() {
    T value{};
    SchemaBuilder builder;
    visit_keys(builder, value);
    return builder.finish();
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
  void exactly_one(const char*) override { exactly_one_ = true; }

 protected:
  OptionalValue begin_optional(const Key& key, bool has_value) override;
  void end_description() override { with_default_ = true; }
  void visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) override;
  void visit_named(const Key& key, GroupList& groups) override;
  void visit_list(const Key& key, GroupList& groups) override;
  void visit_tagged(const Key& key, TaggedGroup& group) override;

 private:
  Json finish() const;
  void add(const Key& key, Json schema, const Json& value = {});

  Json properties_ = Json::object();
  Json required_ = Json::array();
  std::vector<SchemaBuilder> branches_;
  bool exactly_one_ = false;
  bool with_default_ = true;
};

}  // namespace nodia

#include "scenarios/format/schema_builder.hpp"

#include <cmath>
#include <utility>

#include "scenarios/format/draw_rule.hpp"

namespace nodia {
namespace {

Json number_schema(const Range& range) {
  Json schema = {{"type", "number"}};
  if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high))
    schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
  return schema;
}

Json integer_schema(int low, int high) {
  return {{"type", "integer"}, {"minimum", low}, {"maximum", high}};
}

Json array_schema(Json items, int n) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", n}, {"maxItems", n}};
}

Json list_schema(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

/// Schema of a map with any names.
Json map_schema(Json members) {
  return {{"type", "object"}, {"additionalProperties", std::move(members)}};
}

/// Schema of a map with these names alone.
Json closed_schema(const Json& properties, const Json& required) {
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

}  // namespace

Json SchemaBuilder::finish() const {
  if (branches_.empty()) {
    Json schema = closed_schema(properties_, required_);
    if (exactly_one_) schema["minProperties"] = schema["maxProperties"] = 1;
    return schema;
  }
  Json one_of = Json::array();
  for (const SchemaBuilder& branch : branches_) {
    Json properties = branch.properties_;
    properties.update(properties_);
    Json required = branch.required_;
    required.insert(required.end(), required_.begin(), required_.end());
    one_of.push_back(closed_schema(properties, required));
  }
  return {{"type", "object"}, {"oneOf", one_of}};
}

/// @param value  default; null: none
void SchemaBuilder::add(const Key& key, Json schema, const Json& value) {
  if (*key.meaning) schema["description"] = key.meaning;
  if (key.required)
    required_.push_back(key.name);
  else if (with_default_ && !value.is_null() && value != "")
    schema["default"] = value;
  properties_[key.name] = std::move(schema);
}

void SchemaBuilder::real(const Key& key, double& value, const Range& range) {
  add(key, number_schema(range), value);
}

void SchemaBuilder::integer(const Key& key, int& value, int low, int high) {
  add(key, integer_schema(low, high), value);
}

void SchemaBuilder::boolean(const Key& key, bool& value) {
  add(key, {{"type", "boolean"}}, value);
}

void SchemaBuilder::text(const Key& key, std::string& value) {
  add(key, {{"type", "string"}}, value);
}

void SchemaBuilder::word(const Key& key, std::string& value,
                         const std::vector<std::string>& words) {
  add(key, {{"enum", words}}, value);
}

void SchemaBuilder::unsigned_64(const Key& key, std::uint64_t& value) {
  add(key, {{"type", "integer"}, {"minimum", 0}}, value);
}

void SchemaBuilder::texts(const Key& key, std::vector<std::string>&) {
  const Json text = {{"type", "string"}, {"minLength", 1}};
  add(key, {{"anyOf", Json::array({text, list_schema(text)})}});
}

void SchemaBuilder::file(const Key& key, std::string& value) {
  add(key, {{"type", "string"}, {"minLength", 1}}, value);
}

void SchemaBuilder::vector(const Key& key, Vec3d& value, const Range& range) {
  add(key, array_schema(number_schema(range), 3), {value.x, value.y, value.z});
}

void SchemaBuilder::quaternion(const Key& key, Quaternion& value) {
  add(key, array_schema(number_schema(Range::any()), 4), {value.w, value.x, value.y, value.z});
}

void SchemaBuilder::numbers(const Key& key, std::vector<double>&,
                            const std::vector<std::size_t>& sizes, const Range& range) {
  Json any_of = Json::array();
  for (const std::size_t size : sizes)
    any_of.push_back(array_schema(number_schema(range), static_cast<int>(size)));
  add(key, {{"anyOf", any_of}});
}

void SchemaBuilder::points(const Key& key, std::vector<Vec3d>&) {
  Json schema = list_schema(array_schema(number_schema(Range::any()), 3));
  schema["minItems"] = 2;
  add(key, std::move(schema));
}

void SchemaBuilder::numbers_by_name(const Key& key, std::vector<NamedNumber>&) {
  add(key, map_schema({{"type", "number"}}));
}

void SchemaBuilder::folders_by_name(const Key& key, std::map<std::string, std::string>&) {
  add(key, map_schema({{"type", "string"}}));
}

void SchemaBuilder::cells(const Key& key, std::array<int, 3>& value, int low, int high) {
  add(key, array_schema(integer_schema(low, high), 3), value);
}

void SchemaBuilder::values(const Key& key, std::vector<YamlNode>&) {
  add(key, {{"type", "array"}, {"minItems", 1}});
}

void SchemaBuilder::draw_rules(const Key& key, std::vector<DrawRule>&) {
  Json rule = schema_of<DrawRule>();
  rule["minProperties"] = 1;
  const Json forms =
      Json::array({array_schema({{"type", "number"}}, 2), {{"const", "rotation"}}, rule});
  add(key, map_schema({{"anyOf", forms}}));
}

DocumentVisitor::OptionalValue SchemaBuilder::begin_optional(const Key&, bool) {
  with_default_ = false;
  return OptionalValue::described;
}

void SchemaBuilder::visit_group(const Key& key,
                                const std::function<void(DocumentVisitor&)>& visit) {
  SchemaBuilder group;
  visit(group);
  add(key, group.finish());
}

void SchemaBuilder::visit_named(const Key& key, GroupList& groups) {
  SchemaBuilder group;
  groups.visit_default(group);
  Json schema = {{"type", "object"}};
  if (!groups.has_foreign_names())
    schema["propertyNames"] = {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"}};
  schema["additionalProperties"] = group.finish();
  add(key, std::move(schema));
}

void SchemaBuilder::visit_list(const Key& key, GroupList& groups) {
  SchemaBuilder group;
  groups.visit_default(group);
  add(key, list_schema(group.finish()));
}

void SchemaBuilder::visit_tagged(const Key& key, TaggedGroup& group) {
  const std::vector<std::string> names = group.names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    SchemaBuilder branch;
    branch.add(key, {{"const", names[k]}});
    group.visit_default(branch, k);
    branches_.push_back(std::move(branch));
  }
}

}  // namespace nodia

/// Builds the JSON Schema (draft 2020-12) of groups of keys.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/core/pose.hpp"
#include "scenarios/format/draw_rule.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

using Json = nlohmann::ordered_json;

inline Json number_schema(const Range& range) {
  Json schema = {{"type", "number"}};
  if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) {
    schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
  }
  return schema;
}

inline Json integer_schema(int low, int high) {
  return {{"type", "integer"}, {"minimum", low}, {"maximum", high}};
}

inline Json array_schema(Json items, int n) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", n}, {"maxItems", n}};
}

/// Visits a group of keys with default values.
class SchemaBuilder {
 public:
  void real(const Key& key, double value, const Range& range) {
    add(key, number_schema(range), value);
  }
  void integer(const Key& key, int value, int low, int high) {
    add(key, integer_schema(low, high), value);
  }
  void unsigned_64(const Key& key, std::uint64_t value) {
    add(key, {{"type", "integer"}, {"minimum", 0}}, value);
  }
  void boolean(const Key& key, bool value) { add(key, {{"type", "boolean"}}, value); }
  void text(const Key& key, const std::string& value) { add(key, {{"type", "string"}}, value); }
  void texts(const Key& key, const std::vector<std::string>&) {
    const Json text = {{"type", "string"}, {"minLength", 1}};
    add(key, {{"anyOf", Json::array({text, {{"type", "array"}, {"items", text}}})}}, {});
  }
  void file(const Key& key, const std::string& value) {
    add(key, {{"type", "string"}, {"minLength", 1}}, value);
  }
  void vector(const Key& key, Vec3d v, const Range& range) {
    add(key, array_schema(number_schema(range), 3), {v.x, v.y, v.z});
  }
  void quaternion(const Key& key, Quaternion q) {
    add(key, array_schema(number_schema(Range::any()), 4), {q.w, q.x, q.y, q.z});
  }
  void numbers(const Key& key, const std::vector<double>&, const std::vector<std::size_t>& sizes,
               const Range& range) {
    Json one_of = Json::array();
    for (const std::size_t size : sizes)
      one_of.push_back(array_schema(number_schema(range), static_cast<int>(size)));
    add(key, {{"anyOf", one_of}}, {});
  }
  void points(const Key& key, const std::vector<Vec3d>&) {
    add(key,
        {{"type", "array"},
         {"items", array_schema(number_schema(Range::any()), 3)},
         {"minItems", 2}},
        {});
  }
  void numbers_by_name(const Key& key, const std::vector<NamedNumber>&) {
    add(key, {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}}, {});
  }
  void folders_by_name(const Key& key, const std::map<std::string, std::string>&) {
    add(key, {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}, {});
  }
  void cells(const Key& key, const std::array<int, 3>& n, int low, int high) {
    add(key, array_schema(integer_schema(low, high), 3), n);
  }
  void values(const Key& key, const std::vector<YamlNode>&) {
    add(key, {{"type", "array"}, {"minItems", 1}}, {});
  }
  void draw_rules(const Key& key, const std::vector<DrawRule>&) {
    Json rule = schema_of<DrawRule>();
    rule["minProperties"] = 1;
    const Json forms =
        Json::array({array_schema({{"type", "number"}}, 2), {{"const", "rotation"}}, rule});
    add(key, {{"type", "object"}, {"additionalProperties", {{"anyOf", forms}}}}, {});
  }
  void exactly_one(const char*) { exactly_one_ = true; }

  template <class E>
  void choice(const Key& key, E value, const Choices<E>& choices) {
    Json names = Json::array();
    Json chosen;
    for (const auto& [name, choice] : choices) {
      names.push_back(name);
      if (choice == value) chosen = name;
    }
    add(key, {{"enum", names}}, chosen);
  }
  template <class T, class Visit>
  void optional(const Key& key, std::optional<T>&, const Visit& visit) {
    T value{};
    with_default_ = false;
    visit(key, value);
    with_default_ = true;
  }
  template <class T>
  void group(const Key& key, T& value) {
    add(key, schema_of(value), {});
  }
  template <class T>
  void named(const Key& key, std::vector<T>&) {
    Json schema = {{"type", "object"}};
    if (!HasForeignName<T>)
      schema["propertyNames"] = {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"}};
    schema["additionalProperties"] = schema_of<T>();
    add(key, std::move(schema), {});
  }
  template <class T>
  void list(const Key& key, std::vector<T>&) {
    add(key, {{"type", "array"}, {"items", schema_of<T>()}}, {});
  }
  template <class... Ts>
  void tagged(const Key& key, std::variant<Ts...>&) {
    const auto add_branch = [&]<class T>(T alternative) {
      SchemaBuilder branch;
      branch.add(key, {{"const", T::kName}}, {});
      visit_keys(branch, alternative);
      branches_.push_back(std::move(branch));
    };
    (add_branch(Ts{}), ...);
  }

  template <class T>
  static Json schema_of(T& value) {
    SchemaBuilder builder;
    visit_keys(builder, value);
    return builder.finish();
  }
  template <class T>
  static Json schema_of() {
    T value{};
    return schema_of(value);
  }

 private:
  Json finish() const {
    if (branches_.empty()) {
      Json schema = closed(properties_, required_);
      if (exactly_one_) schema["minProperties"] = schema["maxProperties"] = 1;
      return schema;
    }
    Json one_of = Json::array();
    for (const SchemaBuilder& branch : branches_) {
      Json properties = branch.properties_;
      properties.update(properties_);
      Json required = branch.required_;
      required.insert(required.end(), required_.begin(), required_.end());
      one_of.push_back(closed(properties, required));
    }
    return {{"type", "object"}, {"oneOf", one_of}};
  }

  static Json closed(const Json& properties, const Json& required) {
    Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    return schema;
  }

  void add(const Key& key, Json schema, const Json& value) {
    if (*key.meaning) schema["description"] = key.meaning;
    if (key.required)
      required_.push_back(key.name);
    else if (with_default_ && !value.is_null() && value != "")
      schema["default"] = value;
    properties_[key.name] = std::move(schema);
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
  std::vector<SchemaBuilder> branches_;
  bool exactly_one_ = false;
  bool with_default_ = true;
};

}  // namespace nodia

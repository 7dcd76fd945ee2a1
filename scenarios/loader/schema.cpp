#include "scenarios/loader/schema.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/loader/keys.hpp"
#include "scenarios/loader/reader.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const Range& range) {
  Json schema = {{"type", "number"}};
  if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) {
    schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
  }
  return schema;
}

Json integer_schema(int low, int high) {
  return {{"type", "integer"}, {"minimum", low}, {"maximum", high}};
}

Json array_schema(Json items, int n) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", n}, {"maxItems", n}};
}

/// Visits a group of keys with its defaults.
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
  void cells(const Key& key, const std::array<int, 3>& n, int low, int high) {
    add(key, array_schema(integer_schema(low, high), 3), n);
  }
  void ranges(const Key& key, const std::vector<RandomRange>&) {
    add(key, {{"type", "object"}, {"additionalProperties", array_schema({{"type", "number"}}, 2)}},
        {});
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
  void optional_group(const Key& key, std::optional<T>&) {
    add(key, schema_of<T>(), {});
  }
  template <class T>
  void named(const Key& key, std::vector<T>&) {
    add(key,
        {{"type", "object"},
         {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"}}},
         {"additionalProperties", schema_of<T>()}},
        {});
  }
  template <class T>
  void list(const Key& key, std::vector<T>&) {
    add(key, {{"type", "array"}, {"items", schema_of<T>()}}, {});
  }
  template <class... Ts>
  void tagged(const Key& key, std::variant<Ts...>&,
              const std::array<const char*, sizeof...(Ts)>& names) {
    std::size_t i = 0;
    const auto add_branch = [&]<class T>(T alternative) {
      SchemaBuilder branch;
      branch.add(key, {{"const", names[i++]}}, {});
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

/// Whether the file has chosen another alternative than this branch.
bool is_other_branch(const Json& branch, const YamlNode* node) {
  if (!node || !branch.contains("properties")) return false;
  for (const auto& [name, member] : branch["properties"].items()) {
    const YamlNode* chosen = member.contains("const") ? node->find(name) : nullptr;
    if (chosen && chosen->text != member["const"]) return true;
  }
  return false;
}

void list_keys(const Json& schema, const YamlNode* node, const std::string& path,
               Alternatives alternatives, std::vector<std::string>* keys) {
  const auto list_member = [&](const std::string& name, const Json& member) {
    const std::string key = joined(path, name);
    if (std::find(keys->begin(), keys->end(), key) == keys->end()) keys->push_back(key);
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

std::string scenario_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "nodia scenario"},
                 {"description", "SI units, named in the keys; z up; quaternions w, x, y, z."}};
  schema.update(SchemaBuilder::schema_of<ScenarioDocument>());
  return schema.dump(2) + "\n";
}

std::vector<std::string> known_keys(const YamlNode& root, Alternatives alternatives) {
  static const Json schema = SchemaBuilder::schema_of<ScenarioDocument>();
  std::vector<std::string> keys;
  list_keys(schema, &root, "", alternatives, &keys);
  return keys;
}

}  // namespace nodia

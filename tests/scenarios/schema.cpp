#include "scenarios/build/document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using Json = nlohmann::json;

const std::string kSchemaFile = test::source_file("scenarios/schema/scenario.schema.json");

/// Run with NODIA_WRITE_SCHEMA=1 to renew the file after a change of keys.
TEST(Schema, FileIsTheLoadersTable) {
  if (std::getenv("NODIA_WRITE_SCHEMA"))
    std::ofstream(kSchemaFile, std::ios::binary) << scenario_schema();
  EXPECT_EQ(test::text_of(kSchemaFile), scenario_schema())
      << "renew it: NODIA_WRITE_SCHEMA=1 test_scenarios --gtest_filter='Schema.*'";
}

/// Keys that a resolved scenario holds.
void collect(const YamlNode& node, const std::string& path, std::vector<std::string>* keys) {
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    const YamlNode& child = node.children[k];
    if (child.kind == YamlKind::scalar && node.is_sequence()) continue;
    const std::string key =
        (path.empty() ? "" : path + ".") + (node.is_map() ? child.key : std::to_string(k));
    if (node.is_map()) keys->push_back(key);
    collect(child, key, keys);
  }
}

TEST(Schema, KnowsEveryKeyTheLoaderWrites) {
  const Scenario s = load_scenario(test::ScenarioFile().path());
  auto source = std::make_shared<YamlSource>();
  const YamlNode root = parse_yaml(s.resolved_yaml, source);
  std::vector<std::string> written;
  collect(root, "", &written);
  std::vector<std::string> known = scenario_keys().known(root);
  for (const std::string& key : written) {
    EXPECT_NE(std::find(known.begin(), known.end(), key), known.end()) << key;
  }
  EXPECT_GT(written.size(), 80u);
}

/// A value the loader must accept for a schema of one value.
std::string good_value(const Json& schema) {
  if (schema.contains("default")) return schema["default"].dump();
  if (schema.contains("enum")) return schema["enum"][0].dump();
  if (schema.value("type", "") == "string") return "\"x_min\"";
  if (schema.value("type", "") == "array") {
    if (!schema.contains("minItems")) return "";
    if (schema["minItems"] == 4) return "[1, 0, 0, 0]";
    const std::string item = good_value(schema["items"]);
    return "[" + item + ", " + item + ", " + item + "]";
  }
  if (schema.value("type", "") == "number") return "0.25";
  if (schema.value("type", "") == "integer") return schema["minimum"].dump();
  return "";
}

/// Sets every key of the schema that has a plain value and stands in a present group to a value the
/// schema allows.
TEST(Schema, EveryKeyOfTheSchemaIsAcceptedByTheLoader) {
  const Json schema = Json::parse(scenario_schema());
  const test::ScenarioFile file(
      test::with("name: small", "name: small\nseed: 1"));  // for `episode`
  int n_key = 0;
  const auto accept = [&](const Json& group, const std::string& path) {
    for (const auto& [name, member] : group["properties"].items()) {
      const std::string value = good_value(member);
      if (value.empty() || member.contains("const")) continue;
      const std::string at = path.empty() ? name : path + "." + name;
      const auto excluded = {"body", "obstacle", "robot", "link", "to", "track"};  // names
      if (std::find(excluded.begin(), excluded.end(), name) != excluded.end()) continue;
      EXPECT_EQ(test::message(file, {at + "=" + value}), "") << at << "=" << value;
      ++n_key;
    }
  };
  const Json& top = schema["properties"];
  accept(schema, "");
  for (const char* group : {"time", "contact", "solver", "output"}) accept(top[group], group);
  accept(top["bodies"]["additionalProperties"], "bodies.block");
  accept(top["attachments"]["additionalProperties"], "attachments.grip");
  const char* const obstacles[] = {"floor", "crate", "globe", "drum", "pill"};
  for (std::size_t k = 0; k < 5; ++k) {
    accept(top["obstacles"]["additionalProperties"]["oneOf"][k],
           std::string("obstacles.") + obstacles[k]);
  }
  EXPECT_GT(n_key, 60);
}

/// The schema's bounds are the loader's: just outside is refused.
TEST(Schema, BoundsAreThoseOfTheLoader) {
  const Json schema = Json::parse(scenario_schema());
  const test::ScenarioFile file;
  for (const char* group : {"time", "contact", "solver", "output"}) {
    for (const auto& [name, member] : schema["properties"][group]["properties"].items()) {
      const std::string at = std::string(group) + "." + name + "=";
      if (member.contains("exclusiveMinimum")) {
        EXPECT_NE(test::message(file, {at + member["exclusiveMinimum"].dump()}), "") << at;
      }
      if (member.contains("exclusiveMaximum")) {
        EXPECT_NE(test::message(file, {at + member["exclusiveMaximum"].dump()}), "") << at;
      }
      if (member.contains("minimum")) {
        EXPECT_NE(test::message(file, {at + std::to_string(member["minimum"].get<double>() - 1)}),
                  "")
            << at;
      }
      if (member.contains("maximum")) {
        EXPECT_NE(test::message(file, {at + std::to_string(member["maximum"].get<double>() + 1)}),
                  "")
            << at;
      }
    }
  }
}

}  // namespace
}  // namespace nodia

#include "scenarios/build/document.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/format/reader.hpp"
#include "scenarios/format/schema_builder.hpp"
#include "scenarios/format/writer.hpp"

namespace nodia {

ScenarioDocument read_document(const YamlNode& root) {
  ScenarioDocument document;
  Reader reader(root, "");
  visit_keys(reader, document);
  reader.finish();
  return document;
}

std::string written(ScenarioDocument document) {
  return write_yaml(Writer::written(document));
}

const DocumentKeys& scenario_keys() {
  static const DocumentKeys keys(SchemaBuilder::schema_of<ScenarioDocument>());
  return keys;
}

std::string scenario_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "nodia scenario"},
                 {"description", "SI units, named in the keys; z up; quaternions w, x, y, z."}};
  schema.update(SchemaBuilder::schema_of<ScenarioDocument>());
  return schema.dump(2) + "\n";
}

}  // namespace nodia

#include "scenarios/build/drawn_json.hpp"

#include "scenarios/format/yaml_json.hpp"

namespace nodia {

std::string drawn_json(const std::vector<DrawnValue>& drawn) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const DrawnValue& value : drawn) json[value.key] = json_of(value.value);
  return json.dump();
}

}  // namespace nodia

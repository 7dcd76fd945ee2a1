#include "scenarios/build/located_errors.hpp"

namespace nodia {

void refuse(const YamlNode& root, const ValueError& error) {
  if (error.path().empty())
    throw InputError(fmt::format("{}: {}", root.source->label, error.what()));
  const YamlNode* node = find_node(root, error.path());
  if (node && error.has_value()) refuse_value(*node, error.path(), error.rule(), error.hint());
  throw InputError(fmt::format("{}: {}", location(nearest_node(root, error.path())), error.what()));
}

void refuse_beside(const YamlNode& root, const std::string& path, const char* key,
                   const char* other) {
  const std::string where = joined(path, key);
  refuse_value(nearest_node(root, where), where, fmt::format("left out beside {}", other), "");
}

}  // namespace nodia

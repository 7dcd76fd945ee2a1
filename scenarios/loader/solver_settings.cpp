#include "scenarios/loader/solver_settings.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/core/error.hpp"
#include "scenarios/loader/reader.hpp"

namespace nodia {
namespace {

struct SolverDocument {
  SolverOptions solver;
};

template <class V>
void visit_keys(V& v, SolverDocument& d) {
  v.group({"solver", "contact solver"}, d.solver);
}

/// Puts a value at a dotted key, making the groups on the way.
void put(YamlNode* root, const std::string& key, YamlNode value) {
  YamlNode* node = root;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    const std::string word = key.substr(begin, end - begin);
    node->kind = YamlKind::map;
    YamlNode* next = node->find(word);
    if (!next) {
      YamlNode child;
      child.kind = YamlKind::map;
      child.key = word;
      child.source = value.source;
      node->children.push_back(std::move(child));
      next = &node->children.back();
    }
    node = next;
    begin = end + 1;
  }
  value.key = node->key;
  *node = std::move(value);
}

}  // namespace

SolverOptions read_solver_settings(const std::vector<std::string>& settings,
                                   const SolverOptions& defaults) {
  YamlNode root;
  root.kind = YamlKind::map;
  for (const std::string& setting : settings) {
    auto source = std::make_shared<YamlSource>();
    source->label = "--set " + shown(yaml_plain(setting));
    source->directory = std::filesystem::current_path();
    source->has_lines = false;
    root.source = source;
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(
          fmt::format("{} (must be key=value; e.g. --set solver.virtual_gain=3)", source->label));
    YamlNode value = parse_yaml(setting.substr(equals + 1), source);
    value.source = source;
    put(&root, setting.substr(0, equals), std::move(value));
  }
  SolverDocument document{defaults};
  Reader reader(root, "");
  visit_keys(reader, document);
  reader.finish();
  return document.solver;
}

}  // namespace nodia

#include "scenarios/build/solver_settings.hpp"

#include "scenarios/build/document.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/reader.hpp"
#include "scenarios/format/writer.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {
namespace {

struct SolverDocument {
  SolverOptions solver;
};

void visit_keys(DocumentVisitor& v, SolverDocument& d) {
  v.group({"solver", "contact solver"}, d.solver);
}

}  // namespace

SolverOptions read_solver_settings(const std::vector<std::string>& settings,
                                   const SolverOptions& defaults) {
  YamlNode root;
  root.kind = YamlKind::map;
  for (const std::string& setting : settings) apply_override(&root, scenario_keys(), setting);
  SolverDocument document{defaults};
  Reader reader(root, "");
  visit_keys(reader, document);
  reader.finish();
  return document.solver;
}

bool have_equal_settings(const SolverOptions& a, const SolverOptions& b) {
  SolverOptions one = a, other = b;
  return write_yaml(Writer::written(one)) == write_yaml(Writer::written(other));
}

}  // namespace nodia
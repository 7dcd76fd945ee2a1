#include "scenarios/loader/scenario.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/loader/build_scene.hpp"
#include "scenarios/loader/overrides.hpp"
#include "scenarios/loader/reader.hpp"
#include "scenarios/loader/writer.hpp"

namespace nodia {
namespace {

void require_known_solver(const YamlNode& root, const SolverOptions& options) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_catalogue()) names.emplace_back(entry.name);
  if (std::find(names.begin(), names.end(), options.solver) != names.end()) return;
  refuse_value(nearest_node(root, "solver.solver"), "solver.solver",
               fmt::format("one of {}", fmt::join(names, ", ")),
               fmt::format("did you mean {}?", nearest_name(options.solver, names)));
}

}  // namespace

Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides,
                       std::optional<std::uint64_t> seed) {
  YamlNode root = read_yaml_file(path);
  // Overrides name keys of what the file says, so the file must be good by itself.
  read_document(root);
  std::vector<std::string> set;
  for (const std::string& argument : overrides) set.push_back(apply_override(&root, argument));
  ScenarioDocument document = read_document(root);
  complete_document(root, &document);
  require_good_ranges(root);

  Scenario scenario;
  if (!seed) seed = document.seed;
  if (seed) {
    scenario.drawn = draw_values(&root, *seed, set);
    document = read_document(root);
    document.seed = seed;
    complete_document(root, &document);
  }
  require_known_solver(root, document.solver);

  scenario.scene = build_scene(root, document);
  scenario.solver = document.solver;
  scenario.checks = document.checks;
  scenario.output = document.output;
  scenario.description = document.description;
  scenario.seed = seed.value_or(0);
  scenario.resolved_yaml = write_yaml(Writer::written(document));
  return scenario;
}

}  // namespace nodia

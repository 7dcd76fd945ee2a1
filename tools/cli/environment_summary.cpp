#include "tools/cli/environment_summary.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/format/yaml_json.hpp"

namespace nodia::cli {

EnvironmentSummary summary_of(const Scenario& scenario, const Simulation& simulation, int env) {
  EnvironmentSummary summary;
  summary.seed = scenario.drawn_by.seed;
  summary.episode = scenario.drawn_by.episode;
  summary.attempt = scenario.drawn_by.attempt;
  for (const DrawnValue& value : scenario.drawn)
    summary.drawn.emplace_back(value.key, json_of(value.value).dump());
  summary.n_node = simulation.model(env).n_node();
  summary.n_tet = simulation.model(env).n_tet();
  summary.n_dof = simulation.layout(env).n_dof();
  return summary;
}

}  // namespace nodia::cli

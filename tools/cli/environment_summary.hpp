/// Entry of an environment in the summary of a run, before the first step.
#pragma once

#include "host/io/summary_json.hpp"
#include "scenarios/build/scenario.hpp"

namespace nodia::cli {

/// Summary of an environment: sampled values and sizes.
/// @param scenario  scenario of environment `env`; its scene may have been moved from
EnvironmentSummary summary_of(const Scenario& scenario, const Simulation& simulation, int env);

}  // namespace nodia::cli

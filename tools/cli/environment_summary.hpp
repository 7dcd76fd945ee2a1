/// An environment of a run, as its summary has it before the first step.
#pragma once

#include "host/io/summary_json.hpp"
#include "scenarios/build/scenario.hpp"

namespace nodia::cli {

/// @param scenario  that environment `env` of the simulation is made of; its scene is not read
EnvironmentSummary summary_of(const Scenario& scenario, const Simulation& simulation, int env);

}  // namespace nodia::cli

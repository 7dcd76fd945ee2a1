/// XPBD as an entry of the catalogue: it advances whole scenes
/// (host/simulation/position_based) and cannot solve a ContactProblem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/solvers/contact_solver.hpp"

namespace nodia {

std::vector<SolverParameter> position_based_parameters();

/// Whether the catalogue's entry of this name advances whole scenes in a Simulation instead of
/// solving problems.
bool advances_scenes(const std::string& solver);

/// @throws InputError always: there is no ContactSolver of this name
std::unique_ptr<ContactSolver> make_position_based_solver(const SolverOptions& options);

}  // namespace nodia

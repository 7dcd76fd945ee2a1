/// XPBD as an entry of the catalogue: it advances whole scenes
/// (host/simulation/position_based) and cannot solve a ContactProblem.
#pragma once

#include <memory>
#include <string>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

struct PositionBasedOptions {
  int substeps = 100;  ///< of a step
  int iterations = 1;  ///< sweeps through all constraints in a substep
};
void visit_keys(KeyVisitor& v, PositionBasedOptions& o);

/// Whether the catalogue's entry of this name advances whole scenes in a Simulation instead of
/// solving problems.
bool advances_scenes(const std::string& solver);

/// @throws InputError always: there is no ContactSolver of this name
std::unique_ptr<ContactSolver> make_position_based_solver(const SolverOptions& options);

}  // namespace nodia

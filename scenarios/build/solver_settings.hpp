/// The options of a solver without a scenario around them.
#pragma once

#include <string>
#include <vector>

#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Reads `solver.key=value` and `solver.name.key=value`, later ones over earlier ones, by the rules
/// of a scenario's `solver` group.
/// @throws InputError in the same words: unknown keys (with the nearest known one), bad values
SolverOptions read_solver_settings(const std::vector<std::string>& settings,
                                   const SolverOptions& defaults = {});

/// Whether all keys of a scenario's `solver` group have equal values.
bool have_equal_settings(const SolverOptions& a, const SolverOptions& b);

}  // namespace nodia
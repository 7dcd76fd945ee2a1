/// Solver options that do not belong to a scenario.
#pragma once

#include <string>
#include <vector>

#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Reads `solver.key=value` and `solver.name.key=value` by the rules of a scenario's `solver`
/// group. Later settings replace earlier ones.
/// @throws InputError for an unknown key (the message names the nearest known one) or a bad value
SolverOptions read_solver_settings(const std::vector<std::string>& settings,
                                   const SolverOptions& defaults = {});

/// True if all keys of a scenario's `solver` group have equal values.
bool have_equal_settings(const SolverOptions& a, const SolverOptions& b);

}  // namespace nodia
/// Local problems from outside, solved from W as it is in the file.
#pragma once

#include "host/exchange/solve_imported.hpp"

namespace nodia {

/// Whether solve_local() is the way a solver of this name takes.
bool solves_from_delassus_matrix(const std::string& solver);

/// Iterations of proximal_newton on u = W r + q, symmetric or not, until error_siconos <=
/// tolerance: one round, no import. The answer is the one of least error.
/// @param problem  a local one
ImportedSolve solve_local(const FrictionProblem& problem, const ImportedSolveOptions& options);

}  // namespace nodia

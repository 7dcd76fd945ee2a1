/// Solves local problems from W of the file, without an import.
#pragma once

#include "host/exchange/solve_imported.hpp"

namespace nodia {

/// True if solve_local() implements the solver of this name.
bool solves_from_delassus_matrix(const std::string& solver);

/// Iterates proximal_newton on u = W r + q, symmetric or not, until error_siconos <= tolerance: one
/// round, without an import. The result is the solution with the smallest error.
/// @param problem  local
ImportedSolve solve_local(const FrictionProblem& problem, const ImportedSolveOptions& options);

}  // namespace nodia

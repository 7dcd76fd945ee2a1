/// Writes solutions of `nodia solve` as HDF5.
#pragma once

#include <string>

#include "host/exchange/solve_imported.hpp"

namespace nodia {

/// /r, /u [d n_contact] and, for global problems, /v [n_dof], in the coordinates of the problem's
/// file; attributes format = "nodia_answer", problem, kind, dimension, solver, status,
/// error_siconos. Writes a temporary file that is synced and renamed. @throws RuntimeError if
/// writing fails
void write_solution(const std::string& path, const std::string& problem,
                    const ImportedProblem& source, const ImportedSolve& solve);

/// Same for a problem in nodia's format: /v [n_node, 3], /lambda and /u [n_contact, 3].
void write_solution(const std::string& path, const std::string& problem,
                    const ContactProblem& source, const ImportedSolve& solve);

}  // namespace nodia

/// Answers of `nodia solve` as HDF5.
#pragma once

#include <string>

#include "host/exchange/solve_imported.hpp"

namespace nodia {

/// /r, /u [d n_contact] and, global, /v [n_dof], in the coordinates of the problem's file;
/// attributes format = "nodia_answer", problem, kind, dimension, solver, status, error_siconos.
/// Written to a temporary file, synced, renamed. @throws RuntimeError where writing fails
void write_solution(const std::string& path, const std::string& problem,
                    const ImportedProblem& source, const ImportedSolve& solve);

/// The same for a problem of our own: /v [n_node, 3], /lambda and /u [n_contact, 3].
void write_solution(const std::string& path, const std::string& problem,
                    const ContactProblem& source, const ImportedSolve& solve);

}  // namespace nodia

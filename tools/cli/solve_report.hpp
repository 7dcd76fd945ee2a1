/// What `nodia solve` prints: a line, JSON, and the table of many problems and solvers.
#pragma once

#include <string>
#include <vector>

#include "host/exchange/solve_imported.hpp"
#include "tools/command/text_table.hpp"

namespace nodia::cli {

/// One problem and what the solvers that were tried on it came to.
struct SolvedProblem {
  std::string problem;  ///< its file
  std::string kind;     ///< global, local
  int dimension = 3, n_dof = 0, n_contact = 0, n_env = 1;
  double tolerance = 0;              ///< of error_siconos
  std::vector<std::string> notes;    ///< of its reader
  std::vector<ImportedSolve> tried;  ///< of `nodia solve`: the last one's answer counts
};

/// One machine-readable object.
std::string to_json(const SolvedProblem& solved);
void print_solved(const SolvedProblem& solved);

/// A row of the table: one solver on one problem.
struct SolveRow {
  const SolvedProblem& problem;
  const ImportedSolve& solve;
};

/// The columns of `nodia solve --table`.
/// @param files  all problem files: their names give the width of the first column
Columns<SolveRow> solve_columns(const std::vector<std::string>& files);

}  // namespace nodia::cli

/// Output of `nodia solve`: lines, JSON, and the table of several problems and solvers.
#pragma once

#include <string>
#include <vector>

#include "host/exchange/solve_imported.hpp"
#include "tools/command/text_table.hpp"

namespace nodia::cli {

/// One problem and the results of the solvers.
struct SolvedProblem {
  std::string problem;  ///< name of the file
  std::string kind;     ///< global or local
  int dimension = 3, n_dof = 0, n_contact = 0, n_env = 1;
  double tolerance = 0;              ///< tolerance of error_siconos
  std::vector<std::string> notes;    ///< warnings of the reader
  std::vector<ImportedSolve> tried;  ///< without --table, the last one is the solution
};

/// Result as one JSON object.
std::string to_json(const SolvedProblem& solved);
void print_solved(const SolvedProblem& solved);

/// Row of the table: one solver on one problem.
struct SolveRow {
  const SolvedProblem& problem;
  const ImportedSolve& solve;
};

/// Columns of `nodia solve --table`.
/// @param files  all problem files, for the width of the first column
Columns<SolveRow> solve_columns(const std::vector<std::string>& files);

}  // namespace nodia::cli

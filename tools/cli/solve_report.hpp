/// What `nodia solve` tells: a line, JSON, and the table of many problems and solvers.
#pragma once

#include <string>
#include <vector>

#include "host/exchange/solve_imported.hpp"

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

/// A row a problem, a column a solver: error, iterations, time.
void print_table(const std::vector<SolvedProblem>& problems);
/// A line a problem and solver. @throws RuntimeError where the file cannot be written
void write_csv(const std::vector<SolvedProblem>& problems, const std::string& path);

}  // namespace nodia::cli

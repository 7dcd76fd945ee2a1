/// Solves a problem to a tolerance of the error that is recomputed from the numbers of its file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/exchange/imported_problem.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// SolverOptions::virtual_gain for imported problems, in which all bodies have preconditioner
/// blocks: a compromise between few contacts (lower) and stacks (higher).
inline constexpr double kImportedVirtualGain = 4;

struct ImportedSolveOptions {
  SolverOptions solver;          ///< tolerance and max_iterations of all rounds together
  bool automatic = false;        ///< chooses solvers by the kind of problem, one after the other
  std::function<bool()> cancel;  ///< called between rounds; may be empty
};

/// Result of one solver.
struct ImportedSolve {
  std::string solver;
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< why it did not converge
  int iterations = 0;  ///< sum over all rounds
  int rounds = 0;      ///< number of calls of the solver
  double time_s = 0;   ///< wall time without the import
  double error_siconos = 0;
  SolveReport inner;  ///< report of the solution, with the solver's own status
  Solution solution;
};

/// Solves until error_siconos <= tolerance. Each round runs the solver with a tightened tolerance
/// of its own rule, starting from the last solution; between rounds the defect of an unsymmetric
/// matrix is corrected. The result is the solution with the smallest error. proximal_newton solves
/// a local problem from its W, without rounds (solve_local.hpp).
/// @return one entry per tried solver; the last has the solution. If none converged, it is the one
/// with the smallest error
std::vector<ImportedSolve> solve_imported(ImportedProblem* problem,
                                          const ImportedSolveOptions& options);

/// Same for a problem in nodia's format; the error is the largest of its environments.
std::vector<ImportedSolve> solve_to_error(const ContactProblem& problem,
                                          const ImportedSolveOptions& options,
                                          const WarmStart& warm = {});

}  // namespace nodia

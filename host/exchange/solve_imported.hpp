/// Solving to a tolerance of the error that is recomputed from the file's own numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/exchange/imported_problem.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// SolverOptions::virtual_gain that suits imported problems, whose bodies all have blocks of W: few
/// contacts want it lower, stacks higher.
inline constexpr double kImportedVirtualGain = 4;

struct ImportedSolveOptions {
  SolverOptions solver;          ///< tolerance and max_iterations are those of the whole
  bool automatic = false;        ///< the solver is chosen by the kind of problem, others follow
  std::function<bool()> cancel;  ///< asked between rounds; may be empty
};

/// What one solver came to.
struct ImportedSolve {
  std::string solver;
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< in words, where it did not converge
  int iterations = 0;  ///< all inner ones
  int rounds = 0;      ///< calls of the solver
  double time_s = 0;   ///< wall time, import not counted
  double error_siconos = 0;
  SolveReport inner;  ///< of the answer; its status is the solver's own
  Solution solution;
};

/// Solves until error_siconos <= tolerance: rounds of the solver with its own rule tightened as far
/// as the error asks for, each from the answer of the last, the defect of an unsymmetric matrix
/// corrected in between. The answer is the one of least error. A local problem is solved by
/// proximal_newton from W as it is, without rounds (solve_local.hpp).
/// @return one entry a solver that was tried; the last is the answer's, or with none converged the
/// one of least error is
std::vector<ImportedSolve> solve_imported(ImportedProblem* problem,
                                          const ImportedSolveOptions& options);

/// The same for a problem of our own; the error is the worst of its environments.
std::vector<ImportedSolve> solve_to_error(const ContactProblem& problem,
                                          const ImportedSolveOptions& options,
                                          const WarmStart& warm = {});

}  // namespace nodia

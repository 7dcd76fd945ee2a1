/// Reference solver of newton in dense matrices, one equation per line, for comparison with the
/// fast solver. It is the code to read first (docs/solver.md).
///
/// It omits what the method does not need: the check of progress and its consequences (sweeps among
/// them), the test of a step at rest, the absolute tolerance of the stopping rule, and the state
/// between steps.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Catalogue entry "newton_reference".
std::unique_ptr<ContactSolver> make_newton_reference_solver(const SolverOptions& options);

}  // namespace nodia

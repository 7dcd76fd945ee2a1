/// newton in plain text, dense matrices, an equation a line: the place to read the method first
/// (docs/solver.md), and what the fast one is held against.
///
/// It leaves out what the method can do without: the watch over the progress with what follows from
/// it, the floor of the stopping rule, the net forces on bodies, and what is remembered between
/// steps.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Catalogue entry "newton_reference".
std::unique_ptr<ContactSolver> make_newton_reference_solver(const SolverOptions& options);

}  // namespace nodia

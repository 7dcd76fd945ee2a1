/// COND: velocity fixed-point iteration with contact diagonalization (Lee et al., Alg. 1), on the
/// CPU.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Every environment iterates by itself to its own stop. The iteration is accelerated as
/// CondOptions::acceleration says; where the residual grows or stalls it restarts from its best
/// answer with Nesterov's scheme on a W with lambda_max(WA) <= 1, and the report counts the
/// restart. What is returned is the last projected v** with its lambda, never the extrapolated v.
std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options);

}  // namespace nodia

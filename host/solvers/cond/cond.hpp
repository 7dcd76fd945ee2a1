/// COND on the CPU: velocity fixed points with contact diagonalization (Lee et al., Alg. 1).
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Every environment has its own stop. CondOptions::acceleration selects the acceleration. If the
/// residual grows or stalls, the iteration restarts from its best iterate with Nesterov's scheme on
/// a W with lambda_max(WA) <= 1, and the report counts the restart. The solution is the last
/// projected v** with its lambda, never the extrapolated v.
std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options);

}  // namespace nodia

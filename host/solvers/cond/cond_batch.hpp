/// COND on a device, for all environments of a batch at once.
#pragma once

#include <memory>

#include "host/solvers/device_batch_solver.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Makes the solver without the device; errors of the device come with the first solve.
std::unique_ptr<DeviceBatchSolver> make_cond_batch_solver(const SolverOptions& options);

}  // namespace nodia

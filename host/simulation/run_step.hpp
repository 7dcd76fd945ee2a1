/// The life of a time step: the order of its stages.
#pragma once

#include "host/simulation/batch_problem.hpp"

namespace nodia {

/// Makes the problem of the next step and its initial guess.
/// @param soft_pairs  finds vertices of soft surfaces near soft surfaces; null: environments do
void build_problem(BatchProblem* batch, DeviceSoftPairs* soft_pairs = nullptr);

/// Advances all environments of a batch by one time step.
/// @param solution         out: the solver's
/// @param records, stepped  out: see BatchProblem::finish()
void run_step(BatchProblem* batch, ContactSolver* solver, Solution* solution, StepRecord* records,
              char* stepped, DeviceSoftPairs* soft_pairs = nullptr);

}  // namespace nodia

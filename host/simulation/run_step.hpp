/// The life of a time step: the order of its stages.
#pragma once

#include "host/simulation/batch_problem.hpp"

namespace nodia {

/// Makes the problem of the next step and its initial guess.
void build_problem(BatchProblem* batch);

/// Advances all environments of a batch by one time step.
/// @param solution  out: the solver's
/// @param records, stepped  out: see BatchProblem::finish()
/// @param most_solves  > 1: a step in which bodies tunnel or overlap because they rotate is
///                     solved again (detect_again()); requires a batch of one environment
void run_step(BatchProblem* batch, ContactSolver* solver, Solution* solution, StepRecord* records,
              char* stepped, int most_solves = 1);

}  // namespace nodia

/// Evaluates the solutions of all solvers with the same error measures.
#pragma once

#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"
#include "kernels/core/time_step.hpp"
#include "kernels/step/soft_evaluation.hpp"

namespace nodia {

/// Evaluates the solution with host/errors and sets the error fields of every report; a solution or
/// error that is not finite becomes not_a_number. Runs environments in parallel, one thread each.
void evaluate(const ContactProblem& problem, const CommonOptions& options, Solution* solution);

/// Same for an environment whose solution the device has evaluated; without full errors.
void evaluate_from(const SoftEvaluation& evaluation, const TimeStep& step, SolveReport* report);

}  // namespace nodia

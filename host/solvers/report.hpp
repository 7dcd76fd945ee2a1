/// One ruler for every solver's answer.
#pragma once

#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"
#include "kernels/core/time_step.hpp"
#include "kernels/step/soft_judgement.hpp"

namespace nodia {

/// Measures the answer with host/errors and fills the error fields of every environment's report;
/// an answer or an error that is not finite becomes not_a_number. Environments side by side, one
/// thread each.
void judge(const ContactProblem& problem, const CommonOptions& options, Solution* solution);

/// The same for an environment with mass whose answer was measured where it was made; without full
/// errors.
void judge_from(const SoftJudgement& judgement, const TimeStep& step, SolveReport* report);

}  // namespace nodia

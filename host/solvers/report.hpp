/// One ruler for every solver's answer.
#pragma once

#include "host/solvers/interface.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

/// Measures the answer with host/errors and fills the error fields of every environment's report;
/// an answer or an error that is not finite becomes not_a_number. Environments side by side, one
/// thread each.
void judge(const ContactProblem& problem, const CommonOptions& options, Solution* solution);

}  // namespace nodia

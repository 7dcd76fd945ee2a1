/// How wrong an answer is, of whatever solver: with `--errors full`.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

/// The larger of |v - w|_A and |A^-1 (b + J^T lambda) - w|_A, over |w|_A, w being what the Newton
/// solver makes of the answer, far more exact than it. Costs some factorisations.
/// @param problem    of one environment
/// @param v, lambda  its answer
/// @return           NaN where the Newton solver does not come to an answer that is more exact
double estimate_answer_error(const ContactProblem& problem, const CommonOptions& options,
                             const std::vector<Vec3d>& v, const std::vector<Vec3d>& lambda);

}  // namespace nodia

/// Estimates the error of a solution of any solver, for `--errors full`.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/options.hpp"

namespace nodia {

/// The larger of |v - w|_A and |A^-1 (b + J^T lambda) - w|_A, over |w|_A, with w the far more exact
/// solution of the Newton solver that starts from it. Costs some factorisations.
/// @param problem    has one environment
/// @param v, lambda  its solution
/// @return           NaN if the Newton solver finds no more exact solution
double estimate_solution_error(const ContactProblem& problem, const CommonOptions& options,
                               const std::vector<Vec3d>& v, const std::vector<Vec3d>& lambda);

}  // namespace nodia

/// Block Gauss-Seidel sweeps, which find the states of the contacts at low cost.
#pragma once

#include "host/solvers/proximal_newton/local_problem.hpp"

namespace nodia {

/// Runs one sweep in the order of the contacts. Each contact's problem, for fixed forces of the
/// others, is solved by a few projections, normal before tangent.
/// @param lambda  in and out
/// @param u       W lambda + q, updated
void sweep(const LocalProblem& problem, Eigen::VectorXd* lambda, Eigen::VectorXd* u);

}  // namespace nodia

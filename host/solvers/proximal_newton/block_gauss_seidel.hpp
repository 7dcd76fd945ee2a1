/// Sweeps of block Gauss-Seidel, contact by contact: cheap steps to the states of the contacts.
#pragma once

#include "host/solvers/proximal_newton/local_problem.hpp"

namespace nodia {

/// One sweep in the order of the contacts. A contact's own problem, with the others' forces held,
/// is solved by a few projections, normal before tangent.
/// @param lambda  in and out
/// @param u       W lambda + q, kept so
void sweep(const LocalProblem& problem, Eigen::VectorXd* lambda, Eigen::VectorXd* u);

}  // namespace nodia

/// Jc and phi of a contact problem as Eigen types.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// Jc of u = Jc v + phi: rows ordered by contact, (n, t1, t2) each, columns by row of A. The three
/// rows of a contact have the same pattern.
/// @return [3 n_contact, 3 n_node]
Eigen::SparseMatrix<double, Eigen::RowMajor> contact_jacobian(const ContactProblem& problem);

/// phi of all contacts in the same order. @return [3 n_contact] [m/s]
Eigen::VectorXd contact_offset(const ContactProblem& problem);

}  // namespace nodia

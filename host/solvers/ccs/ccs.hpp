/// CCS, contact constraint splitting: ADMM between dynamics and contacts [Daviet 2020].
///
///   v       = (A + Jc^T R Jc)^-1 (b + Jc^T (lambda + R (y - phi)))
///   u       = alpha (Jc v + phi) + (1 - alpha) y
///   lambda' = project(lambda - R u),   y = u + R^-1 (lambda' - lambda)
///
/// y is a copy of the contact velocities that satisfies the contact conditions with lambda exactly;
/// R = diag(r_m) has one penalty per contact [N s/m]. The matrix is factorised once for a given R;
/// every iteration solves with the factor. Contacts on nodes, between nodes and on points of bodies
/// are treated alike. Invertible contact solves its contacts on y + omega lambda.
///
/// At the end A v - b - Jc^T lambda' = Jc^T R (y_old - y). The error of the solution is in the
/// dynamics and in y - (Jc v + phi), and both are measured.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

struct CcsOptions {
  double penalty = 0;            ///< times the diagonal compliance of the contact [-]; 0: automatic
  double over_relaxation = 1.5;  ///< alpha, for the contact velocities [-]
};
void visit_keys(KeyVisitor& v, CcsOptions& o);

std::unique_ptr<ContactSolver> make_ccs_solver(const SolverOptions& options);

}  // namespace nodia

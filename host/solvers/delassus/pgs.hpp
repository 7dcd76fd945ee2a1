/// Projected Gauss-Seidel on the Delassus operator [Horak & Trinkle 2019].
#pragma once

#include <memory>

#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

/// One iteration is one ordered sweep. Strict: first the normal force of a contact with its D_nn,
/// then its tangential force with the mean of D_t1t1 and D_t2t2, projected on its section.
/// Proximal: all three with half the sum of the extreme eigenvalues of the contact's block,
/// projected on the cone.
class PgsSolver final : public DelassusSolver {
 public:
  using DelassusSolver::DelassusSolver;

 protected:
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;
};

std::unique_ptr<ContactSolver> make_pgs_solver(const SolverOptions& options);

}  // namespace nodia

/// Prox fixed-point iteration on the Delassus operator (Lu & Trinkle; Schindler et al.).
#pragma once

#include <memory>
#include <vector>

#include "host/solvers/complementarity/contact_law.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

/// lambda <- prox_C(lambda - r (u + zeta lambda)), all contacts at once, with friction in the round
/// cone (exact Coulomb), or in four-sided sections: the pyramid with its corners on the cone, or
/// the box around it. r and zeta are dimensionless, times each contact's own compliance, so that
/// masses of any ratio take the same r; zeta > 0 leaves an error of that order.
class ProxSolver final : public DelassusSolver {
 public:
  explicit ProxSolver(const SolverOptions& options);

 protected:
  ContactLaw law() const override { return law_; }
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;

 private:
  ContactLaw law_;
  ProxOptions prox_;
};

std::unique_ptr<ContactSolver> make_prox_solver(const SolverOptions& options);
std::vector<SolverParameter> prox_parameters();

}  // namespace nodia

/// Prox fixed-point iteration on the Delassus operator (Lu & Trinkle; Schindler et al.).
#pragma once

#include <memory>

#include "host/solvers/complementarity/friction_law.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

struct ProxSolverOptions {
  ProxFactor rule = ProxFactor::adaptive;
  double r = 1;                      ///< given factor, times the contact's compliance [-]
  double zeta = 0;                   ///< relaxation, over the contact's compliance [-]
  Section friction = Section::disc;  ///< section of the cone: round or four-sided
};
void visit_keys(KeyVisitor& v, ProxSolverOptions& o);

/// lambda <- prox_C(lambda - r (u + zeta lambda)) for all contacts at once, with friction in the
/// round cone (exact Coulomb) or in four-sided sections: the pyramid with its corners on the cone,
/// or the box around it. r and zeta are dimensionless, times each contact's compliance, so they
/// suit any mass ratio; zeta > 0 causes an error of that order.
class ProxSolver final : public DelassusSolver {
 public:
  ProxSolver(const CommonOptions& options, const ProxSolverOptions& own);

 protected:
  FrictionLaw law() const override { return law_; }
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;

 private:
  FrictionLaw law_;
  ProxOptions prox_;
};

std::unique_ptr<ContactSolver> make_prox_solver(const SolverOptions& options);

}  // namespace nodia

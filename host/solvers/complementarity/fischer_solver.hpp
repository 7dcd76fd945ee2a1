/// Fischer-function Newton method on contacts with a polygonal friction cone.
#pragma once

#include <memory>

#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

struct FischerSolverOptions {
  int facets = 4;  ///< corners of the polygon
  int starts = 10;
};
void visit_keys(KeyVisitor& v, FischerSolverOptions& o);

/// Algorithm 1 of Sun. The matrix of contacts with friction is not a P0 matrix, so the method can
/// end at a stationary point that is no solution. It then restarts from other points, and reports
/// stalled if none leads to a solution. Iterations count the Newton steps of all starts.
class FischerSolver final : public DelassusSolver {
 public:
  FischerSolver(const CommonOptions& options, const FischerSolverOptions& own);

 protected:
  FrictionLaw law() const override { return {.section = Section::polygon, .facets = facets_}; }
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;

 private:
  int facets_;
  int starts_;
};

std::unique_ptr<ContactSolver> make_fischer_solver(const SolverOptions& options);

}  // namespace nodia

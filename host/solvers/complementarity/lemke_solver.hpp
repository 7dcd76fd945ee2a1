/// Lemke's pivoting on contacts with a polygonal friction cone.
#pragma once

#include <memory>

#include "host/solvers/delassus/delassus_solver.hpp"

namespace nodia {

struct LemkeSolverOptions {
  int facets = 4;  ///< corners of the polygon
};
void visit_keys(KeyVisitor& v, LemkeSolverOptions& o);

/// Direct method: iterations are pivots, at most max_iterations and ten per unknown; the initial
/// guess is not used. Solutions satisfy the polygon's law to rounding. Against Coulomb's cone they
/// keep the error of the polygon, whose friction points to a corner: of the order 1/facets.
class LemkeSolver final : public DelassusSolver {
 public:
  LemkeSolver(const CommonOptions& options, const LemkeSolverOptions& own);

 protected:
  FrictionLaw law() const override { return {.section = Section::polygon, .facets = facets_}; }
  void iterate(const DelassusOperator& op, const ContactProblem& problem, Eigen::VectorXd lambda,
               ForceMonitor* monitor) const override;

 private:
  int facets_;
};

std::unique_ptr<ContactSolver> make_lemke_solver(const SolverOptions& options);

}  // namespace nodia

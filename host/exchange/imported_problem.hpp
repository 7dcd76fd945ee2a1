/// A FrictionProblem as a ContactProblem that every solver takes, and its answers back.
#pragma once

#include "host/exchange/fixed_point_mixing.hpp"
#include "host/exchange/friction_problem.hpp"
#include "host/exchange/unknowns.hpp"
#include "host/solvers/interface.hpp"

namespace nodia {

/// Global: the unknowns y of the ContactProblem are v = S y, S diagonal with 1/sqrt(M_ii), in the
/// rows of Unknowns, A = S M' S with M' the symmetric part of M; every contact acts on a point
/// whose velocity is its part of H^T S y.
///
/// Local: W' = L L^T, A = I, u = L y + q, so that the Delassus matrix of the ContactProblem is the
/// symmetric part of W; y has as many entries as W has rank. That takes an eigenvalue
/// decomposition, which is left until something asks for the ContactProblem: solve_imported solves
/// local problems from W alone where it can.
///
/// step_s = 1 and lambda = r. In two dimensions the second tangent is an unknown of its own, at
/// rest and as heavy as the first, so that a contact has three axes alike.
///
/// M' in place of M leaves a defect. correct() puts it on the right-hand side as the last answer
/// has it: the solutions that repeat themselves are those of M.
class ImportedProblem {
 public:
  /// @throws InputError where M has no positive diagonal or is not positive definite, W not
  /// positive semidefinite
  /// @param where  names the problem in messages
  ImportedProblem(FrictionProblem problem, const std::string& where);

  const FrictionProblem& source() const { return source_; }
  const ContactProblem& contact_problem();
  /// In the coordinates of the source.
  FrictionSolution answer(const Solution& solution) const;
  /// error_siconos of the answer to the problem that is solved at present, M' and the defect as it
  /// stands: what is left for the solver, not for correct().
  double inner_error(const FrictionSolution& answer);
  void correct(const FrictionSolution& answer);
  /// Whether there is a defect of more than rounding, so that correcting it decides what can be
  /// reached.
  bool has_notable_defect();

 private:
  void import_global();
  /// Unless it is done.
  void import_local();
  void finish(const std::vector<Body>& bodies);
  void add_contacts(const Eigen::SparseMatrix<double>& J);
  /// Right-hand sides with the defect as it is corrected.
  void set_b();
  void set_phi();

  FrictionProblem source_;
  std::string where_;
  bool made_ = false;  ///< the ContactProblem and the defect
  ContactProblem problem_;
  Eigen::SparseMatrix<double> defect_;  ///< M' - M, rows scaled like those of A
  Eigen::VectorXd corrected_;           ///< the defect on the right-hand side, scaled likewise
  bool notable_ = false;
  FixedPointMixing mixing_;
  std::vector<std::int32_t> place_;  ///< of the unknowns y, 3 row + axis
  Eigen::VectorXd scale_;            ///< S
};

}  // namespace nodia

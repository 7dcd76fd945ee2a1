/// Converts a FrictionProblem to a ContactProblem for any solver, and solutions back.
#pragma once

#include "host/exchange/fixed_point_mixing.hpp"
#include "host/exchange/friction_problem.hpp"
#include "host/exchange/unknowns.hpp"
#include "host/solvers/interface.hpp"

namespace nodia {

/// Global: the unknowns y of the ContactProblem are v = S y, with S diagonal, 1/sqrt(M_ii), in the
/// rows of Unknowns. A = S M' S with M' the symmetric part of M. Every contact acts on a point with
/// the velocity H^T S y of its columns.
///
/// Local: W' = (W + W^T)/2 = L L^T, A = I, u = L y + q, so that W' is the Delassus matrix of the
/// ContactProblem. y has as many entries as the rank of W'. This takes an eigenvalue decomposition,
/// which is postponed until a caller asks for the ContactProblem: if possible, solve_imported
/// solves local problems from W alone.
///
/// step_s = 1 and lambda = r. In two dimensions the second tangent is an additional unknown, at
/// rest and as heavy as the first, so that all contacts have three axes.
///
/// M' instead of M leaves a defect. correct() adds the defect of the last solution to the
/// right-hand side: a solution that reproduces itself solves the problem with M.
/// has it: the solutions that repeat themselves are those of M.
class ImportedProblem {
 public:
  /// @param where  name of the problem in messages
  /// @throws InputError if M has no positive diagonal or is not positive definite, or W is not
  /// positive semidefinite
  ImportedProblem(FrictionProblem problem, const std::string& where);

  const FrictionProblem& source() const { return source_; }
  const ContactProblem& contact_problem();
  /// Solution in the coordinates of the source.
  FrictionSolution answer(const Solution& solution) const;
  /// error_siconos of a solution of the current problem, with M' and the current defect: the part
  /// of the error that the solver can reduce, without the part of correct().
  double inner_error(const FrictionSolution& answer);
  void correct(const FrictionSolution& answer);
  /// True if the defect exceeds rounding, so that its correction limits the reachable error.
  bool has_notable_defect();

 private:
  void import_global();
  /// Imports a local problem unless this has been done.
  void import_local();
  void finish(const std::vector<Body>& bodies);
  void add_contacts(const Eigen::SparseMatrix<double>& J);
  /// Sets the right-hand sides with the corrected defect.
  void set_b();
  void set_phi();

  FrictionProblem source_;
  std::string where_;
  bool made_ = false;  ///< the ContactProblem and the defect exist
  ContactProblem problem_;
  Eigen::SparseMatrix<double> defect_;  ///< M' - M, with the row scaling of A
  Eigen::VectorXd corrected_;           ///< defect on the right-hand side, same scaling
  bool notable_ = false;
  FixedPointMixing mixing_;
  std::vector<std::int32_t> place_;  ///< index 3 row + axis of each unknown y
  Eigen::VectorXd scale_;            ///< S
};

}  // namespace nodia

/// Errors of solutions in the norm of A, and reference solutions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/solvers/interface.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"
#include "host/solvers/options.hpp"

namespace nodia::studies {

/// Errors of a problem with one environment. Keeps a Cholesky factor of A, by CHOLMOD if present.
class EnergyError {
 public:
  /// @throws RuntimeError if A is not positive definite
  explicit EnergyError(const ContactProblem& problem);

  /// |v|_A [(J/s)^(1/2)]
  double norm(const std::vector<Vec3d>& v) const;
  /// A^-1 (b + J^T lambda) - v: difference between the velocity of the forces and v [m/s]
  std::vector<Vec3d> contradiction(const std::vector<Vec3d>& v,
                                   const std::vector<Vec3d>& lambda) const;
  /// The larger of |v - v_ref|_A and |A^-1 (b + J^T lambda) - v_ref|_A.
  double distance(const Solution& solution, const std::vector<Vec3d>& v_ref) const;

 private:
  const ContactProblem& problem_;
  std::unique_ptr<SparseCholesky> factor_;
};

/// A reference solution and its error.
struct Reference {
  std::vector<Vec3d> v;
  double norm = 0;     ///< |v|_A
  double error = 0;    ///< in the norm of A, see reference_of()
  std::string reason;  ///< reason why the solution is no reference; empty if it is one
};

/// Reference solution by `newton` at the tolerance 1e-10, or 1e-9 or 1e-8 if it does not converge.
/// It is computed twice: from the warm start of the step and from zero. The error is the maximum of
/// the distance of both solutions, of EnergyError::contradiction(), and of the solver's error
/// estimate. The contact law must hold to 1e-6 (natural map of the velocity of the forces).
/// @param law  projection and omega of invertible contact
Reference reference_of(const ContactProblem& problem, const WarmStart& warm,
                       const EnergyError& energy, const CommonOptions& law);

}  // namespace nodia::studies

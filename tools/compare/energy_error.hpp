/// Errors of solutions in the norm of A, and the solutions they are measured against.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/solvers/interface.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"
#include "host/solvers/options.hpp"

namespace nodia::studies {

/// Of one environment. Keeps a factor of A, by CHOLMOD where it was found.
class EnergyError {
 public:
  /// @throws RuntimeError where A is not positive definite
  explicit EnergyError(const ContactProblem& problem);

  /// |v|_A [(J/s)^(1/2)]
  double norm(const std::vector<Vec3d>& v) const;
  /// A^-1 (b + J^T lambda) - v: what velocity and forces contradict each other by [m/s]
  std::vector<Vec3d> contradiction(const std::vector<Vec3d>& v,
                                   const std::vector<Vec3d>& lambda) const;
  /// The larger of |v - v_ref|_A and |A^-1 (b + J^T lambda) - v_ref|_A.
  double distance(const Solution& solution, const std::vector<Vec3d>& v_ref) const;

 private:
  const ContactProblem& problem_;
  std::unique_ptr<SparseCholesky> factor_;
};

/// A reference solution, and what it is known to be wrong by.
struct Reference {
  std::vector<Vec3d> v;
  double norm = 0;     ///< |v|_A
  double error = 0;    ///< in the norm of A, as norm: see reference_of
  std::string reason;  ///< why it is none; empty where it is one
};

/// `newton` to 1e-10, or 1e-9 or 1e-8 where it does not end there, from the step's own start and
/// from nothing. The error is the largest of the distance of the two answers, of what velocity and
/// forces contradict each other by, and of the solver's own estimate. The contact law must hold
/// (natural map, of the velocity that the forces lead to) to 1e-6.
/// @param law  projection and omega of invertible contact
Reference reference_of(const ContactProblem& problem, const WarmStart& warm,
                       const EnergyError& energy, const CommonOptions& law);

}  // namespace nodia::studies

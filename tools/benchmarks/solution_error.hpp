/// The true error of solutions to problems of one matrix pattern, by one factor for all of them.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia::studies {

/// The larger of |v - v_ref|_A and |A^-1 (b + Jc^T lambda) - v_ref|_A, over |v_ref|_A [-]. The
/// second is TrueError's; here by conjugate gradients, preconditioned with the factor of another
/// step's A, to 1e-6 of itself.
class SolutionError {
 public:
  /// Factorises the matrix of one step. @throws RuntimeError where it is not positive definite
  explicit SolutionError(const ContactProblem& problem);

  /// |v - v_ref|_A/|v_ref|_A: at most the whole, and cheap.
  static double of_velocity(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                            const std::vector<Vec3d>& v);
  /// |A^-1 (b + Jc^T lambda) - v_ref|_A/|v_ref|_A.
  /// @param problem  of the pattern of the factorised one, and near it
  /// @throws RuntimeError where conjugate gradients do not end: the matrices are far apart
  double of_forces(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                   const std::vector<Vec3d>& lambda) const;

 private:
  std::unique_ptr<SparseCholesky> factor_;
};

}  // namespace nodia::studies

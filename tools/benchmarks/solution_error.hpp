/// True error of solutions to problems of one matrix pattern, with one factorisation for all of
/// them.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia::studies {

/// The two parts of the true error: |v - v_ref|_A and |A^-1 (b + Jc^T lambda) - v_ref|_A, over
/// |v_ref|_A [-]. The second is that of TrueError, here by conjugate gradients to a relative 1e-6,
/// preconditioned with the factor of another step's A.
class SolutionError {
 public:
  /// Factorises the matrix of one step. @throws RuntimeError if it is not positive definite
  explicit SolutionError(const ContactProblem& problem);

  /// |v - v_ref|_A/|v_ref|_A, a cheap lower bound of the true error.
  static double of_velocity(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                            const std::vector<Vec3d>& v);
  /// |A^-1 (b + Jc^T lambda) - v_ref|_A/|v_ref|_A.
  /// @param problem  has the pattern of the factorised problem, and a similar matrix
  /// @throws RuntimeError if conjugate gradients do not converge: the matrices are far apart
  double of_forces(const ContactProblem& problem, const std::vector<Vec3d>& v_ref,
                   const std::vector<Vec3d>& lambda) const;

 private:
  std::unique_ptr<SparseCholesky> factor_;
};

}  // namespace nodia::studies

/// Sparse Cholesky factor of a problem's A, for measures that need A^-1.
#pragma once

#include <Eigen/SparseCholesky>

#include "host/problem/contact_problem.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

/// Factorises A of a problem. @throws RuntimeError if A is not positive definite
inline void factorise(const ContactProblem& p,
                      Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>* factor) {
  factor->compute(p.A.to_eigen());
  if (factor->info() != Eigen::Success)
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
}

}  // namespace nodia

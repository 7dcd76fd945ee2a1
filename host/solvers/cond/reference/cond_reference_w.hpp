/// W of the plain loop (cond_reference.hpp) in plain text: Lee et al., IV-C; math.md section 4.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "host/solvers/cond/reference/cond_reference_system.hpp"

namespace nodia {

/// W of (20) and (24), symmetric positive definite, the same on the three axes of every row that a
/// contact acts on.
struct StepSizeMatrix {
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> times;  ///< W x
  /// Per scalar row: W there, where contacts act. On rows of a block a value of the block's
  /// magnitude, for the metric of restarts and of Barzilai-Borwein's rule.
  Eigen::VectorXd w;
};

/// W before the guard, times `scale`.
///
///   row of A       WKind's value of its three rows, see kernels/vfpi/w/diagonal.hpp
///   ... with ties  1/(1/w + sum kv c_e/2)
///   virtual node   1/kv
///   rigid body     (A + kv Jv^T Jv)^-1 of its rows;  a chain likewise, of the rows in no contact
///
StepSizeMatrix step_size_matrix(const NodalSystem& system, WKind kind, double scale = 1);

/// lambda_max(W A) of the nodal system, from below.
double largest_eigenvalue(const NodalSystem& system, const StepSizeMatrix& W);

/// The factor on W that Theorem 2 needs for lambda_max(W A) < 2, and Nesterov's scheme for <= 1.
/// @param lambda_max  of the unscaled W
double guard_scale(const NodalSystem& system, const SolverOptions& options, double lambda_max);

}  // namespace nodia

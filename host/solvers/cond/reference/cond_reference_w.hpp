/// W of the reference solver (cond_reference.hpp): Lee et al., IV-C; math.md section 4.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "host/solvers/cond/reference/cond_reference_system.hpp"

namespace nodia {

/// W of (20) and (24), symmetric positive definite, equal on the three axes of rows with contacts.
struct StepSizeMatrix {
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> times;  ///< W x
  /// W per scalar row with contacts. Rows of a block have a value of the block's magnitude, for the
  /// metric of restarts and of Barzilai-Borwein's rule.
  Eigen::VectorXd w;
};

/// W before the factor of guard_scale(), times `scale`.
///
///   row of A                WKind's value of its three rows, see kernels/vfpi/w/diagonal.hpp
///   ... with constraints    1/(1/w + sum kv c_e/2)
///   contact node            1/kv
///   rigid body              (A + kv Jv^T Jv)^-1 of its rows; same for contact-free rows of a chain
///
StepSizeMatrix step_size_matrix(const NodalSystem& system, WKind kind, double scale = 1);

/// Estimates lambda_max(W A) of the nodal system from below.
double largest_eigenvalue(const NodalSystem& system, const StepSizeMatrix& W);

/// Factor on W that Theorem 2 needs for lambda_max(W A) < 2, and Nesterov's scheme for <= 1.
/// @param lambda_max  value for the unscaled W
double guard_scale(const NodalSystem& system, const SolverOptions& options, double lambda_max);

}  // namespace nodia

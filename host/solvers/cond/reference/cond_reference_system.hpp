/// Nodal system of the reference solver (cond_reference.hpp): nodalized dynamics, Lee et al. (15).
#pragma once

#include <Eigen/Core>

#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// One environment after nodalization.
struct NodalSystem {
  NodalSystem(const ContactProblem& problem, const SolverOptions& options);

  ContactProblem problem;         ///< original problem, which evaluates the solution
  std::vector<Vec3d> compliance;  ///< estimated Delassus diagonal [m/(N s)]
  Nodalization nodes;             ///< one contact node per point
  ContactProblem nodal;           ///< (15): contacts act only on rows, the last are contact nodes
};

/// State of the loop: velocities stacked by row of `nodal`, forces by contact.
struct ReferenceState {
  Eigen::VectorXd v;       ///< v** [m/s]
  Eigen::VectorXd lambda;  ///< contact frames [N]
};

/// Initial state: a contact node moves at its point's velocity plus its force over kv.
/// @param v, lambda  initial guess of the problem; empty: zero
ReferenceState reference_start(const NodalSystem& system, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& lambda);

/// softness_m lambda_m of every contact: velocity of its contact nodes relative to points [m/s].
Eigen::VectorXd ahead_of_points(const NodalSystem& system, const Eigen::VectorXd& lambda);

/// Errors of math.md section 6 for the stop, and errors that update the bias (section 4b).
struct NodalErrors {
  double residual = 0, contact = 0;
  double inner = 0;        ///< contact error of the nodal system, whose u includes the bias
  double bias_change = 0;  ///< change by an update of the bias, on the same scale
};
/// @param bias  added to phi in the nodal system [m/s]
NodalErrors errors_of(const NodalSystem& system, const SolverOptions& options,
                      const ReferenceState& state, const Eigen::VectorXd& bias);

}  // namespace nodia

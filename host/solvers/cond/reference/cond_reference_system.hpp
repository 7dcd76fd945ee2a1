/// What the plain loop (cond_reference.hpp) iterates on: the dynamics after nodalization (Lee et
/// al., (15)).
#pragma once

#include <Eigen/Core>

#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// One environment after nodalization.
struct NodalSystem {
  NodalSystem(const ContactProblem& problem, const SolverOptions& options);

  ContactProblem problem;         ///< as it was given: judges the answer
  std::vector<Vec3d> compliance;  ///< Delassus diagonal estimate [m/(N s)]
  Nodalization nodes;             ///< a virtual node per point
  ContactProblem nodal;           ///< (15): contacts act on rows alone, the last are virtual nodes
};

/// Where the loop stands: velocities stacked by row of `nodal`, forces by contact.
struct ReferenceState {
  Eigen::VectorXd v;       ///< v** [m/s]
  Eigen::VectorXd lambda;  ///< contact frames [N]
};

/// The starting point: virtual nodes are ahead of their points by the forces on them over kv.
/// @param v, lambda  of the problem, each may be empty: zero
ReferenceState reference_start(const NodalSystem& system, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& lambda);

/// softness_m lambda_m of every contact: how far its virtual sides are ahead of their points [m/s].
Eigen::VectorXd ahead_of_points(const NodalSystem& system, const Eigen::VectorXd& lambda);

/// The errors of math.md section 6 that stop the loop, and those that move the bias (section 4b).
struct NodalErrors {
  double residual = 0, contact = 0;
  double inner = 0;        ///< contact error of the nodal system, whose u holds the bias
  double bias_change = 0;  ///< what moving the bias would change, on the same scale
};
/// @param bias  added to phi in the nodal system [m/s]
NodalErrors errors_of(const NodalSystem& system, const SolverOptions& options,
                      const ReferenceState& state, const Eigen::VectorXd& bias);

}  // namespace nodia

/// The energy f.A^-1 f of forces, from below: as if soft bodies could only be moved as a whole.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// Translations of a soft body, all motions of a rigid body and a robot. These differ the most from
/// what a Newton step sees of a residual: a contact's penalty holds them.
class WholeBodyEnergy {
 public:
  /// @param problem  of one environment; kept by reference
  explicit WholeBodyEnergy(const ContactProblem& problem);

  /// @param f  per row [N]
  double operator()(const std::vector<Vec3d>& f) const;

 private:
  const ContactProblem& problem_;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> factor_;  ///< per body
};

}  // namespace nodia

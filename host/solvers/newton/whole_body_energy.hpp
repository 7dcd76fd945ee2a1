/// Lower bound of the energy f.A^-1 f of forces, for motions of soft bodies as a whole.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// Considers translations of soft bodies and all motions of rigid bodies and robots. A Newton step
/// underestimates these most, because a contact's penalty resists them.
class WholeBodyEnergy {
 public:
  /// @param problem  has one environment; kept by reference
  explicit WholeBodyEnergy(const ContactProblem& problem);

  /// @param f  [n_row] [N]
  double operator()(const std::vector<Vec3d>& f) const;

 private:
  const ContactProblem& problem_;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> factor_;  ///< one per body
};

}  // namespace nodia

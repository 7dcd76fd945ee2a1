/// Conjugate gradients with a multigrid cycle as preconditioner, step by step.
#pragma once

#include "host/solvers/multigrid/multigrid.hpp"

namespace nodia {

class ConjugateGradients {
 public:
  /// K x = r from x = 0; energies are squares of the norm of K.
  /// @param multigrid  preconditions; K is its last matrix, which is not to change meanwhile
  ConjugateGradients(const std::vector<Vec3d>& r, Multigrid* multigrid);

  /// One step. @return false where the matrix, the cycle or the numbers are not what they must be;
  /// the step is not taken then. Nothing is left to do where r is zero: true
  bool step();
  int iterations() const { return iterations_; }
  /// |x|^2: that of the solution, from below.
  double energy() const { return energy_; }
  /// Of the energy of what is left, by the last step.
  double decrease() const { return decrease_; }
  std::vector<Vec3d>& x() { return x_; }

 private:
  Multigrid* multigrid_;
  std::vector<Vec3d> rest_, x_, z_, p_, Kp_;
  double rz_ = 0, energy_ = 0, decrease_ = 0;
  int iterations_ = 0;
};

}  // namespace nodia

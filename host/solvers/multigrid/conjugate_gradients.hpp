/// Conjugate gradients with multigrid preconditioner (kernels/multigrid/conjugate_gradients.hpp).
#pragma once

#include <vector>

#include "host/solvers/multigrid/multigrid.hpp"
#include "kernels/multigrid/conjugate_gradients.hpp"

namespace nodia {

class ConjugateGradients {
 public:
  virtual ~ConjugateGradients() = default;

  /// Sets the matrix of the products and of the finest level; kept by reference.
  /// @param blocks  blocks that can differ from the time step's matrix
  virtual void set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>& blocks) = 0;
  /// Same if only these blocks of the matrix have changed.
  virtual void update_matrix(const std::vector<std::int32_t>& blocks) = 0;

  /// Starts K x = r from x = 0 with the current hierarchy.
  void start(const std::vector<Vec3d>& r);
  /// Iterates until a step adds at most `share` of the energy found, or at most `enough`, or until
  /// `most_iterations` since the start. At least one step is taken, or fails.
  const GradientState& run(double share, double enough, int most_iterations);
  const GradientState& state() const { return state_; }
  /// Returns x of the steps so far.
  virtual void take(std::vector<Vec3d>* x) = 0;

 protected:
  /// @param multigrid  preconditioner; it also counts the work
  explicit ConjugateGradients(Multigrid* multigrid) : multigrid_(*multigrid) {}

  /// @param r  may change after the call
  virtual void begin(const std::vector<Vec3d>& r) = 0;
  /// @return state after the steps
  virtual GradientState take_steps(const GradientGoal& goal) = 0;

  Multigrid& multigrid_;

 private:
  GradientState state_;
};

}  // namespace nodia

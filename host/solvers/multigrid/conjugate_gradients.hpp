/// Conjugate gradients with cycles of a multigrid hierarchy as preconditioner
/// (kernels/multigrid/conjugate_gradients.hpp), wherever these run.
#pragma once

#include <vector>

#include "host/solvers/multigrid/multigrid.hpp"
#include "kernels/multigrid/conjugate_gradients.hpp"

namespace nodia {

class ConjugateGradients {
 public:
  virtual ~ConjugateGradients() = default;

  /// Of the products and of the hierarchy's finest level; kept by reference.
  /// @param blocks  in which it may differ from the time step's
  virtual void set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>& blocks) = 0;
  /// The same, where that matrix has changed in these blocks alone.
  virtual void update_matrix(const std::vector<std::int32_t>& blocks) = 0;

  /// K x = r from x = 0, with the hierarchy as it is now.
  void start(const std::vector<Vec3d>& r);
  /// Steps to the first that adds at most `share` of the energy found, or `enough`, or until there
  /// were `most_iterations` since the start. One is taken, or fails, whatever was found before.
  const GradientState& run(double share, double enough, int most_iterations);
  const GradientState& state() const { return state_; }
  /// x of the steps so far.
  virtual void take(std::vector<Vec3d>* x) = 0;

 protected:
  /// @param multigrid  the hierarchy, which counts the work
  explicit ConjugateGradients(Multigrid* multigrid) : multigrid_(*multigrid) {}

  /// @param r  may change afterwards
  virtual void begin(const std::vector<Vec3d>& r) = 0;
  /// @return the state at the end
  virtual GradientState take_steps(const GradientGoal& goal) = 0;

  Multigrid& multigrid_;

 private:
  GradientState state_;
};

}  // namespace nodia

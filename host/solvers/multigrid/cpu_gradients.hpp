/// Conjugate gradients on the CPU.
#pragma once

#include "host/solvers/multigrid/conjugate_gradients.hpp"

namespace nodia {

class CpuGradients final : public ConjugateGradients {
 public:
  explicit CpuGradients(Multigrid* multigrid) : ConjugateGradients(multigrid) {}

  void set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>& blocks = {}) override;
  void update_matrix(const std::vector<std::int32_t>& blocks) override;
  void take(std::vector<Vec3d>* x) override { x->swap(x_); }
  /// Arrays of a run and of its cycles, for launches; valid until the next start().
  GradientView view(GradientGoal* goal);
  const std::vector<MultigridLevel>& levels() const { return levels_; }

 protected:
  void begin(const std::vector<Vec3d>& r) override;
  GradientState take_steps(const GradientGoal& goal) override;

 private:
  const BlockMatrix* K_ = nullptr;
  std::vector<MultigridLevel> levels_;
  std::vector<Vec3d> r_, x_, rest_, cycled_, direction_, product_;
  std::vector<double> part_;
  GradientState found_;
};

}  // namespace nodia

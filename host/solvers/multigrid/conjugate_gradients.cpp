#include "host/solvers/multigrid/conjugate_gradients.hpp"

namespace nodia {

void ConjugateGradients::start(const std::vector<Vec3d>& r) {
  begin(r);
  state_ = {};
}

const GradientState& ConjugateGradients::run(double share, double enough, int most_iterations) {
  constexpr int kMoreBodies = 4;
  GradientGoal goal{share, enough, most_iterations, {}};
  goal.loop = {1, 0, most_iterations + kMoreBodies};
  const GradientState after = take_steps(goal);
  multigrid_.count(after.n_cycle - state_.n_cycle, after.n_product - state_.n_product);
  state_ = after;
  return state_;
}

}  // namespace nodia

#include "host/solvers/multigrid/cpu_gradients.hpp"

namespace nodia {

void CpuGradients::set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>&) {
  K_ = &K;
  multigrid_.set_matrix(K);
}

void CpuGradients::update_matrix(const std::vector<std::int32_t>& blocks) {
  multigrid_.update_matrix(blocks);
}

GradientView CpuGradients::view(GradientGoal* goal) {
  GradientView view;
  view.K = K_->view();
  view.r = r_.data();
  view.x = x_.data();
  view.rest = rest_.data();
  view.cycled = cycled_.data();
  view.direction = direction_.data();
  view.product = product_.data();
  view.n_chunk = item_count(K_->n_row());
  view.part = part_.data();
  view.part_stride = static_cast<int>(part_.size());
  view.goal = goal;
  view.state = &found_;
  return view;
}

void CpuGradients::begin(const std::vector<Vec3d>& r) {
  r_ = r;
  for (std::vector<Vec3d>* v : {&x_, &rest_, &cycled_, &direction_, &product_}) v->resize(r.size());
  part_.assign(static_cast<std::size_t>(gradient_stride(K_->n_row())), 0);
  levels_ = multigrid_.levels(rest_, &cycled_);
  const GradientView own = view(nullptr);
  launch_gradient_start(multigrid_.launcher(), &own, K_->n_row());
}

GradientState CpuGradients::take_steps(const GradientGoal& goal) {
  GradientGoal own_goal = goal;
  const GradientView own = view(&own_goal);
  const CpuLauncher launcher = multigrid_.launcher();
  launch_gradient_steps(launcher, &own, &own_goal.loop, levels_.data(), multigrid_.sizes().data(),
                        multigrid_.n_level());
  return found_;
}

}  // namespace nodia

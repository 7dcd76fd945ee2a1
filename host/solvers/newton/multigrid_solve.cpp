#include "host/solvers/newton/multigrid_solve.hpp"

namespace nodia {
namespace {

constexpr int kMaxIterations = 60;
/// A hierarchy is made anew where this share of the contacts has another state, or iterations have
/// grown by so much.
constexpr double kOtherStates = 0.2, kGrowth = 1.6;
constexpr int kMoreIterations = 2;
/// Contacts that share rows can have larger eigenvalues than the estimate, which is without them:
/// smoothing that amplifies shows in the iteration.
constexpr double kLessSmoothing = 1.3;
constexpr int kTrials = 4;
/// What the first step finds of the energy at least, as a rule: half as much in flat bodies as in
/// round ones.
constexpr double kFirstShare = 0.2;

}  // namespace

void MultigridSolve::start(const RelativeSystem& system, int n_thread) {
  before_ = multigrid_.multiply_adds();
  multigrid_.set_threads(n_thread);
  multigrid_.set_topology(system.problem.topology[0]);
  multigrid_.estimate_lambda_max(system.K, &direction_);
  is_built_ = false;
}

bool MultigridSolve::must_build(const std::vector<ContactState>& states) const {
  if (!is_built_) return true;
  if (built_iterations_ > 0 && last_iterations_ > kGrowth * built_iterations_ + kMoreIterations)
    return true;
  int changed = 0;
  for (std::size_t m = 0; m < states.size(); ++m) changed += states[m] != built_states_[m] ? 1 : 0;
  return changed > kOtherStates * static_cast<double>(states.size());
}

/// The first step again, with less smoothing until it can be taken.
bool MultigridSolve::restart() {
  for (int k = 0; k < kTrials; ++k) {
    gradients_.emplace(r_, &multigrid_);
    if (gradients_->step()) return true;
    multigrid_.raise_lambda_max(kLessSmoothing);
  }
  return false;
}

bool MultigridSolve::begin(const NewtonStep& step, const std::vector<Vec3d>& position,
                           const std::vector<Vec3d>& r) {
  multigrid_.set_matrix(step.K());
  if (must_build(step.states())) {
    multigrid_.build(position, step.filter());
    built_states_ = step.states();
    is_built_ = true;
    built_iterations_ = 0;
  }
  r_ = r;
  return restart();
}

double MultigridSolve::decrement() const {
  return std::sqrt(gradients_->energy() / kFirstShare);
}

bool MultigridSolve::finish(double share, double enough, std::vector<Vec3d>* d) {
  const auto done = [&] {
    return gradients_->decrease() <= std::max(share * gradients_->energy(), enough);
  };
  int n_trial = 1;
  while (!done()) {
    if (gradients_->iterations() >= kMaxIterations) return false;
    if (gradients_->step()) continue;
    if (++n_trial > kTrials) return false;
    multigrid_.raise_lambda_max(kLessSmoothing);
    if (!restart()) return false;
  }
  last_iterations_ = gradients_->iterations();
  if (built_iterations_ == 0) built_iterations_ = last_iterations_;
  d->swap(gradients_->x());
  return true;
}

}  // namespace nodia

#include "host/solvers/newton/multigrid_solve.hpp"

#include <algorithm>

#include "host/solvers/multigrid/cpu_gradients.hpp"

namespace nodia {
namespace {

constexpr int kMaxIterations = 60;
/// A hierarchy is rebuilt if this share of contacts changed state, or iterations grew this much.
constexpr double kOtherStates = 0.2, kGrowth = 1.6;
constexpr int kMoreIterations = 2;
/// Contacts that share rows can have larger eigenvalues than the estimate without contacts; the
/// iteration detects smoothing that amplifies.
constexpr double kLessSmoothing = 1.3;
constexpr int kTrials = 4;
/// Usual minimum of the energy that the first step finds; flat bodies have half of round ones.
constexpr double kFirstShare = 0.2;

}  // namespace

void MultigridSolve::start(const RelativeSystem& system, int n_thread) {
  system_ = &system;
  multigrid_->set_threads(n_thread);
  const Topology& topology = *system.problem.topology[0];
  const bool is_new = multigrid_->set_topology(system.problem.topology[0], aggregates_.get());
  if (is_new) gradients_.reset();
  if (device_ && has_device_form(topology)) {
    if (!matrix_) matrix_ = std::make_unique<DeviceMatrix>(*device_);
    matrix_->set(system.K);
    if (!gradients_)
      gradients_ = std::make_unique<DeviceGradients>(matrix_.get(), multigrid_.get());
  } else if (!gradients_) {
    smoothing_.reset();
    matrix_.reset();
    gradients_ = std::make_unique<CpuGradients>(multigrid_.get());
  }
  knows_smoothing_ = false;
  is_built_ = is_built_ && !is_new;
  if (!given_.empty()) restore(std::exchange(given_, {}));
  if (direction_.size() != system.b.size()) direction_.clear();
  before_ = multigrid_->multiply_adds();
}

bool MultigridSolve::must_build(const States& states) const {
  if (!is_built_) return true;
  if (built_iterations_ > 0 && last_iterations_ > kGrowth * built_iterations_ + kMoreIterations)
    return true;
  std::size_t same = 0;
  auto built = built_states_.begin();
  for (const auto& state : states) {
    built = std::lower_bound(built, built_states_.end(), state);
    if (built != built_states_.end() && *built == state) ++same;
  }
  const std::size_t n = std::max(states.size(), built_states_.size());
  return static_cast<double>(n - same) > kOtherStates * static_cast<double>(n);
}

/// Repeats the first step with less smoothing until it succeeds.
bool MultigridSolve::restart() {
  for (int k = 0; k < kTrials; ++k) {
    gradients_->start(r_);
    if (gradients_->run(0, 0, 1).outcome != GradientOutcome::failed) return true;
    multigrid_->raise_lambda_max(kLessSmoothing);
  }
  return false;
}

bool MultigridSolve::begin(const NewtonStep& step, const std::vector<Vec3d>& position,
                           const std::vector<Vec3d>& r) {
  States states;
  const std::vector<Contact<double>>& contacts = system_->problem.contacts;
  for (std::size_t m = 0; m < contacts.size(); ++m)
    states.emplace_back(contacts[m].key, step.states()[m]);
  std::sort(states.begin(), states.end());
  const bool build = must_build(states);
  if (build) multigrid_->estimate_lambda_max(system_->K, &direction_);
  if (build || !step.changed())
    gradients_->set_matrix(step.K(), step.with_contacts());
  else
    gradients_->update_matrix(*step.changed());
  if (build) {
    multigrid_->build(position, step.filter());
    built_states_ = std::move(states);
    is_built_ = true;
    built_iterations_ = 0;
  }
  r_ = r;
  is_built_ = restart();
  return is_built_;
}

bool MultigridSolve::smooth(Smoothing* smoothing, int n_times, std::vector<Vec3d>* y,
                            std::vector<Vec3d>* g, std::vector<Vec3d>* lambda) {
  const SmoothingView view = smoothing->view(y, g, lambda);
  if (!matrix_ || view.n_coupled > 0) return false;
  if (!smoothing_) smoothing_ = std::make_unique<DeviceSmoothing>(matrix_.get());
  if (!knows_smoothing_) smoothing_->set(view, system_->n_contact());
  knows_smoothing_ = true;
  smoothing_->run(n_times, y, g, lambda);
  smoothing->forget_sweeps();
  return true;
}

double MultigridSolve::decrement() const {
  return std::sqrt(gradients_->state().energy / kFirstShare);
}

bool MultigridSolve::finish(double share, double enough, std::vector<Vec3d>* d) {
  const auto iterations = [&] { return gradients_->state().iterations; };
  int n_trial = 1;
  while (!reaches(gradients_->state(), share, enough)) {
    if (iterations() < kMaxIterations &&
        gradients_->run(share, enough, kMaxIterations).outcome != GradientOutcome::failed)
      continue;
    multigrid_->raise_lambda_max(kLessSmoothing);
    is_built_ = iterations() < kMaxIterations && ++n_trial <= kTrials && restart();
    if (!is_built_) return false;
  }
  last_iterations_ = iterations();
  if (built_iterations_ == 0) built_iterations_ = last_iterations_;
  gradients_->take(d);
  return true;
}

std::vector<double> MultigridSolve::state() const {
  if (!given_.empty()) return given_;
  if (!is_built_) return {};
  const std::vector<double> hierarchy = multigrid_->saved();
  std::vector<double> numbers{
      static_cast<double>(built_iterations_), static_cast<double>(last_iterations_),
      static_cast<double>(direction_.size()), static_cast<double>(built_states_.size())};
  for (const Vec3d& x : direction_) numbers.insert(numbers.end(), {x.x, x.y, x.z});
  for (const auto& [key, state] : built_states_)
    numbers.insert(numbers.end(),
                   {static_cast<double>(key >> 32), static_cast<double>(key & 0xffffffff),
                    static_cast<double>(state)});
  numbers.insert(numbers.end(), hierarchy.begin(), hierarchy.end());
  return numbers;
}

void MultigridSolve::set_state(const std::vector<double>& numbers) {
  is_built_ = false;
  direction_.clear();
  given_ = numbers;
}

void MultigridSolve::restore(const std::vector<double>& numbers) {
  is_built_ = false;
  direction_.clear();
  built_states_.clear();
  if (numbers.size() < 4) return;
  const auto is_count = [&](double x) {
    return x >= 0 && x <= static_cast<double>(numbers.size());
  };
  if (!std::all_of(numbers.begin(), numbers.begin() + 4, is_count)) return;
  const auto n_direction = static_cast<std::size_t>(numbers[2]),
             n_state = static_cast<std::size_t>(numbers[3]);
  const std::size_t first = 4 + 3 * (n_direction + n_state);
  if (numbers[2] != static_cast<double>(system_->b.size()) || first > numbers.size()) return;
  if (!multigrid_->restore({numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end()}))
    return;
  built_iterations_ = static_cast<int>(numbers[0]);
  last_iterations_ = static_cast<int>(numbers[1]);
  const double* next = numbers.data() + 4;
  for (std::size_t i = 0; i < n_direction; ++i, next += 3)
    direction_.push_back({next[0], next[1], next[2]});
  for (std::size_t m = 0; m < n_state; ++m, next += 3)
    built_states_.emplace_back(
        (static_cast<std::uint64_t>(next[0]) << 32) | static_cast<std::uint64_t>(next[1]),
        static_cast<ContactState>(static_cast<int>(next[2])));
  is_built_ = true;
}

}  // namespace nodia

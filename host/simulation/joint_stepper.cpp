#include "host/simulation/joint_stepper.hpp"

#include <algorithm>
#include <utility>

#include "host/solvers/catalogue.hpp"

namespace nodia {

JointStepper::JointStepper(const SolverOptions& options, Environments* envs)
    : envs_(*envs), batch_(pointers_of(*envs), options.threads), solver_(make_solver(options)) {}

void JointStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                        std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  std::vector<char> now(envs_.size());
  for (int k = 0; k < steps.count; ++k) {
    take_step(records->data(), now.data());
    for (std::size_t e = 0; e < now.size(); ++e) {
      if (!now[e]) continue;
      (*stepped)[e] = 1;
      if (steps.each) steps.each(static_cast<int>(e));
    }
  }
}

void JointStepper::take_step(StepRecord* records, char* stepped) {
  end_begun();
  const bool leaves_end = batch_.can_leave_contacts() && solver_->makes_contacts(batch_.problem());
  if (leaves_end) {
    batch_.prepare();
  } else {
    bring_all();
    batch_.build();
  }
  n_asked_ = 0;
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
  if (!leaves_end) return batch_.finish(batch_.problem(), solution_, records, stepped);
  begin_foreseen();
  batch_.leave(
      solution_, [this](int env) { make_whole(env); }, this, records, stepped);
  for (const EnvironmentRange& range : std::exchange(whole_, {}))
    for (int e = range.begin; e < range.end;) e = take_left(e, range.end, true);
}

/// Those that will be asked for come while the records are made.
void JointStepper::begin_foreseen() {
  if (!asked_ || solution_.left.empty()) return;
  const auto n_env = static_cast<int>(envs_.size());
  const auto comes = [&](int e) {
    const Environment& env = *envs_[static_cast<std::size_t>(e)];
    return !env.failed() && asked_(e, env.n_step() + 1);
  };
  for (int e = 0; e < n_env; ++e) {
    const int first = e;
    while (e < n_env && comes(e)) ++e;
    if (first < e) begun_.push_back({first, e});
  }
  if (begun_.empty()) return;
  try {
    solver_->begin_bringing(begun_);
  } catch (...) {
    begun_.clear();
    throw;
  }
}

void JointStepper::end_begun() {
  if (begun_.empty()) return;
  const std::vector<EnvironmentRange> ranges = std::exchange(begun_, {});
  solver_->end_bringing(&solution_);
  for (const EnvironmentRange& range : ranges)
    for (int e = range.begin; e < range.end;) e = take_left(e, range.end, true);
}

/// Makes solution_ whole for an environment, while the step is recorded.
void JointStepper::make_whole(int env) {
  if (!begun_.empty()) {
    whole_ = std::exchange(begun_, {});
    solver_->end_bringing(&solution_);
  }
  const auto has = [env](const EnvironmentRange& range) { return range.has(env); };
  if (std::none_of(whole_.begin(), whole_.end(), has)) solver_->bring({env, env + 1}, &solution_);
}

/// The first of [begin, end) that are left, and those behind it that are, take their ends.
/// @param is_here  solution_ has them; else they come in one go
/// @return where they end
int JointStepper::take_left(int begin, int end, bool is_here) {
  while (begin < end && !batch_.has_left(begin)) ++begin;
  const int first = begin;
  while (begin < end && batch_.has_left(begin)) ++begin;
  if (first == begin) return end;
  if (!is_here) solver_->bring({first, begin}, &solution_);
  batch_.take_ends(first, begin, solution_);
  return begin;
}

void JointStepper::bring_all() {
  end_begun();
  const auto n_env = static_cast<int>(envs_.size());
  for (int e = 0; e < n_env;) e = take_left(e, n_env, false);
}

/// One that is asked for comes alone. Who asks for neighbours in their order goes through all of
/// them, probably: with the third come as many as came before, and so on.
void JointStepper::bring(int env) {
  end_begun();
  if (!batch_.has_left(env)) return;
  if (env != asked_end_) n_asked_ = 0;
  const auto n_env = static_cast<int>(envs_.size());
  asked_end_ = take_left(env, std::min(n_env, env + std::max(1, n_asked_)), false);
  n_asked_ += asked_end_ - env;
  while (asked_end_ < n_env && !batch_.has_left(asked_end_)) ++asked_end_;
}

void JointStepper::replace(int env) {
  bring_all();
  batch_.replace(env, envs_[static_cast<std::size_t>(env)].get());
  forget(env);
}

}  // namespace nodia

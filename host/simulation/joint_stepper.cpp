#include "host/simulation/joint_stepper.hpp"

#include <algorithm>

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
  const bool leaves_end = batch_.can_leave_contacts() && solver_->makes_contacts(batch_.problem());
  if (leaves_end) {
    batch_.prepare();
  } else {
    bring_all();
    batch_.build();
  }
  n_asked_ = 0;
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
  if (leaves_end)
    batch_.leave(
        solution_, [this](int env) { solver_->bring(env, env + 1, &solution_); }, this, records,
        stepped);
  else
    batch_.finish(batch_.problem(), solution_, records, stepped);
}

/// The first of [begin, end) that are left, and those behind it that are, in one go.
/// @return where they end
int JointStepper::bring_left(int begin, int end) {
  while (begin < end && !batch_.has_left(begin)) ++begin;
  const int first = begin;
  while (begin < end && batch_.has_left(begin)) ++begin;
  if (first == begin) return end;
  solver_->bring(first, begin, &solution_);
  batch_.take_ends(first, begin, solution_);
  return begin;
}

void JointStepper::bring_all() {
  const auto n_env = static_cast<int>(envs_.size());
  for (int e = 0; e < n_env;) e = bring_left(e, n_env);
}

/// One that is asked for comes alone. Who asks for neighbours in their order goes through all of
/// them, probably: with the third come as many as came before, and so on.
void JointStepper::bring(int env) {
  if (env != asked_end_) n_asked_ = 0;
  const auto n_env = static_cast<int>(envs_.size());
  asked_end_ = bring_left(env, std::min(n_env, env + std::max(1, n_asked_)));
  n_asked_ += asked_end_ - env;
  while (asked_end_ < n_env && !batch_.has_left(asked_end_)) ++asked_end_;
}

void JointStepper::replace(int env) {
  bring_all();
  batch_.replace(env, envs_[static_cast<std::size_t>(env)].get());
  forget(env);
}

}  // namespace nodia

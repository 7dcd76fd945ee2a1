#include "host/simulation/joint_stepper.hpp"

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"

namespace nodia {

JointStepper::JointStepper(const SolverOptions& options, Environments* envs)
    : envs_(*envs),
      batch_(pointers_of(*envs), options.threads),
      soft_pairs_(options.of<CondOptions>().device, options.of<CondOptions>().loop),
      solver_(make_solver(options)) {}

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
  if (leaves_end)
    batch_.prepare();
  else
    batch_.build(&soft_pairs_);
  is_whole_ = false;
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
  if (leaves_end)
    batch_.leave(
        solution_, [this] { make_whole(); }, this, records, stepped);
  else
    batch_.finish(batch_.problem(), solution_, records, stepped);
}

void JointStepper::make_whole() {
  if (!is_whole_) solver_->bring(&solution_);
  is_whole_ = true;
}

void JointStepper::bring() {
  make_whole();
  batch_.take_ends(solution_);
}

void JointStepper::replace(int env) {
  if (batch_.has_left()) bring();
  batch_.replace(env, envs_[static_cast<std::size_t>(env)].get());
  forget(env);
}

}  // namespace nodia

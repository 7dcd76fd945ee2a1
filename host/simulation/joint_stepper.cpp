#include "host/simulation/joint_stepper.hpp"

#include "host/solvers/catalogue.hpp"

namespace nodia {

JointStepper::JointStepper(const SolverOptions& options, Environments* envs)
    : envs_(*envs), batch_(pointers_of(*envs), options.threads), solver_(make_solver(options)) {}

void JointStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                        std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  std::vector<char> now(envs_.size());
  for (int k = 0; k < steps.count; ++k) {
    const bool solver_makes_contacts =
        batch_.can_leave_contacts() && solver_->makes_contacts(batch_.problem());
    if (solver_makes_contacts)
      batch_.prepare();
    else
      batch_.build();
    solver_->solve(batch_.problem(), batch_.warm(), &solution_);
    if (solver_makes_contacts) batch_.take_contacts(solution_.made);
    batch_.finish(batch_.problem(), solution_, records->data(), now.data());
    for (std::size_t e = 0; e < now.size(); ++e) {
      if (!now[e]) continue;
      (*stepped)[e] = 1;
      if (steps.each) steps.each(static_cast<int>(e));
    }
  }
}

void JointStepper::replace(int env) {
  batch_.replace(env, envs_[static_cast<std::size_t>(env)].get());
  forget(env);
}

}  // namespace nodia

#include "host/simulation/position_based/position_stepper.hpp"

#include "host/base/threads.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {

PositionStepper::PositionStepper(const SolverOptions& options, Environments* envs)
    : options_(options), envs_(*envs), methods_(envs->size()) {
  for_each_environment(static_cast<int>(envs_.size()), options_.execution.threads,
                       [&](int e) { reset(e); });
}

void PositionStepper::reset(int e) {
  methods_[e] =
      std::make_unique<PositionBased>(envs_[e]->model().scene, envs_[e]->model().system, options_);
}

void PositionStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                           std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  for_each_environment(static_cast<int>(envs_.size()), options_.execution.threads, [&](int e) {
    for (int k = 0; k < steps.count && !envs_[e]->failed() && !steps.is_inactive(e); ++k) {
      step_environment(e, &(*records)[e]);
      (*stepped)[e] = 1;
      if (steps.each) steps.each(e);
    }
  });
}

void PositionStepper::step_environment(int e, StepRecord* record) {
  const Stopwatch watch;
  Environment& env = *envs_[e];
  const auto n_row = static_cast<std::int32_t>(env.state().v.size());
  const bool sound = env.step().find_contacts(
      thread_count(options_.execution.threads, n_row, static_cast<int>(envs_.size())));
  record->dynamics_ms = watch.milliseconds();
  PositionStep step;
  if (sound)
    step = methods_[e]->advance(env.state(), env.model().system, env.model().attachments,
                                env.model().external_forces, env.step().contacts().found);
  else
    step.v_hat.resize(static_cast<std::size_t>(n_row));
  record->solver_ms = watch.milliseconds() - record->dynamics_ms;
  const std::vector<Contact<double>> contacts = env.step().contacts().found.contacts;
  env.step().finish({step.report, step.v_hat.data(), contacts.data(), step.lambda.data(),
                     env.step().contacts().size(), 0, n_row, &step.end},
                    record);
}

std::unique_ptr<Stepper> make_position_stepper(const SolverOptions& options, Environments* envs) {
  return std::make_unique<PositionStepper>(options, envs);
}

}  // namespace nodia

#include "host/simulation/separate_stepper.hpp"

#include "host/base/threads.hpp"
#include "host/simulation/run_step.hpp"
#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

/// Solves of a step in which bodies tunnel, or overlap because they rotate: enough for four bodies
/// that hit each other in a row. COND solves once, as on a device, which makes its contacts itself.
int most_solves_of(const std::string& solver) {
  return solver == "cond" ? 1 : 4;
}

}  // namespace

SeparateStepper::SeparateStepper(const SolverOptions& options, Environments* envs,
                                 std::shared_ptr<AggregatePool> aggregates)
    : options_(options),
      most_solves_(most_solves_of(options.solver)),
      threads_(options.execution.threads),
      envs_(*envs),
      aggregates_(std::move(aggregates)) {
  // Environments run in parallel, with one thread in each.
  if (envs_.size() > 1) options_.execution.threads = 1;
  places_.reserve(envs_.size());
  for (const auto& env : envs_) places_.push_back(make_place(env.get()));
}

SeparateStepper::Place SeparateStepper::make_place(Environment* env) const {
  return {BatchProblem({env}, options_.execution.threads), make_solver(options_, aggregates_), {}};
}

void SeparateStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                           std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  for_each_environment(static_cast<int>(envs_.size()), threads_, [&](int e) {
    Place& own = place(e);
    const Environment& env = *envs_[static_cast<std::size_t>(e)];
    for (int k = 0; k < steps.count && !env.failed() && !steps.is_inactive(e); ++k) {
      run_step(&own.batch, own.solver.get(), &own.solution, records->data() + e,
               stepped->data() + e, most_solves_);
      if (steps.each) steps.each(e);
    }
  });
}

void SeparateStepper::replace(int env) {
  place(env).batch.replace(0, envs_[static_cast<std::size_t>(env)].get());
  reset(env);
}

}  // namespace nodia

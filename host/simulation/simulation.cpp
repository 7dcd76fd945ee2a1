#include "host/simulation/simulation.hpp"

#include "host/simulation/stepper.hpp"
#include "host/solvers/threads.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

Environments make_environments(std::vector<Scene> scenes, int threads) {
  if (scenes.empty()) throw InputError("simulation: no scene (at least one environment is needed)");
  Environments envs(scenes.size());
  TopologyPool pool;
  for_each_environment(static_cast<int>(envs.size()), threads, [&](int e) {
    envs[e] = std::make_unique<Environment>(std::move(scenes[e]), &pool);
  });
  return envs;
}

}  // namespace

struct Simulation::Impl {
  Environments envs;
  BatchProblem batch;
  std::unique_ptr<Stepper> stepper;
  std::vector<StepRecord> records;
  std::vector<char> stepped;  ///< per environment: whether it took part in the last step

  Impl(std::vector<Scene> scenes, const SolverOptions& options)
      : envs(make_environments(std::move(scenes), options.threads)),
        batch(&envs, options.threads),
        stepper(make_stepper(options, &envs, &batch)),
        records(envs.size()) {
    for (std::size_t e = 0; e < envs.size(); ++e) records[e].env = static_cast<int>(e);
  }

  void report(const std::function<void(const StepView&)>& each) const {
    if (!each) return;
    for (std::size_t e = 0; e < envs.size(); ++e)
      if (stepped[e]) each(envs[e]->view(records[e]));
  }
};

Simulation::Simulation(std::vector<Scene> scenes, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(std::move(scenes), options)) {}
Simulation::~Simulation() = default;

int Simulation::n_env() const {
  return static_cast<int>(impl_->envs.size());
}
const Scene& Simulation::scene(int env) const {
  return impl_->envs.at(env)->scene();
}
const TetModel& Simulation::model(int env) const {
  return impl_->envs.at(env)->system().soft();
}
const BodyLayout& Simulation::layout(int env) const {
  return impl_->envs.at(env)->system().layout();
}
std::vector<Pose> Simulation::link_poses(int env) const {
  return impl_->envs.at(env)->link_poses();
}
const State& Simulation::state(int env) const {
  return impl_->envs.at(env)->state();
}
std::shared_ptr<const State> Simulation::shared_state(int env) const {
  return impl_->envs.at(env)->shared_state();
}
StepView Simulation::last_step(int env) const {
  return impl_->envs.at(env)->view(impl_->records.at(env));
}
bool Simulation::failed(int env) const {
  return impl_->envs.at(env)->failed();
}

void Simulation::set_state(int env, State state) {
  impl_->envs.at(env)->set_state(std::move(state));
  impl_->stepper->forget(env);
}

const std::vector<StepRecord>& Simulation::step() {
  return step({});
}

const std::vector<StepRecord>& Simulation::step(const std::function<void(const StepView&)>& each) {
  impl_->stepper->step(&impl_->records, &impl_->stepped);
  impl_->report(each);
  return impl_->records;
}

ContactProblem Simulation::build_problem(WarmStart* warm) {
  impl_->batch.build();
  if (warm) *warm = impl_->batch.warm();
  return impl_->batch.problem();
}

const std::vector<StepRecord>& Simulation::advance(
    const ContactProblem& problem, const Solution& solution,
    const std::function<void(const StepView&)>& each) {
  impl_->batch.finish(problem, solution, &impl_->records, &impl_->stepped);
  impl_->report(each);
  return impl_->records;
}

}  // namespace nodia

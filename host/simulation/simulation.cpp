#include "host/simulation/simulation.hpp"

#include <fmt/format.h>

#include <optional>

#include "host/base/threads.hpp"
#include "host/simulation/checkpoint.hpp"
#include "host/simulation/run_step.hpp"
#include "host/simulation/stepper.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/multigrid/aggregate_pool.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

Environments make_environments(std::vector<Scene> scenes, int threads, TopologyPool* pool) {
  if (scenes.empty()) throw InputError("simulation: no scene (at least one environment is needed)");
  Environments envs(scenes.size());
  for_each_environment(static_cast<int>(envs.size()), threads, [&](int e) {
    envs[e] = std::make_unique<Environment>(std::move(scenes[e]), pool);
  });
  return envs;
}

/// A step that creates energy is a fault, but the paper's stopping rule, `penalty` and
/// position-based methods do not bound the error of a step. The positions of `cond` and its
/// reference are those of the paper, because its device code moves the nodes itself.
StepRules rules_of(const SolverOptions& options) {
  const bool is_other_method = options.solver == "penalty" || is_stepper(options.solver);
  const bool is_cond = options.solver == "cond" || options.solver == "cond_reference";
  StepRules rules;
  rules.fails_if_energy_created = options.stop != StopRule::paper && !is_other_method;
  rules.soft_bodies_turn = !is_cond && !is_other_method;
  return rules;
}

}  // namespace

struct Simulation::Impl {
  TopologyPool topologies;
  Environments envs;
  int threads;
  StepRules rules;
  std::unique_ptr<Stepper> stepper;
  std::optional<BatchProblem> joint;  ///< set by build_problem()
  std::vector<StepRecord> records;
  std::vector<char> stepped;  ///< [n_env] 1 if the environment took part in the last step

  Impl(std::vector<Scene> scenes, const SolverOptions& options)
      : envs(make_environments(std::move(scenes), options.execution.threads, &topologies)),
        threads(options.execution.threads),
        rules(rules_of(options)),
        records(envs.size()),
        stepped(envs.size()) {
    for (const auto& env : envs) require_fits(env->model().scene);
    for (const auto& env : envs) env->set_rules(rules);
    stepper = make_stepper(options, &envs, std::make_shared<AggregatePool>());
    for (std::size_t e = 0; e < envs.size(); ++e) records[e].env = static_cast<int>(e);
  }

  void require_fits(const Scene& scene) const {
    const TimeOptions &own = scene.time, &first = envs.front()->model().scene.time;
    require(own.step_s == first.step_s && own.theta == first.theta, "time.step_s", own.step_s,
            "the same in every environment, like time.theta", "");
  }

  Environment& env(int e) const {
    require(e >= 0 && e < static_cast<int>(envs.size()), "env", e,
            fmt::format("in [0, {}), the environments of the simulation", envs.size()), "");
    return *envs[static_cast<std::size_t>(e)];
  }

  /// Replaces an environment by another one.
  void replace(int e, std::unique_ptr<Environment> other) {
    std::unique_ptr<Environment>& place = envs[static_cast<std::size_t>(e)];
    require_fits(other->model().scene);
    other->set_rules(rules);
    std::swap(place, other);
    try {
      stepper->replace(e);
    } catch (...) {
      std::swap(place, other);
      throw;
    }
    if (joint) joint->replace(e, place.get());
    records[static_cast<std::size_t>(e)] = {};
    records[static_cast<std::size_t>(e)].env = e;
    other.reset();
    topologies.drop_unused();
  }

  StepView view(int e) const {
    return envs[static_cast<std::size_t>(e)]->view(records[static_cast<std::size_t>(e)]);
  }

  void report(const std::function<void(const StepView&)>& each) const {
    if (!each) return;
    for (std::size_t e = 0; e < envs.size(); ++e)
      if (stepped[e]) each(view(static_cast<int>(e)));
  }
};

Simulation::Simulation(std::vector<Scene> scenes, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(std::move(scenes), options)) {}
Simulation::~Simulation() = default;

int Simulation::n_env() const {
  return static_cast<int>(impl_->envs.size());
}
const Scene& Simulation::scene(int env) const {
  return impl_->env(env).model().scene;
}
const TetModel& Simulation::model(int env) const {
  return impl_->env(env).model().system.soft_bodies().model();
}
const BodyLayout& Simulation::layout(int env) const {
  return impl_->env(env).model().system.layout();
}
std::optional<DeviceNodes> Simulation::device_nodes(const std::vector<BodyOf>& bodies,
                                                    NodeQuantity quantity) const {
  WantedNodes wanted;
  wanted.quantity = quantity;
  for (const BodyOf& of : bodies) {
    const Environment& env = impl_->env(of.env);
    const BodyRange& range = env.model().system.layout()[of.body];
    wanted.n_node = range.n;
    WantedNodes::Part& part = wanted.part.emplace_back();
    part.env = of.env;
    part.first = range.first;
    if (env.device_end().is_on_device()) continue;
    const State& state = env.state();
    part.on_host = quantity == NodeQuantity::position ? state.x.data() + range.first
                                                      : state.v.data() + range.first_row;
  }
  return impl_->stepper->gather(wanted);
}
std::vector<Pose> Simulation::link_poses(int env) const {
  return impl_->env(env).link_poses();
}
std::vector<Pose> Simulation::attachment_poses(int env) const {
  return impl_->env(env).attachment_poses();
}
const State& Simulation::state(int env) const {
  return impl_->env(env).state();
}
double Simulation::time_s(int env) const {
  return impl_->env(env).time_s();
}
int Simulation::n_step(int env) const {
  return impl_->env(env).n_step();
}
std::shared_ptr<const State> Simulation::shared_state(int env) const {
  return impl_->env(env).shared_state();
}
StepView Simulation::last_step(int env) const {
  return impl_->env(env).view(impl_->records[static_cast<std::size_t>(env)]);
}
bool Simulation::failed(int env) const {
  return impl_->env(env).failed();
}

std::vector<Pose> Simulation::obstacle_poses(int env) const {
  return impl_->env(env).obstacle_poses();
}

void Simulation::set_state(int env, State state) {
  impl_->env(env).set_state(std::move(state));
  impl_->stepper->reset(env);
}

void Simulation::set_joint_targets(int env, const std::string& robot,
                                   const std::vector<double>& targets, double reach_s) {
  Environment& e = impl_->env(env);
  e.commands().set_joint_targets(robot, targets, e.time_s(), reach_s);
}
void Simulation::set_pose_target(int env, const std::string& robot, int drive, const Pose& target,
                                 double reach_s) {
  Environment& e = impl_->env(env);
  e.commands().set_pose_target(robot, drive, target, e.time_s(), reach_s);
}
void Simulation::set_frame_target(int env, const std::string& name, const Pose& target,
                                  double reach_s) {
  Environment& e = impl_->env(env);
  e.commands().set_frame_target(name, target, e.time_s(), reach_s);
}
void Simulation::set_holding(int env, const std::string& attachment, bool holds) {
  impl_->env(env).set_holding(attachment, holds);
}
std::vector<double> Simulation::joint_targets(int env, const std::string& robot) const {
  const Environment& e = impl_->env(env);
  return e.model().commands.joint_targets(robot, e.time_s());
}
Pose Simulation::pose_target(int env, const std::string& robot, int drive) const {
  const Environment& e = impl_->env(env);
  return e.model().commands.pose_target(robot, drive, e.time_s());
}
Pose Simulation::frame_target(int env, const std::string& name) const {
  const Environment& e = impl_->env(env);
  return e.model().commands.frame_target(name, e.time_s());
}

Checkpoint Simulation::save(int env) {
  Checkpoint checkpoint = impl_->env(env).save();
  checkpoint.solver = impl_->stepper->solver_state(env);
  return checkpoint;
}

void Simulation::load(int env, const Checkpoint& checkpoint) {
  Environment& own = impl_->env(env);
  own.load(checkpoint);
  impl_->stepper->set_solver_state(env, checkpoint.solver);
  StepRecord& record = impl_->records[static_cast<std::size_t>(env)];
  record = own.failed() ? own.failure_record() : StepRecord{};
  record.env = env;
}

void Simulation::reset(int env, Scene scene) {
  impl_->env(env);
  impl_->replace(env, std::make_unique<Environment>(std::move(scene), &impl_->topologies));
}

void Simulation::set_prefetch_hint(std::function<bool(int env, int step)> reads) {
  impl_->stepper->set_prefetch_hint(std::move(reads));
}

const std::vector<StepRecord>& Simulation::step() {
  return step({});
}

const std::vector<StepRecord>& Simulation::step(const std::function<void(const StepView&)>& each) {
  impl_->stepper->step({}, &impl_->records, &impl_->stepped);
  impl_->report(each);
  return impl_->records;
}

const std::vector<StepRecord>& Simulation::steps(int n, const std::vector<char>& inactive,
                                                 const std::function<void(const StepView&)>& each) {
  require(n >= 1, "steps", n, ">= 1", "");
  require(inactive.empty() || inactive.size() == impl_->envs.size(), "inactive", inactive.size(),
          "one per environment, or none", "");
  const std::function<void(int)> view = [&](int env) { each(impl_->view(env)); };
  impl_->stepper->step({n, inactive, each ? view : std::function<void(int)>{}}, &impl_->records,
                       &impl_->stepped);
  return impl_->records;
}

const std::vector<StepRecord>& Simulation::run(int n,
                                               const std::function<void(const StepView&)>& each,
                                               const std::function<bool()>& continues) {
  require(n >= 1, "n", n, ">= 1", "a number of steps");
  if (!impl_->stepper->is_joint()) {
    for (int k = 0; k < n; ++k) {
      step(each);
      if (continues && !continues()) break;
    }
    return impl_->records;
  }
  Steps steps;
  steps.count = n;
  if (each) steps.each = [&](int env) { each(impl_->view(env)); };
  steps.reads_follow_hint = true;
  steps.continues = continues;
  impl_->stepper->step(steps, &impl_->records, &impl_->stepped);
  return impl_->records;
}

ContactProblem Simulation::build_problem(WarmStart* warm) {
  if (!impl_->joint) impl_->joint.emplace(pointers_of(impl_->envs), impl_->threads);
  nodia::build_problem(&*impl_->joint);
  if (warm) *warm = impl_->joint->initial_guess();
  return impl_->joint->problem();
}

const std::vector<StepRecord>& Simulation::advance(
    const ContactProblem& problem, const Solution& solution,
    const std::function<void(const StepView&)>& each) {
  if (!impl_->joint)
    throw InputError("advance: no problem was built (build_problem() comes first)");
  impl_->joint->finish(problem, solution, impl_->records.data(), impl_->stepped.data());
  impl_->report(each);
  return impl_->records;
}

}  // namespace nodia

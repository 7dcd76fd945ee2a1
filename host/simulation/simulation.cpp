#include "host/simulation/simulation.hpp"

#include <chrono>

#include "host/simulation/environment.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/position_based/position_based.hpp"
#include "host/solvers/threads.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

/// The environments, and the problem they are merged into. What concerns one environment alone is
/// done for all of them side by side.
struct Simulation::Impl {
  SolverOptions options;
  bool on_positions = false;  ///< the method advances scenes, there is no solver
  std::unique_ptr<ContactSolver> solver;
  std::vector<std::unique_ptr<Environment>> envs;
  std::vector<int> first_row;    ///< [n_env + 1]
  std::vector<int> first_block;  ///< [n_env + 1]
  ContactProblem problem;
  WarmStart warm;
  Solution solution;
  std::vector<StepRecord> records;
  std::vector<double> dynamics_ms;  ///< [n_env] of the build

  int n_env() const { return static_cast<int>(envs.size()); }

  template <class F>
  void for_each(const F& f) const {
    for_each_environment(n_env(), options.threads, f);
  }

  Impl(std::vector<Scene> scenes, const SolverOptions& o) : options(o) {
    on_positions = advances_scenes(o.solver);
    if (on_positions)
      o.validate();
    else
      solver = make_solver(o);
    if (scenes.empty())
      throw InputError("simulation: no scene (at least one environment is needed)");
    envs.resize(scenes.size());
    for_each([&](int e) {
      envs[e] = std::make_unique<Environment>(std::move(scenes[e]));
      if (on_positions) envs[e]->use_positions(options);
    });
    merge();
    records.resize(envs.size());
    dynamics_ms.resize(envs.size());
    for (int e = 0; e < n_env(); ++e) records[e].env = e;
  }

  /// What stays over the steps: pattern, masses, ranges.
  void merge() {
    const TimeOptions& time = envs.front()->scene().time;
    std::vector<std::shared_ptr<const BlockPattern>> patterns;
    first_row.push_back(0);
    first_block.push_back(0);
    for (const auto& env : envs) {
      const TimeOptions& own = env->scene().time;
      require(own.step_s == time.step_s && own.theta == time.theta, "time.step_s", own.step_s,
              "the same in every environment, like time.theta", "");
      const BodySystem& system = env->system();
      for (const RowGroup& group : system.groups())
        problem.groups.push_back(
            {first_row.back() + group.first_row, group.n_row, group.link_rows});
      patterns.push_back(system.pattern());
      first_row.push_back(first_row.back() + system.pattern()->n_row());
      first_block.push_back(first_block.back() + system.pattern()->n_block());
      problem.mass.insert(problem.mass.end(), system.mass().begin(), system.mass().end());
    }
    problem.A = BlockMatrix(n_env() == 1 ? patterns.front() : BlockPattern::concatenate(patterns));
    problem.b.resize(first_row.back());
    problem.theta = time.theta;
    problem.step_s = time.step_s;
    problem.env_node_begin.assign(first_row.begin(), first_row.end());
    problem.env_contact_begin.assign(envs.size() + 1, 0);
    warm.v.resize(first_row.back());
  }

  void build() {
    for_each([&](int e) {
      const Clock::time_point start = Clock::now();
      const int n_node = first_row[e + 1] - first_row[e];
      envs[e]->build(thread_count(options.threads, n_node, n_env()),
                     problem.A.value.data() + 9 * static_cast<std::size_t>(first_block[e]),
                     problem.b.data() + first_row[e]);
      const std::vector<double>& mass = envs[e]->system().mass();
      std::copy(mass.begin() + envs[e]->system().layout().robot_row.front(), mass.end(),
                problem.mass.begin() + first_row[e] + envs[e]->system().layout().robot_row.front());
      dynamics_ms[e] = milliseconds_since(start);
    });
    for (int e = 0; e < n_env(); ++e)
      problem.env_contact_begin[e + 1] = problem.env_contact_begin[e] + envs[e]->n_contact();
    merge_points();
    problem.contacts.resize(problem.env_contact_begin.back());
    warm.lambda.resize(problem.contacts.size());
    for_each([&](int e) {
      const Clock::time_point start = Clock::now();
      const int first = problem.env_contact_begin[e];
      envs[e]->put(first_row[e], problem.n_node() + problem.first_point(e),
                   problem.contacts.data() + first, warm.v.data() + first_row[e],
                   warm.lambda.data() + first);
      dynamics_ms[e] += milliseconds_since(start);
    });
  }

  void merge_points() {
    problem.points.clear();
    problem.env_point_begin.assign(1, 0);
    for (int e = 0; e < n_env(); ++e) {
      const ContactPoints& own = envs[e]->points();
      for (int k = 0; k < own.size(); ++k) {
        for (std::int32_t part = own.begin[k]; part < own.begin[k + 1]; ++part)
          problem.points.add(own.row[part] + first_row[e], own.J[part]);
        problem.points.finish();
      }
      problem.env_point_begin.push_back(problem.points.size());
    }
    if (problem.points.size() == 0) problem.env_point_begin.assign(1, 0);
  }

  void finish(const ContactProblem& p, const Solution& s,
              const std::function<void(const StepView&)>& each) {
    std::vector<char> stepped(envs.size());
    for_each([&](int e) {
      if (envs[e]->failed()) return;
      const int first = p.env_contact_begin[e];
      envs[e]->finish(
          {s.env[e], s.v.data() + first_row[e], p.contacts.data() + first, s.lambda.data() + first,
           p.env_contact_begin[e + 1] - first, first_row[e], p.n_node() + p.first_point(e)},
          &records[e]);
      records[e].dynamics_ms = dynamics_ms[e];
      records[e].solver_ms = 1e3 * s.env[e].time_s;
      stepped[e] = 1;
    });
    report(stepped, each);
  }

  void step_by_positions(const std::function<void(const StepView&)>& each) {
    std::vector<char> stepped(envs.size());
    for_each([&](int e) {
      if (envs[e]->failed()) return;
      const int n_node = first_row[e + 1] - first_row[e];
      envs[e]->step_by_positions(thread_count(options.threads, n_node, n_env()), &records[e]);
      stepped[e] = 1;
    });
    report(stepped, each);
  }

  void report(const std::vector<char>& stepped,
              const std::function<void(const StepView&)>& each) const {
    if (!each) return;
    for (int e = 0; e < n_env(); ++e)
      if (stepped[e]) each(envs[e]->view(records[e]));
  }
};

Simulation::Simulation(std::vector<Scene> scenes, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(std::move(scenes), options)) {}
Simulation::~Simulation() = default;

int Simulation::n_env() const {
  return impl_->n_env();
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
const State& Simulation::state(int env) const {
  return impl_->envs.at(env)->state();
}
bool Simulation::failed(int env) const {
  return impl_->envs.at(env)->failed();
}

void Simulation::set_state(int env, State state) {
  impl_->envs.at(env)->set_state(std::move(state));
}

const std::vector<StepRecord>& Simulation::step() {
  return step({});
}

const std::vector<StepRecord>& Simulation::step(const std::function<void(const StepView&)>& each) {
  if (impl_->on_positions) {
    impl_->step_by_positions(each);
    return impl_->records;
  }
  impl_->build();
  impl_->solver->solve(impl_->problem, impl_->warm, &impl_->solution);
  impl_->finish(impl_->problem, impl_->solution, each);
  return impl_->records;
}

ContactProblem Simulation::build_problem(WarmStart* warm) {
  impl_->build();
  if (warm) *warm = impl_->warm;
  return impl_->problem;
}

const std::vector<StepRecord>& Simulation::advance(
    const ContactProblem& problem, const Solution& solution,
    const std::function<void(const StepView&)>& each) {
  impl_->finish(problem, solution, each);
  return impl_->records;
}

}  // namespace nodia

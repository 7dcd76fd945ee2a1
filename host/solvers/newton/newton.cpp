#include "host/solvers/newton/newton.hpp"

#include <algorithm>

#include "host/solvers/multigrid/aggregate_pool.hpp"
#include "host/solvers/newton/outer_iteration.hpp"
#include "host/solvers/newton/rest.hpp"
#include "kernels/device/device_error.hpp"

namespace nodia {
namespace {

/// Names of lists in the state of an environment.
constexpr const char *kDirection = "power_iteration", *kMultigrid = "multigrid",
                     *kBefore = "velocity_before";
constexpr const char* kLists[] = {kDirection, kMultigrid, kBefore};

std::vector<double> numbers_of(const std::vector<Vec3d>& vectors) {
  std::vector<double> numbers;
  for (const Vec3d& x : vectors) numbers.insert(numbers.end(), {x.x, x.y, x.z});
  return numbers;
}

std::vector<Vec3d> vectors_of(const SolverState& state, const char* name) {
  std::vector<Vec3d> vectors;
  const std::vector<double>& x = state.at(name);
  for (std::size_t k = 0; k + 2 < x.size(); k += 3) vectors.push_back({x[k], x[k + 1], x[k + 2]});
  return vectors;
}

class NewtonSolver final : public ContactSolver {
 public:
  explicit NewtonSolver(const SolverOptions& options) : options_(options) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const auto n_env = static_cast<std::size_t>(problem.n_env());
    if (work_.size() > n_env) work_.clear();
    make_room(n_env);
    solve_by_environment(problem, warm, options_, out,
                         [&](int env, const ContactProblem& own, const VelocityAndForce& start,
                             VelocityAndForce* solution, SolveReport* report) {
                           NewtonWork* work = &work_[env];
                           const int n_thread =
                               problem.n_env() > 1 ? 1 : options_.execution.threads;
                           try {
                             solve_alone(own, start, n_thread, work, solution, report);
                           } catch (const DeviceError&) {
                             *work = new_work();  // frees all device memory
                             throw;
                           }
                           work->before.clear();
                           if (start.v.size() > 0) work->before = split(start.v);
                         });
  }

  SolverState state(int env) override {
    if (env >= static_cast<int>(work_.size())) return {};
    const NewtonWork& work = work_[env];
    return {{kDirection, numbers_of(work.direction)},
            {kMultigrid, work.multigrid.state()},
            {kBefore, numbers_of(work.before)}};
  }
  void set_state(int env, const SolverState& own) override {
    make_room(static_cast<std::size_t>(env) + 1);
    NewtonWork& work = work_[env];
    const bool is_whole = std::all_of(std::begin(kLists), std::end(kLists),
                                      [&](const char* list) { return own.count(list) > 0; });
    work.direction = is_whole ? vectors_of(own, kDirection) : std::vector<Vec3d>{};
    work.multigrid.set_state(is_whole ? own.at(kMultigrid) : std::vector<double>{});
    work.before = is_whole ? vectors_of(own, kBefore) : std::vector<Vec3d>{};
  }
  void share(const std::shared_ptr<AggregatePool>& aggregates) override {
    aggregates_ = aggregates;
  }

 private:
  void solve_alone(const ContactProblem& problem, const VelocityAndForce& start, int n_thread,
                   NewtonWork* work, VelocityAndForce* solution, SolveReport* report) const {
    const std::optional<Rest> rest = find_rest(problem, options_, start);
    if (rest && rest->is_balanced) return take_rest(*rest, start, solution, report);
    CommonOptions options = options_;
    if (rest) options.tolerance *= kToleranceOfRest;
    OuterIteration iteration(problem, options, with_multigrid(problem), start, n_thread, work);
    iteration.run(report);
    report->work_units = iteration.work_units();
    *solution = iteration.solution();
    if (rest && report->status != SolveStatus::converged) take_rest(*rest, start, solution, report);
  }
  void make_room(std::size_t n_env) {
    while (work_.size() < n_env) work_.push_back(new_work());
  }
  NewtonWork new_work() const {
    const ExecutionOptions& execution = options_.execution;
    std::optional<DevicePlace> device;
    if (execution.backend == Backend::cuda) device = {execution.device, execution.loop};
    return {options_.factor.factoriser, aggregates_, device};
  }
  /// True if there are soft bodies and rows have positions.
  bool with_multigrid(const ContactProblem& problem) const {
    if (options_.of<NewtonOptions>().linear_solver == LinearSolver::direct) return false;
    const std::vector<Body>& bodies = problem.topology[0]->bodies;
    return !problem.position.empty() &&
           std::any_of(bodies.begin(), bodies.end(),
                       [](const Body& body) { return body.kind == BodyKind::soft; });
  }

  SolverOptions options_;
  std::shared_ptr<AggregatePool> aggregates_ = std::make_shared<AggregatePool>();
  std::vector<NewtonWork> work_;
};

}  // namespace

void visit_keys(KeyVisitor& v, NewtonOptions& o) {
  v.choice({"linear_solver",
            "of a step's equations; auto: multigrid for soft bodies, elimination for cables, "
            "Cholesky factors otherwise"},
           o.linear_solver);
}

std::unique_ptr<ContactSolver> make_newton_solver(const SolverOptions& options) {
  return std::make_unique<NewtonSolver>(options);
}

}  // namespace nodia

#include "host/solvers/cond/cond.hpp"

#include "host/solvers/cond/cond_batch.hpp"
#include "host/solvers/cond/cpu_loop.hpp"
#include "host/solvers/report.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

/// COND on the CPU.
template <class Precision>
class CondSolver final : public ContactSolver {
 public:
  explicit CondSolver(const SolverOptions& options)
      : options_(options), problem_(options, options.of<CondOptions>()) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const Stopwatch watch;
    const int n_env = problem.n_env();
    problem_.set(problem, warm);
    const double set_s = watch.seconds();
    run_cpu_loop(&problem_, options_.execution.threads, &times_);
    problem_.take_reports(out);
    problem_.take_solutions(0, n_env, out);
    for (int e = 0; e < n_env; ++e) set_times(times_[e], set_s / n_env, &out->env[e]);
    evaluate(problem, options_, out);
  }

  SolverState state(int env) override {
    return problem_.has_state(env) ? problem_.state(env).lists() : SolverState{};
  }
  void set_state(int env, const SolverState& state) override {
    problem_.set_state(env, LoopState::from_lists(state));
  }

 private:
  CommonOptions options_;
  LoopProblem<Precision> problem_;
  std::vector<VfpiTimes> times_;  ///< [n_env]
};

}  // namespace

std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options) {
  if (options.execution.backend == Backend::cuda) return make_cond_batch_solver(options);
  return make_with_precision<CondSolver, ContactSolver>(options);
}

}  // namespace nodia

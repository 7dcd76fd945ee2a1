#include "host/solvers/cond/cond.hpp"

#include <chrono>

#include "host/solvers/cond/cpu_loop.hpp"
#include "host/solvers/cond/device_loop.hpp"
#include "host/solvers/report.hpp"

namespace nodia {
namespace {

template <class Precision>
class CondSolver : public ContactSolver {
 public:
  CondSolver(const CommonOptions& options, const CondOptions& own)
      : options_(options), backend_(own.backend), problem_(options, own) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const int n_env = problem.n_env();
    problem_.set(problem, warm);
    double shared_s = seconds();
    if (backend_ == Backend::cuda) {
      const VfpiTimes all = device_loop_.run(&problem_);
      times_.assign(n_env, {all.before_s / n_env, all.loop_s / n_env});
      shared_s = seconds() - all.before_s - all.loop_s;
    } else {
      run_cpu_loop(&problem_, options_.threads, &times_);
    }
    problem_.take(out);
    for (int e = 0; e < n_env; ++e) {
      SolveReport& report = out->env[e];
      report.before_loop_s = times_[e].before_s;
      report.loop_s = times_[e].loop_s;
      report.time_s = times_[e].before_s + times_[e].loop_s + shared_s / n_env;
    }
    judge(problem, options_, out);
  }

 private:
  CommonOptions options_;
  Backend backend_;
  LoopProblem<Precision> problem_;
  DeviceLoop<Precision> device_loop_;
  std::vector<VfpiTimes> times_;  ///< each environment's own, or its share
};

}  // namespace

std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options) {
  const CondOptions& own = options.of<CondOptions>();
  switch (own.precision) {
    case Precision::mixed:
      return std::make_unique<CondSolver<MixedPrecision>>(options, own);
    case Precision::float_:
      return std::make_unique<CondSolver<FloatPrecision>>(options, own);
    case Precision::double_:
      break;
  }
  return std::make_unique<CondSolver<DoublePrecision>>(options, own);
}

}  // namespace nodia

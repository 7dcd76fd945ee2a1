#include "host/solvers/cond/cpu_loop.hpp"

#include "host/base/threads.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {
namespace {

/// Records the start time of the loop.
class TimedLauncher : public CpuLauncher {
 public:
  using CpuLauncher::CpuLauncher;

  void begin_loop() { before_s = watch.seconds(); }

  Stopwatch watch;
  double before_s = 0;
};

/// Runs one environment as a batch of one.
template <class Precision>
VfpiTimes run_environment(const LoopProblem<Precision>& problem, int e, TimedLauncher launcher) {
  launcher.watch = Stopwatch();
  const VfpiEnvironment<Precision>& env = problem.environments()[e];
  std::vector<WorkItem> work(env.n_chunk);
  VfpiQueue queue = waiting_queue(problem.options(), 1, 1);
  const VfpiBatch<Precision> batch{problem.options(), 1, 1, &env, work.data(), &queue};
  VfpiSchedule<Precision, TimedLauncher>(&launcher, problem.key(e, e + 1), &batch, &queue).solve();
  return {launcher.before_s, launcher.watch.seconds() - launcher.before_s};
}

}  // namespace

template <class Precision>
void run_cpu_loop(LoopProblem<Precision>* problem, int n_thread, std::vector<VfpiTimes>* times) {
  const auto n_env = static_cast<int>(problem->environments().size());
  const CpuIsa isa = chosen_isa();
  times->assign(n_env, {});
  for_each_environment(n_env, n_thread, [&](int e) {
    const int threads = thread_count(n_thread, problem->environments()[e].n_row, n_env);
    (*times)[e] = run_environment(*problem, e, TimedLauncher(isa, threads));
  });
}

template void run_cpu_loop(LoopProblem<DoublePrecision>*, int, std::vector<VfpiTimes>*);
template void run_cpu_loop(LoopProblem<MixedPrecision>*, int, std::vector<VfpiTimes>*);
template void run_cpu_loop(LoopProblem<FloatPrecision>*, int, std::vector<VfpiTimes>*);

}  // namespace nodia

#include "host/solvers/cond/cpu_loop.hpp"

#include <chrono>

#include "host/solvers/threads.hpp"
#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

/// Notes when the loop begins.
class TimedLauncher : public CpuLauncher {
 public:
  using CpuLauncher::CpuLauncher;

  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    loop_start = Clock::now();
    CpuLauncher::repeat_while(condition, body);
  }

  Clock::time_point loop_start;
};

/// One environment by itself: a batch of one.
template <class Precision>
VfpiTimes run_environment(const LoopProblem<Precision>& problem, int e, TimedLauncher launcher) {
  const Clock::time_point start = Clock::now();
  const VfpiEnvironment<Precision>& env = problem.environments()[e];
  std::vector<WorkItem> work(env.n_chunk);
  std::int32_t active = 0;
  VfpiQueue queue = waiting_queue(problem.options(), 1, 1);
  const VfpiBatch<Precision> batch{problem.options(), 1, 1, &env, work.data(), &active, &queue};
  VfpiSchedule<Precision, TimedLauncher>(&launcher, problem.key(e, e + 1), &batch, &queue).solve();
  return {seconds_between(start, launcher.loop_start),
          seconds_between(launcher.loop_start, Clock::now())};
}

}  // namespace

template <class Precision>
void run_cpu_loop(LoopProblem<Precision>* problem, int n_thread, std::vector<VfpiTimes>* times) {
  const auto n_env = static_cast<int>(problem->environments().size());
  const CpuIsa isa = chosen_isa();
  times->assign(n_env, {});
  const auto timed = [&](int e, int threads) {
    (*times)[e] = run_environment(*problem, e, TimedLauncher(isa, threads));
  };
  if (n_env == 1) {
    timed(0, thread_count(n_thread, problem->environments().front().n_row));
    return;
  }
  const int threads = n_thread > 0 ? n_thread : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int e = 0; e < n_env; ++e) timed(e, 1);
}

template void run_cpu_loop(LoopProblem<DoublePrecision>*, int, std::vector<VfpiTimes>*);
template void run_cpu_loop(LoopProblem<MixedPrecision>*, int, std::vector<VfpiTimes>*);
template void run_cpu_loop(LoopProblem<FloatPrecision>*, int, std::vector<VfpiTimes>*);

}  // namespace nodia

#include "host/solvers/cond/cpu_loop.hpp"

#include <chrono>

#include "host/solvers/threads.hpp"
#include "kernels/cpu/cpu_launcher.hpp"

namespace nodia {
namespace {

/// One environment by itself: a batch of one.
template <class Precision>
void run_environment(const LoopProblem<Precision>& problem, int e, const CpuLauncher& launcher) {
  const VfpiEnvironment<Precision>& env = problem.environments()[e];
  std::vector<WorkItem> work(env.n_chunk);
  std::int32_t active = 0;
  VfpiQueue queue = waiting_queue(problem.options(), 1, 1);
  const VfpiBatch<Precision> batch{problem.options(), 1, 1, &env, work.data(), &active, &queue};
  VfpiSchedule<Precision, const CpuLauncher>(&launcher, problem.plan(e, e + 1), &batch, &queue)
      .solve();
}

}  // namespace

template <class Precision>
void run_cpu_loop(LoopProblem<Precision>* problem, int n_thread, std::vector<double>* time_s) {
  const auto n_env = static_cast<int>(problem->environments().size());
  const CpuIsa isa = chosen_isa();
  time_s->assign(n_env, 0);
  const auto timed = [&](int e, int threads) {
    const auto start = std::chrono::steady_clock::now();
    run_environment(*problem, e, CpuLauncher(isa, threads));
    (*time_s)[e] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (n_env == 1) {
    timed(0, thread_count(n_thread, problem->environments().front().n_row));
    return;
  }
  const int threads = n_thread > 0 ? n_thread : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int e = 0; e < n_env; ++e) timed(e, 1);
}

template void run_cpu_loop(LoopProblem<DoublePrecision>*, int, std::vector<double>*);
template void run_cpu_loop(LoopProblem<MixedPrecision>*, int, std::vector<double>*);
template void run_cpu_loop(LoopProblem<FloatPrecision>*, int, std::vector<double>*);

}  // namespace nodia

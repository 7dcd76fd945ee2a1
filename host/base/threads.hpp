/// Number of threads of a task, and parallel loops over environments.
#pragma once

#include <omp.h>

#include <algorithm>

#include "kernels/core/first_exception.hpp"

namespace nodia {

/// Nodes below which one thread beats an OpenMP region per pass (performance.md section 4).
inline constexpr int kNodesPerThreadedPass = 4000;

/// @param requested  number of threads; 0: determined by the size and the machine
inline int thread_count(int requested, int n_node) {
  if (requested > 0) return requested;
  return n_node < kNodesPerThreadedPass ? 1 : std::max(1, omp_get_max_threads());
}

/// Threads inside one environment: one in a batch, which runs environments in parallel.
inline int thread_count(int requested, int n_node, int n_env) {
  return n_env > 1 ? 1 : thread_count(requested, n_node);
}

/// Dynamic schedule of for_each_environment: portions per thread, and largest portion.
inline constexpr int kDeals = 64, kMostDealt = 16;

/// Calls `f(env)` for every environment, each in one thread; a single environment runs in the
/// calling thread, outside any OpenMP region. After all calls have ended, rethrows the exception of
/// the lowest environment.
/// @param requested  threads of the batch; 0: all threads of the machine
template <class F>
void for_each_environment(int n_env, int requested, const F& f) {
  if (n_env == 1) {
    f(0);
    return;
  }
  const int n_thread = std::min(n_env, requested > 0 ? requested : omp_get_max_threads());
  // Environments differ in cost, but single small ones are too cheap for one portion each.
  const int n_dealt = std::clamp(n_env / (kDeals * n_thread), 1, kMostDealt);
  FirstException thrown;
#pragma omp parallel for schedule(dynamic, n_dealt) num_threads(n_thread)
  for (int e = 0; e < n_env; ++e) thrown.guard(e, [&] { f(e); });
  thrown.rethrow();
}

}  // namespace nodia

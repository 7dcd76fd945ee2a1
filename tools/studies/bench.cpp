#include "tools/studies/bench.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tools/studies/bench_cases.hpp"

namespace nodia::studies {
namespace {

/// On the device the host's threads matter little: one number of them is enough.
std::vector<int> threads_of(Backend backend, const BenchOptions& options) {
  return backend == Backend::cuda ? std::vector{options.threads.front()} : options.threads;
}

void bench_steps(const Scenario& scenario, int n_node, Backend backend, const BenchOptions& options,
                 const BenchListener& listener) {
  SolverOptions solver = scenario.solver;
  solver.backend = backend;
  for (int threads : threads_of(backend, options)) {
    solver.threads = threads;
    for (Precision precision : options.precisions) {
      solver.precision = precision;
      bench_step(scenario, n_node, solver, options, listener);
      for (int n_env : options.envs)
        bench_batch(scenario, n_node, n_env, solver, options, listener);
    }
  }
}

void bench_kernels(const Scenario& scenario, int n_node, const std::vector<Backend>& backends,
                   const BenchOptions& options, const BenchListener& listener) {
  SlidingMat mat(scenario, n_node, options);
  SolverOptions solver = scenario.solver;
  for (Backend backend : backends)
    for (int threads : threads_of(backend, options)) {
      solver.backend = backend;
      solver.threads = threads;
      bench_iterations(mat, solver, options, listener);
      if (backend == Backend::cpu) bench_dynamics(&mat, options, threads, listener);
    }
}

}  // namespace

void BenchOptions::validate() const {
  for (int n : envs) require(n >= 1 && n <= 100000, "--envs", n, "from 1 to 100000", "");
  for (int n : threads)
    require(n >= 0 && n <= 1024, "--threads", n, "from 0 to 1024", "0: chosen from the problem");
  const auto some = [](bool any, const char* key) {
    if (!any) throw InputError(fmt::format("{}: nothing (must be at least one value)", key));
  };
  some(!nodes.empty(), "--nodes");
  some(!envs.empty(), "--envs");
  some(!precisions.empty(), "--precision");
  some(!threads.empty(), "--threads");
  some(!backends.empty(), "--backend");
}

void bench(const Scenario& scenario, const BenchOptions& options, const BenchListener& listener) {
  std::string no_device;
  std::vector<Backend> backends;
  for (Backend backend : options.backends)
    if (backend == Backend::cpu || device_available(&no_device))
      backends.push_back(backend);
    else
      listener.skip({"all", name_of(backend), 0, 1, no_device});
  if (backends.empty()) return;
  for (int n_node : options.nodes) {
    bench_kernels(scenario, n_node, backends, options, listener);
    for (Backend backend : backends) bench_steps(scenario, n_node, backend, options, listener);
  }
}

}  // namespace nodia::studies

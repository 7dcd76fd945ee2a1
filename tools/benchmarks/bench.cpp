#include "tools/benchmarks/bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/solvers/solver_options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tools/benchmarks/bench_cases.hpp"
#include "tools/benchmarks/bench_memory.hpp"

namespace nodia::studies {
namespace {

/// On the GPU the number of host threads matters little: the first one is enough.
std::vector<int> threads_of(Backend backend, const BenchOptions& options) {
  return backend == Backend::cuda ? std::vector{options.threads.front()} : options.threads;
}

/// True if the case fits the memory of this machine; reports it otherwise.
bool fits(const char* name, int n_node, int n_env, Backend backend, const BenchListener& listener) {
  const std::string reason = too_little_memory(name, n_node, n_env, backend);
  if (!reason.empty()) listener.skip(name, backend, n_node, n_env, reason);
  return reason.empty();
}

/// True if the options name the batch, --batch-nodes allows it, and it fits the memory; reports a
/// named one that is not measured.
bool wants_batch(const char* name, int n_node, int n_env, Backend backend,
                 const BenchOptions& options, const BenchListener& listener) {
  if (!options.has(name)) return false;
  const int most = options.most_batch_nodes(backend);
  if (static_cast<double>(n_node) * n_env <= most)
    return fits(name, n_node, n_env, backend, listener);
  listener.skip(name, backend, n_node, n_env,
                fmt::format("more nodes in all than --batch-nodes = {}", most));
  return false;
}

void bench_steps(const Scenario& scenario, int n_node, Backend backend, const BenchOptions& options,
                 const BenchListener& listener) {
  SolverOptions solver = scenario.solver;
  solver.execution.backend = backend;
  for (int threads : threads_of(backend, options)) {
    solver.execution.threads = threads;
    for (Precision precision : options.precisions) {
      solver.execution.precision = precision;
      if (options.has("step") && fits("step", n_node, 1, backend, listener))
        bench_step(scenario, n_node, solver, options, listener);
      for (int n_env : options.envs) {
        const auto is_wanted = [&](const char* name) {
          return wants_batch(name, n_node, n_env, backend, options, listener);
        };
        if (is_wanted("batch_step"))
          bench_batch(scenario, n_node, n_env, solver, options, listener);
        if (backend == Backend::cpu && is_wanted("batch_set_up"))
          bench_batch_set_up(scenario, n_node, n_env, solver, options, listener);
      }
    }
  }
}

void bench_kernels(const Scenario& scenario, int n_node, const std::vector<Backend>& backends,
                   const BenchOptions& options, const BenchListener& listener) {
  const bool parts = options.has(Backend::cpu) && has_parts(options),
             product = options.has("product") &&
                       std::find(backends.begin(), backends.end(), Backend::cuda) != backends.end();
  if (!options.has("iteration") && !product && !parts) return;
  for (Backend backend : backends)
    if (!fits("iteration", n_node, 1, backend, listener)) return;
  SlidingMat mat(scenario, n_node, options);
  SolverOptions solver = scenario.solver;
  for (Backend backend : backends)
    for (int threads : threads_of(backend, options)) {
      solver.execution.backend = backend;
      solver.execution.threads = threads;
      if (options.has("iteration")) bench_iterations(mat, solver, options, listener);
      if (parts && backend == Backend::cpu) bench_parts(mat, options, threads, listener);
    }
  if (product && fits("product", n_node, 1, Backend::cuda, listener))
    bench_products(mat, options, listener);
}

void bench_tasks(const std::string& path, const BenchOptions& options,
                 const BenchListener& listener) {
  int n_node = 0;
  for (const SoftBodyDescription& body : load_scenario(path).scene.soft_bodies)
    n_node += static_cast<int>(body.mesh.nodes.size());
  for (int threads : options.threads)
    for (int n_env : options.envs)
      if (wants_batch("task_step", n_node, n_env, Backend::cpu, options, listener))
        bench_task(path, n_env, threads, options, listener);
}

}  // namespace

bool BenchOptions::has(const char* name) const {
  return std::find(cases.begin(), cases.end(), name) != cases.end();
}

bool BenchOptions::has(Backend backend) const {
  return std::find(backends.begin(), backends.end(), backend) != backends.end();
}

int BenchOptions::most_batch_nodes(Backend backend) const {
  return batch_nodes.value_or(backend == Backend::cuda ? kBatchNodesOnDevice : kBatchNodes);
}

void BenchOptions::validate() const {
  for (const std::string& name : cases)
    if (std::find(std::begin(kBenchCases), std::end(kBenchCases), name) == std::end(kBenchCases))
      throw_bad_value("--cases", name,
                      fmt::format("one or more of {}", fmt::join(kBenchCases, ", ")), "");
  require(rounds >= 1 && rounds <= 1000, "--rounds", rounds, "from 1 to 1000", "");
  require(steps >= 1 && steps <= 100000, "--steps", steps, "from 1 to 100000", "");
  for (int n : envs) require(n >= 1 && n <= 100000, "--envs", n, "from 1 to 100000", "");
  for (int n : threads)
    require(n >= 0 && n <= 1024, "--threads", n, "from 0 to 1024", "0: chosen from the problem");
  const auto some = [](bool any, const char* key) {
    if (!any) throw InputError(fmt::format("{}: nothing (must be at least one value)", key));
  };
  some(!cases.empty(), "--cases");
  some(!nodes.empty(), "--nodes");
  some(!envs.empty(), "--envs");
  some(!precisions.empty(), "--precision");
  some(!threads.empty(), "--threads");
  some(!backends.empty(), "--backend");
}

void bench(const Scenario& scenario, const std::string& task, const BenchOptions& options,
           const BenchListener& listener) {
  std::string no_device;
  std::vector<Backend> backends;
  for (Backend backend : options.backends)
    if (backend == Backend::cpu || device_available(&no_device))
      backends.push_back(backend);
    else
      listener.skip("all", backend, 0, 1, no_device);
  if (backends.empty()) return;
  for (int n_node : options.nodes) {
    bench_kernels(scenario, n_node, backends, options, listener);
    for (Backend backend : backends) bench_steps(scenario, n_node, backend, options, listener);
  }
  if (options.has("task_step") && options.has(Backend::cpu)) bench_tasks(task, options, listener);
}

}  // namespace nodia::studies

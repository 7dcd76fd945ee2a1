#include "tools/studies/bench.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tools/studies/bench_cases.hpp"

namespace nodia::studies {
namespace {

void bench_steps(const Scenario& scenario, int n_node, const BenchOptions& options,
                 const BenchListener& listener) {
  for (int threads : options.threads) {
    SolverOptions solver = scenario.solver;
    solver.threads = threads;
    for (Precision precision : options.precisions) {
      solver.precision = precision;
      bench_step(scenario, n_node, solver, options, listener);
      for (int n_env : options.envs)
        bench_batch(scenario, n_node, n_env, solver, options, listener);
    }
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
  some(cpu || cuda, "--backend");
}

void bench(const Scenario& scenario, const BenchOptions& options, const BenchListener& listener) {
  if (options.cuda) {
    std::string reason = "the time loop runs on the CPU only";
    device_available(&reason);
    listener.skip({"all", "cuda", 0, 1, reason});
  }
  if (!options.cpu) return;
  for (int n_node : options.nodes) {
    {
      SlidingMat mat(scenario, n_node, options);
      for (int threads : options.threads) {
        bench_iterations(mat, scenario.solver, threads, options, listener);
        bench_dynamics(&mat, options, threads, listener);
      }
    }
    bench_steps(scenario, n_node, options, listener);
  }
}

}  // namespace nodia::studies

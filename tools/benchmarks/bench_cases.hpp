/// The cases of `nodia bench`; bench.cpp runs them.
#pragma once

#include <vector>

#include "host/simulation/simulation.hpp"
#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

/// A refined mat that slides over the floor, and the problem of its coming step.
struct SlidingMat {
  Simulation simulation;
  ContactProblem problem;
  WarmStart warm;

  SlidingMat(const Scenario& scenario, int n_node, const BenchOptions& options);
  int n_node() const { return problem.n_node(); }
};

/// eigen_csr_product, block_product and iteration: per precision rounds of one measurement of each,
/// so that their ratios come from the same moments. On the device the iteration alone, beside Eigen
/// where the CPU is measured too.
void bench_iterations(const SlidingMat& mat, const SolverOptions& solver,
                      const BenchOptions& options, const BenchListener& listener);

/// sliced_product, cusparse_bsr_product and cusparse_sell_product on the device: per precision of
/// one number type rounds of one measurement of each. One that cannot be had, or is not A x to
/// rounding, is told as not measured.
void bench_products(const SlidingMat& mat, const BenchOptions& options,
                    const BenchListener& listener);

/// assembly, on the CPU.
void bench_assembly(SlidingMat* mat, const BenchOptions& options, int threads,
                    const BenchListener& listener);

/// detection, on the CPU.
void bench_search(const SlidingMat& mat, const BenchOptions& options, int threads,
                  const BenchListener& listener);
void bench_detection(SlidingMat* mat, const BenchOptions& options, int threads,
                     const BenchListener& listener);

/// integration, energies and judgement, on the CPU.
void bench_parts(const SlidingMat& mat, const BenchOptions& options, int threads,
                 const BenchListener& listener);

/// step.
void bench_step(const Scenario& scenario, int n_node, const SolverOptions& solver,
                const BenchOptions& options, const BenchListener& listener);

/// batch_step.
void bench_batch(const Scenario& scenario, int n_node, int n_env, const SolverOptions& solver,
                 const BenchOptions& options, const BenchListener& listener);

/// task_step, in environments whose values are drawn. @param path  of a scenario with a task
void bench_task(const std::string& path, int n_env, int threads, const BenchOptions& options,
                const BenchListener& listener);

/// batch_set_up.
void bench_batch_set_up(const Scenario& scenario, int n_node, int n_env,
                        const SolverOptions& solver, const BenchOptions& options,
                        const BenchListener& listener);

}  // namespace nodia::studies

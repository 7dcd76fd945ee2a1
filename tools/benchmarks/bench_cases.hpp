/// The cases of `nodia bench`; bench.cpp runs them.
#pragma once

#include <vector>

#include "host/simulation/simulation.hpp"
#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

/// A refined mat that slides over the floor, and the problem of its next step.
struct SlidingMat {
  Simulation simulation;
  ContactProblem problem;
  WarmStart warm;

  SlidingMat(const Scenario& scenario, int n_node, const BenchOptions& options);
  int n_node() const { return problem.n_node(); }
};

/// eigen_csr_product, block_product and iteration: for each precision, rounds of one measurement of
/// each, so that their ratios come from the same times. On the GPU the iteration alone, beside
/// Eigen if the CPU is measured too.
void bench_iterations(const SlidingMat& mat, const SolverOptions& solver,
                      const BenchOptions& options, const BenchListener& listener);

/// sliced_product, cusparse_bsr_product and cusparse_sell_product on the GPU: for each precision of
/// one number type, rounds of one measurement of each. A product that is absent, or differs from
/// A x by more than rounding, is reported as not measured.
void bench_products(const SlidingMat& mat, const BenchOptions& options,
                    const BenchListener& listener);

/// assembly, detection, search, integration, energies and judgement, on the CPU.
void bench_parts(const SlidingMat& mat, const BenchOptions& options, int threads,
                 const BenchListener& listener);
/// True if the options name one of these.
bool has_parts(const BenchOptions& options);

/// step.
void bench_step(const Scenario& scenario, int n_node, const SolverOptions& solver,
                const BenchOptions& options, const BenchListener& listener);

/// batch_step.
void bench_batch(const Scenario& scenario, int n_node, int n_env, const SolverOptions& solver,
                 const BenchOptions& options, const BenchListener& listener);

/// task_step, in environments with sampled values. @param path  of a scenario with a task
void bench_task(const std::string& path, int n_env, int threads, const BenchOptions& options,
                const BenchListener& listener);

/// batch_set_up.
void bench_batch_set_up(const Scenario& scenario, int n_node, int n_env,
                        const SolverOptions& solver, const BenchOptions& options,
                        const BenchListener& listener);

}  // namespace nodia::studies

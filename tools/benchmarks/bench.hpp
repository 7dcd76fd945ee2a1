/// Costs of kernels and of whole steps: rows of `nodia bench`.
#pragma once

#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "host/solvers/execution.hpp"
#include "scenarios/build/scenario.hpp"
#include "tools/benchmarks/study.hpp"

namespace nodia::studies {

/// Values of --cases. On the CPU, `iteration` also measures both products.
inline constexpr const char* kBenchCases[] = {"iteration",    "product",  "assembly", "detection",
                                              "search",       "parts",    "step",     "batch_step",
                                              "batch_set_up", "task_step"};

struct BenchOptions {
  std::vector<std::string> cases{std::begin(kBenchCases), std::end(kBenchCases)};
  std::vector<int> nodes{1500, 15000, 150000};  ///< approximate node counts of the refined mat
  std::vector<int> envs{1, 64};                 ///< environments of the batches
  std::vector<Precision> precisions{Precision::double_, Precision::mixed, Precision::float_};
  std::vector<int> threads{0};  ///< 0: from the problem's size and the machine
  std::vector<Backend> backends{Backend::cpu, Backend::cuda};
  double from_s = 1;               ///< time of the scenario at which the mat begins to move [s]
  int lead_steps = 5;              ///< steps before the first measurement
  int rounds = 9;                  ///< in each of which every case is measured once
  int steps = 5;                   ///< measured whole steps, also of batches
  std::optional<int> batch_nodes;  ///< largest batch, all environments together; without a value
                                   ///< kBatchNodes or kBatchNodesOnDevice

  bool has(const char* name) const;
  bool has(Backend backend) const;
  int most_batch_nodes(Backend backend) const;
  /// Throws InputError `--key = value (must be rule; hint)` for the first broken rule.
  void validate() const;
};

/// Nodes of batches that take seconds on the CPU and on the GPU.
inline constexpr int kBatchNodes = 400000, kBatchNodesOnDevice = 8000000;
/// The largest batch that is paired with its environments one after another.
inline constexpr int kPairedEnvironments = 64;

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Values of a row. Cases (`case`):
///
///   eigen_csr_product  Eigen's row-major product of the same matrix, double, on the CPU
///   block_product      the product in 3x3 blocks, on the CPU
///   sliced_product     y = A x in the loop's format (of floats in difference form) on the GPU;
///                      the host launches one product after another
///   cusparse_bsr_product, cusparse_sell_product  cuSPARSE's, in 3x3 blocks and as sliced ELL
///   iteration          a whole COND iteration by each stop rule, the residual's with its tests; on
///                      the CPU the difference of a long and a short solve, on the GPU between
///                      events around the loop
///   assembly           A and b of a step;  detection  its nodes near obstacles, by the kernels
///   search             all contacts of a step, self-contact included, from its state
///   integration, energies, judgement   a state advanced to the end of its step, its kinetic and
///                      potential energy, the error measures of a solution
///   step               a whole step of the mat
///   batch_step         a step of n_env mats, paired with the same mats one after another up to
///                      kPairedEnvironments
///   batch_set_up       a Simulation of n_env mats, and the solver's arrays for its first step; on
///                      the CPU
///   task_step          a step of n_env environments of a task whose paths act, over whole
///                      episodes, with everything else that a control step does; paired with the
///                      same episodes one after another, control step by control step; on the CPU
///
/// If only the GPU is requested, nothing is measured on the CPU.
const Fields& bench_fields();

/// Options of a case that no solver runs.
ExecutionOptions execution_on(Backend backend, Precision precision, int threads);

/// A row without measurements.
/// @param name       of the case
/// @param n_node     of one environment
/// @param execution  backend, precision and threads
Row bench_row(const char* name, int n_node, int n_env, const ExecutionOptions& execution);

/// Iterations after which precisions are compared.
inline constexpr int kErrorIterations = 200;

/// Called as soon as a row is known; may throw to end the study.
struct BenchListener {
  std::function<void(const Row&)> row;
  std::function<void(const Row&)> on_skip;

  /// Reports a case that is not measured as a row with case, backend, n_node, n_env and reason.
  void skip(const char* name, Backend backend, int n_node, int n_env,
            const std::string& reason) const;
};

/// Measures every size in turn, on the GPU too if there is one. The options must be valid and the
/// scene refinable (refinement.hpp).
/// @param task  path of the scenario of task_step
void bench(const Scenario& scenario, const std::string& task, const BenchOptions& options,
           const BenchListener& listener);

}  // namespace nodia::studies

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

namespace nodia::studies {

/// What can be asked for; on the CPU the rows of `iteration` come with both products'.
inline constexpr const char* kBenchCases[] = {"iteration",    "product",  "assembly", "detection",
                                              "search",       "parts",    "step",     "batch_step",
                                              "batch_set_up", "task_step"};

struct BenchOptions {
  std::vector<std::string> cases{std::begin(kBenchCases), std::end(kBenchCases)};
  std::vector<int> nodes{1500, 15000, 150000};  ///< the mat refined to about so many
  std::vector<int> envs{1, 64};                 ///< of the batches
  std::vector<Precision> precisions{Precision::double_, Precision::mixed, Precision::float_};
  std::vector<int> threads{0};  ///< 0: chosen from the problem's size and the machine
  std::vector<Backend> backends{Backend::cpu, Backend::cuda};
  double from_s = 1;               ///< time of the scenario at which the mat begins to move [s]
  int lead_steps = 5;              ///< steps before anything is measured
  int rounds = 9;                  ///< in which every case is measured once, one after the other
  int steps = 5;                   ///< whole steps that are measured, of batches too
  std::optional<int> batch_nodes;  ///< largest batch, all environments together; without a value
                                   ///< kBatchNodes or kBatchNodesOnDevice

  bool has(const char* name) const;
  bool has(Backend backend) const;
  int most_batch_nodes(Backend backend) const;
  /// Throws InputError `--key = value (must be rule; hint)` for the first broken rule.
  void validate() const;
};

/// Batches that take seconds: on the CPU, on the device.
inline constexpr int kBatchNodes = 400000, kBatchNodesOnDevice = 8000000;
/// The largest batch that is paired with its environments one after another.
inline constexpr int kPairedEnvironments = 64;

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// One measurement. What a case does not have is kNotMeasured.
///
///   eigen_csr_product  Eigen's row-major product of the same matrix, double, on the CPU
///   block_product      the product in 3x3 blocks, on the CPU
///   sliced_product     y = A x in the loop's format (of floats in difference form), launched by
///   the
///                      host one after another; of `product`, like the next two on the device
///   cusparse_bsr_product, cusparse_sell_product  cuSPARSE's, in 3x3 blocks and as sliced ELL
///   iteration          a whole COND iteration by each stop rule, the residual's with its tests; on
///                      the CPU the difference of a long and a short solve, on the device between
///                      events around the loop
///   assembly           A and b of a step;  detection  its nodes near obstacles, by the kernels
///   search             all contacts of a step, self-contact included, from its state on
///   integration, energies, judgement   of `parts`: a state taken to the end of its step, its
///                      kinetic and potential energy, the error measures of a solution
///   step               a whole step of the mat
///   batch_step         a step of n_env mats, paired with the same mats one after another up to
///                      kPairedEnvironments
///   batch_set_up       a Simulation of n_env mats, and the solver's arrays for its first step; on
///                      the CPU
///   task_step          a step of n_env environments of a task in which its paths act, over whole
///                      episodes, with all that a control step does besides; paired with the same
///                      one after another, control step by control step; on the CPU
///
/// Where only the device is asked for, nothing of the CPU is measured.
struct BenchRow {
  std::string name;
  std::string backend = "cpu";
  int n_node = 0;  ///< of one environment
  int n_env = 1;
  std::string precision;
  std::string stop;  ///< rule of an iteration's solve; empty elsewhere
  int threads = 1;
  std::string format;  ///< of the matrix; empty where the case has none of its own
  double us_per_iteration = kNotMeasured;    ///< of one product, iteration, assembly or detection;
                                             ///< in whole steps, solver time over iterations
  double ratio_to_eigen_csr = kNotMeasured;  ///< times of the same rounds, median
  double share_of_copy_bandwidth = kNotMeasured;  ///< bytes over time, over the speed of a copy
                                                  ///< that moves as many
  double gb_per_s = kNotMeasured;                 ///< bytes over time
  double ratio_to_own_product = kNotMeasured;     ///< of a product on the device: over the
                                                  ///< sliced_product's of the same rounds, median
  double env_steps_per_s = kNotMeasured;
  double bytes_per_iteration = kNotMeasured;  ///< counted: iteration_cost.hpp
  double flops_per_iteration = kNotMeasured;  ///< counted
  double ratio_to_read_time = kNotMeasured;   ///< over the time to read as many bytes once
  double iterations = kNotMeasured;           ///< of a step, mean
  double floor_ended_share = kNotMeasured;    ///< of a step's environments and steps, those that an
                                              ///< absolute floor of the stop rule ended [-]
  double step_ms = kNotMeasured;              ///< of all environments, median
  double step_over_solve = kNotMeasured;      ///< time of a step over the solver's share of it
  double before_loop_ms = kNotMeasured;       ///< of a step: COND's matrix, W and first test
  double loop_ms = kNotMeasured;          ///< of a step: COND's iterations and tests; on the device
                                          ///< between events and of all environments
  double error_vs_double = kNotMeasured;  ///< of an iteration's velocity after
                                          ///< kErrorIterations, over the CPU's in double, where
                                          ///< only the device is asked for over its own [-]
  double set_up_us_per_env = kNotMeasured;         ///< of a batch
  double solver_set_up_us_per_env = kNotMeasured;  ///< of it, the solver's arrays
  double speedup_over_serial = kNotMeasured;  ///< environments one after another on one thread,
                                              ///< over the batch; median of pairs
};

/// Iterations after which precisions are compared.
inline constexpr int kErrorIterations = 200;

/// What was asked for and not measured.
struct BenchSkip {
  std::string name, backend;
  int n_node = 0, n_env = 1;
  std::string reason;
};

/// Called as soon as something is known; may throw to end the study.
struct BenchListener {
  std::function<void(const BenchRow&)> row;
  std::function<void(const BenchSkip&)> skip;
};

/// Measures every size in turn, on the device too where there is one. The options must be valid and
/// the scene refinable (refinement.hpp).
/// @param task  path of the scenario of task_step
void bench(const Scenario& scenario, const std::string& task, const BenchOptions& options,
           const BenchListener& listener);

}  // namespace nodia::studies

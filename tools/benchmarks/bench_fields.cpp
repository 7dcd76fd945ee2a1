#include "host/base/threads.hpp"
#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {

const Fields& bench_fields() {
  static const Fields fields{
      {"case", "text", "what is measured"},
      {"backend", "text", "processor"},
      {"n_node", "-", "nodes of one environment"},
      {"n_env", "-", "environments"},
      {"precision", "text", "of the matrix and the iteration"},
      {"threads", "-", "CPU threads"},
      {"stop", "text", "stop rule of an iteration's solve; empty elsewhere"},
      {"format", "text", "of the matrix; empty if the case has none of its own"},
      {"us_per_iteration", "us",
       "one product, iteration, assembly or detection; in whole steps solver time over iterations"},
      {"ratio_to_eigen_csr", "-", "over the time of Eigen's product in the same rounds, median"},
      {"share_of_copy_bandwidth", "-", "bytes over time, over the speed of a copy of as many"},
      {"gb_per_s", "GB/s", "bytes over time"},
      {"ratio_to_own_product", "-",
       "of a product on the GPU: over the time of sliced_product in the same rounds, median"},
      {"env_steps_per_s", "1/s", "steps of all environments"},
      {"bytes_per_iteration", "B", "counted: iteration_cost.hpp"},
      {"flops_per_iteration", "-", "counted"},
      {"ratio_to_read_time", "-", "over the time to read as many bytes once"},
      {"iterations", "-", "of a step, mean"},
      {"step_ms", "ms", "a step of all environments, median"},
      {"step_over_solve", "-", "time of a step over the solver's share of it"},
      {"before_loop_ms", "ms", "of a step: COND's matrix, W and first test"},
      {"loop_ms", "ms",
       "of a step: COND's iterations and tests; on the GPU between events, all environments"},
      {"set_up_us_per_env", "us", "set-up of a batch"},
      {"solver_set_up_us_per_env", "us", "the part of it for the solver's arrays"},
      {"speedup_over_serial", "-",
       "environments one after another on one thread, over the batch; median of pairs"},
      {"error_vs_double", "-",
       "error of the velocity after kErrorIterations iterations, relative to double on the CPU; if "
       "only the GPU is requested, relative to double on it"},
      {"floor_ended_share", "-",
       "share of the environments and steps that an absolute floor of the stop rule ended"}};
  return fields;
}

ExecutionOptions execution_on(Backend backend, Precision precision, int threads) {
  ExecutionOptions execution;
  execution.backend = backend;
  execution.precision = precision;
  execution.threads = threads;
  return execution;
}

Row bench_row(const char* name, int n_node, int n_env, const ExecutionOptions& execution) {
  Row row = empty_row(bench_fields());
  row.at("case") = name;
  row.at("backend") = name_of(execution.backend);
  row.at("n_node") = n_node;
  row.at("n_env") = n_env;
  row.at("precision") = name_of(execution.precision);
  row.at("threads") = thread_count(execution.threads, n_env == 1 ? n_node : kNodesPerThreadedPass);
  return row;
}

void BenchListener::skip(const char* name, Backend backend, int n_node, int n_env,
                         const std::string& reason) const {
  on_skip({{"case", name},
           {"backend", name_of(backend)},
           {"n_node", n_node},
           {"n_env", n_env},
           {"reason", reason}});
}

}  // namespace nodia::studies

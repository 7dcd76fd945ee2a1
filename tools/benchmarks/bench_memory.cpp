#include "tools/benchmarks/bench_memory.hpp"

#include <fmt/format.h>

#include "host/io/machine.hpp"
#include "kernels/device/device.hpp"
#include "tools/benchmarks/bench.hpp"

namespace nodia::studies {
namespace {

// Peak of resident memory per node, rounded up by a third. Measured in mixed precision: 19 kB in
// the problem, its product by Eigen and the solvers of both stop rules at 4k nodes, 7.4 kB in steps
// at 15k nodes, 6.8 kB in 66 mats of 374 nodes and 12.7 kB in 60 that also run one after another.
constexpr double kIterationBytes = 25e3, kStepBytes = 10e3, kPairedBytes = 17e3;
/// 3.6 kB of the loop's arrays in mixed precision, and the buffers that measure the bandwidths.
constexpr double kDeviceBytes = 5e3;
/// 4.2 kB in double of A in three formats, and the same buffers.
constexpr double kProductDeviceBytes = 7e3;

double host_bytes_per_node(const std::string& name, int n_env) {
  if (name == "iteration" || name == "product") return kIterationBytes;
  const bool paired = name == "batch_step" || name == "task_step";
  return paired && n_env <= kPairedEnvironments ? kPairedBytes : kStepBytes;
}

std::string refusal(const char* where, double needed, double free) {
  if (needed <= free) return "";
  return fmt::format("needs about {:.1f} GB of {}, {:.1f} GB are free", 1e-9 * needed, where,
                     1e-9 * free);
}

}  // namespace

std::string too_little_memory(const std::string& name, int n_node, int n_env, Backend backend) {
  const double n = static_cast<double>(n_node) * n_env;
  std::string reason = refusal("memory", n * host_bytes_per_node(name, n_env),
                               static_cast<double>(available_memory_bytes()));
  if (!reason.empty() || backend == Backend::cpu) return reason;
  return refusal("the device's memory",
                 n * (name == "product" ? kProductDeviceBytes : kDeviceBytes),
                 static_cast<double>(device_free_bytes()));
}

}  // namespace nodia::studies

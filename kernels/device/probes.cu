/// Every cost per repetition is the difference of a long and a short run, so that launches and
/// timers cancel.
#include "kernels/device/probes.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/core/stopwatch.hpp"
#include "kernels/device/check.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/device/ticket_litmus.hpp"

namespace nodia {
namespace {

constexpr const char* kWhat = "probes";
constexpr int kRepeats = 9;
constexpr int kThreads = 256;
constexpr int kClusterComputeCapability = 90;

// What is measured.

__global__ void empty_kernel() {}

__global__ void grid_barrier_kernel(int n) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int i = 0; i < n; ++i) grid.sync();
}

__global__ void cluster_barrier_kernel([[maybe_unused]] int n) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  for (int i = 0; i < n; ++i) cluster.sync();
#endif
}

/// Reads of another block's shared memory, each of which waits for the one before.
__global__ void cluster_read_kernel([[maybe_unused]] int n, [[maybe_unused]] unsigned* sink) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  __shared__ unsigned zero[2];
  if (threadIdx.x < 2) zero[threadIdx.x] = 0;
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    const volatile unsigned* there = cluster.map_shared_rank(zero, 1);
    unsigned i = 0;
    for (int k = 0; k < n; ++k) i = there[i];
    *sink = i;
  }
  cluster.sync();
#endif
}

/// Lets the next kernel's blocks start at once; its work waits for the end of the one before.
__global__ void overlapping_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

__global__ void set_kernel(int* left, int n) {
  *left = n;
}

__global__ void count_down_kernel(cudaGraphConditionalHandle handle, int* left) {
  cudaGraphSetConditional(handle, --*left > 0 ? 1U : 0U);
}

__global__ void fill_kernel(ulonglong2* word, std::size_t n) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    word[i] = {0x9e3779b97f4a7c15ULL * (i + 1), 0xd1b54a32d192ed03ULL * (i + 1)};
}

/// Words that every thread has in flight at once.
constexpr int kAhead = 4;

/// Past the first-level caches. `sink` is never written; the compiler cannot know.
__global__ void read_kernel(const ulonglong2* word, std::size_t n, int n_pass,
                            unsigned long long* sink) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto value = [](ulonglong2 w) { return w.x ^ w.y; };
  unsigned long long sum = 0;
  for (int pass = 0; pass < n_pass; ++pass) {
    std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (kAhead - 1) * stride < n; i += kAhead * stride) {
      ulonglong2 w[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) w[k] = __ldcg(word + i + k * stride);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) sum += value(w[k]);
    }
    for (; i < n; i += stride) sum += value(__ldcg(word + i));
  }
  if (sum == 1) *sink = sum;
}

__global__ void copy_kernel(const ulonglong2* from, ulonglong2* to, std::size_t n, int n_pass) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (int pass = 0; pass < n_pass; ++pass) {
    std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + (kAhead - 1) * stride < n; i += kAhead * stride) {
      ulonglong2 w[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) w[k] = __ldcg(from + i + k * stride);
#pragma unroll
      for (int k = 0; k < kAhead; ++k) __stcg(to + i + k * stride, w[k]);
    }
    for (; i < n; i += stride) __stcg(to + i, __ldcg(from + i));
  }
}

// How it is measured.

double median(std::vector<double> value) {
  std::sort(value.begin(), value.end());
  return value[value.size() / 2];
}

/// Median of (time of run(more) - time of run(few)) / (more - few) [s]. Where the device idles
/// between launches, events read the host's pace, which is then what is asked for.
double s_per_repetition(const OwnedStream& stream, int few, int more,
                        const std::function<void(int)>& run) {
  StreamEvent start(kWhat), end(kWhat);
  const auto time_s = [&](int n) {
    start.record(stream.get());
    run(n);
    end.record(stream.get());
    return end.s_since(start);
  };
  time_s(more);
  std::vector<double> difference;
  for (int r = 0; r < kRepeats; ++r) {
    const double few_s = time_s(few);
    difference.push_back((time_s(more) - few_s) / (more - few));
  }
  return median(difference);
}

cudaLaunchConfig_t configuration(int n_block, int n_thread, const OwnedStream& stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(n_block));
  config.blockDim = dim3(static_cast<unsigned>(n_thread));
  config.stream = stream.get();
  return config;
}

/// Does not wait, in a debug build either: some launches are captured.
template <class... Parameters, class... Arguments>
void launch_probe(const char* name, const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                  Arguments... arguments) {
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
             "cudaLaunchKernelEx", name);
}

struct Device {
  int n_multiprocessor = 0, l2_bytes = 0, compute_capability = 0;
  std::size_t free_bytes = 0;
};

Device probed_device() {
  std::string reason;
  if (!device_available(&reason)) throw RuntimeError("probes: " + reason);
  int major = 0, minor = 0;
  Device device;
  const int id = current_device();
  const auto read = [id](int* value, cudaDeviceAttr which) {
    check_cuda(cudaDeviceGetAttribute(value, which, id), "cudaDeviceGetAttribute", "probes");
  };
  read(&device.n_multiprocessor, cudaDevAttrMultiProcessorCount);
  read(&device.l2_bytes, cudaDevAttrL2CacheSize);
  read(&major, cudaDevAttrComputeCapabilityMajor);
  read(&minor, cudaDevAttrComputeCapabilityMinor);
  device.compute_capability = 10 * major + minor;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&device.free_bytes, &total), "cudaMemGetInfo", "probes");
  return device;
}

double grid_barrier_s(const Device& device) {
  const OwnedStream stream(kWhat);
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config = configuration(device.n_multiprocessor, kThreads, stream);
  config.attrs = &cooperative;
  config.numAttrs = 1;
  return s_per_repetition(stream, 200, 2200, [&](int n) {
    launch_probe("grid_barrier_kernel", config, grid_barrier_kernel, n);
  });
}

/// Empty where the device and this build have what came with compute capability 9.0; else why not.
std::string hopper_refused(const Device& device) {
  if (device.compute_capability < kClusterComputeCapability)
    return "the device has compute capability below 9.0";
  cudaFuncAttributes compiled{};
  check_cuda(cudaFuncGetAttributes(&compiled, cluster_barrier_kernel), "cudaFuncGetAttributes",
             "cluster_barrier_kernel");
  return compiled.ptxVersion < kClusterComputeCapability
             ? "this build has no code for compute capability 9.0"
             : "";
}

/// Clusters of the configuration that the device holds at a time.
int concurrent_clusters(const cudaLaunchConfig_t& config) {
  check_cuda(cudaFuncSetAttribute(cluster_barrier_kernel,
                                  cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute", "cluster_barrier_kernel");
  int n_cluster = 0;
  check_cuda(cudaOccupancyMaxActiveClusters(&n_cluster, cluster_barrier_kernel, &config),
             "cudaOccupancyMaxActiveClusters", "cluster_barrier_kernel");
  return n_cluster;
}

cudaLaunchAttribute cluster_of(int size) {
  cudaLaunchAttribute dimension{};
  dimension.id = cudaLaunchAttributeClusterDimension;
  dimension.val.clusterDim.x = static_cast<unsigned>(size);
  dimension.val.clusterDim.y = 1;
  dimension.val.clusterDim.z = 1;
  return dimension;
}

/// Result of a probe.
struct Found {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string refused;  ///< reason why it cannot be tried here; empty if it was tried
  std::string failed;   ///< error that it found; empty if there is none
};

Found measured(double value) {
  Found found;
  found.value = value;
  return found;
}

Found microseconds(double s) {
  return measured(1e6 * s);
}

/// One cluster of `size` blocks: time(stream, config) of it [s].
Found in_a_cluster(
    const Device& device, int size,
    const std::function<double(const OwnedStream&, const cudaLaunchConfig_t&)>& time) {
  Found found;
  found.refused = hopper_refused(device);
  if (!found.refused.empty()) return found;
  const OwnedStream stream(kWhat);
  cudaLaunchAttribute dimension = cluster_of(size);
  cudaLaunchConfig_t config = configuration(size, kThreads, stream);
  config.attrs = &dimension;
  config.numAttrs = 1;
  if (concurrent_clusters(config) == 0)
    found.refused = "the device holds no cluster of that size";
  else
    found.value = 1e6 * time(stream, config);
  return found;
}

Found cluster_barrier(const Device& device, int size) {
  return in_a_cluster(device, size,
                      [](const OwnedStream& stream, const cudaLaunchConfig_t& config) {
                        return s_per_repetition(stream, 500, 10500, [&](int n) {
                          launch_probe("cluster_barrier_kernel", config, cluster_barrier_kernel, n);
                        });
                      });
}

Found cluster_read(const Device& device) {
  return in_a_cluster(device, 2, [](const OwnedStream& stream, const cudaLaunchConfig_t& config) {
    DeviceBuffer<unsigned> sink(1);
    return s_per_repetition(stream, 1000, 21000, [&](int n) {
      launch_probe("cluster_read_kernel", config, cluster_read_kernel, n, sink.data());
    });
  });
}

Found cluster_count(const Device& device, int size) {
  Found found;
  found.refused = hopper_refused(device);
  if (!found.refused.empty()) return found;
  const OwnedStream stream(kWhat);
  cudaLaunchAttribute dimension = cluster_of(size);
  cudaLaunchConfig_t config = configuration(size * device.n_multiprocessor, kThreads, stream);
  config.attrs = &dimension;
  config.numAttrs = 1;
  found.value = concurrent_clusters(config);
  if (found.value == 0) return {Found{}.value, "the device holds no cluster of that size", ""};
  return found;
}

/// A chain of kernels, one block a multiprocessor, as one graph.
class KernelChain {
 public:
  /// @param overlap  each may start before the one before has ended
  KernelChain(const Device& device, int n_node, bool overlap, const OwnedStream& stream) {
    cudaLaunchConfig_t config = configuration(device.n_multiprocessor, kThreads, stream);
    cudaLaunchAttribute serialization{};
    serialization.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serialization.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &serialization;
    config.numAttrs = overlap ? 1 : 0;
    check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed),
               "cudaStreamBeginCapture", "KernelChain");
    for (int i = 0; i < n_node; ++i)
      launch_probe("KernelChain", config, overlap ? overlapping_kernel : empty_kernel);
    check_cuda(cudaStreamEndCapture(stream.get(), &graph_), "cudaStreamEndCapture", "KernelChain");
    check_cuda(cudaGraphInstantiate(&executable_, graph_, 0), "cudaGraphInstantiate",
               "KernelChain");
  }
  ~KernelChain() {
    static_cast<void>(cudaGraphExecDestroy(executable_));
    static_cast<void>(cudaGraphDestroy(graph_));
  }
  KernelChain(const KernelChain&) = delete;
  KernelChain& operator=(const KernelChain&) = delete;
  void run(const OwnedStream& stream) const {
    check_cuda(cudaGraphLaunch(executable_, stream.get()), "cudaGraphLaunch", "KernelChain");
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

double graph_node_s(const Device& device, bool overlap) {
  constexpr int kFew = 100, kMore = 1100;
  const OwnedStream stream(kWhat);
  const KernelChain few(device, kFew, overlap, stream), more(device, kMore, overlap, stream);
  return s_per_repetition(stream, kFew, kMore,
                          [&](int n) { (n == kFew ? few : more).run(stream); });
}

/// A graph that is one loop, whose body is one kernel that counts down in device memory.
class CountingLoop {
 public:
  explicit CountingLoop(const OwnedStream& stream) : left_(1) {
    check_cuda(cudaGraphCreate(&graph_, 0), "cudaGraphCreate", "CountingLoop");
    cudaGraphConditionalHandle handle{};
    check_cuda(cudaGraphConditionalHandleCreate(&handle, graph_, 1, cudaGraphCondAssignDefault),
               "cudaGraphConditionalHandleCreate", "CountingLoop");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    const cudaError_t added = cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &parameters);
#else
    const cudaError_t added = cudaGraphAddNode(&node, graph_, nullptr, 0, &parameters);
#endif
    check_cuda(added, "cudaGraphAddNode", "CountingLoop");
    check_cuda(cudaStreamBeginCaptureToGraph(stream.get(), parameters.conditional.phGraph_out[0],
                                             nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed),
               "cudaStreamBeginCaptureToGraph", "CountingLoop");
    launch_probe("count_down_kernel", configuration(1, 1, stream), count_down_kernel, handle,
                 left_.data());
    cudaGraph_t body = nullptr;
    check_cuda(cudaStreamEndCapture(stream.get(), &body), "cudaStreamEndCapture", "CountingLoop");
    check_cuda(cudaGraphInstantiate(&executable_, graph_, 0), "cudaGraphInstantiate",
               "CountingLoop");
  }
  ~CountingLoop() {
    static_cast<void>(cudaGraphExecDestroy(executable_));
    static_cast<void>(cudaGraphDestroy(graph_));
  }
  CountingLoop(const CountingLoop&) = delete;
  CountingLoop& operator=(const CountingLoop&) = delete;
  void run(int n_body, const OwnedStream& stream) {
    launch_probe("set_kernel", configuration(1, 1, stream), set_kernel, left_.data(), n_body);
    check_cuda(cudaGraphLaunch(executable_, stream.get()), "cudaGraphLaunch", "CountingLoop");
  }

 private:
  DeviceBuffer<int> left_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

double graph_while_s() {
  const OwnedStream stream(kWhat);
  CountingLoop loop(stream);
  return s_per_repetition(stream, 100, 1100, [&](int n) { loop.run(n, stream); });
}

/// Median time of call() and of the device's work before its end [s], after a first one.
double host_time_s(const std::function<void()>& call) {
  std::vector<double> s;
  for (int r = 0; r <= kRepeats; ++r) {
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "probes");
    const Stopwatch watch;
    call();
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize", "probes");
    s.push_back(watch.seconds());
  }
  s.erase(s.begin());
  return median(s);
}

constexpr std::size_t kCopyBytes = std::size_t{256} << 20;

double copy_s(void* host, bool to_device) {
  DeviceBuffer<char> device(kCopyBytes);
  return host_time_s([&] {
    if (to_device)
      copy_to_device(device.data(), host, kCopyBytes);
    else
      copy_to_host(host, device.data(), kCopyBytes);
  });
}

/// [GB/s]
Found host_copy(bool pinned, bool to_device) {
  double s = 0;
  if (pinned) {
    PinnedMemory host(kCopyBytes);
    s = copy_s(host.data(), to_device);
  } else {
    std::vector<char> host(kCopyBytes, 1);
    s = copy_s(host.data(), to_device);
  }
  return measured(1e-9 * static_cast<double>(kCopyBytes) / s);
}

double allocation_s() {
  return host_time_s([] { DeviceBuffer<char> memory(std::size_t{64} << 20); });
}

double stream_launch_s(const Device& device) {
  const OwnedStream stream(kWhat);
  const cudaLaunchConfig_t config = configuration(device.n_multiprocessor, kThreads, stream);
  return s_per_repetition(stream, 100, 1100, [&](int n) {
    for (int i = 0; i < n; ++i) launch_probe("empty_kernel", config, empty_kernel);
  });
}

double launch_and_wait_s() {
  const OwnedStream stream(kWhat);
  const cudaLaunchConfig_t config = configuration(1, 32, stream);
  std::vector<double> round_trip;
  for (int r = 0; r < 200; ++r) {
    const Stopwatch watch;
    launch_probe("empty_kernel", config, empty_kernel);
    synchronize_device("empty_kernel", stream.get());
    round_trip.push_back(watch.seconds());
  }
  return median(round_trip);
}

/// Stale words of the ticket litmus.
Found stale_words(Tickets tickets, const TicketShape& shape) {
  constexpr int kRounds = 100000;
  Found found;
  if (!can_record_loops(&found.refused)) return found;
  const TicketFindings findings = run_ticket_litmus(tickets, shape, kRounds);
  found.value = static_cast<double>(findings.n_stale);
  if (findings.n_miscounted > 0)
    found.failed = std::to_string(findings.n_miscounted) + " decisions are missing or too many";
  else if (tickets == Tickets::ordered && findings.n_stale > 0)
    found.failed = "a deciding block saw stale words";
  else if (tickets != Tickets::ordered && findings.n_stale == 0)
    found.failed = "the negative control found no stale word: the litmus is blind";
  return found;
}

/// As many blocks as the device holds at a time.
cudaLaunchConfig_t full_configuration(const Device& device, const OwnedStream& stream) {
  return configuration(device.n_multiprocessor * (2048 / kThreads), kThreads, stream);
}

/// Words of 16 bytes, none of them zero.
DeviceBuffer<ulonglong2> filled(std::size_t bytes, const Device& device,
                                const OwnedStream& stream) {
  DeviceBuffer<ulonglong2> word(std::max<std::size_t>(bytes / sizeof(ulonglong2), 1));
  launch_probe("fill_kernel", full_configuration(device, stream), fill_kernel, word.data(),
               word.size());
  return word;
}

/// Passes over `bytes` that take long beside the rest of a run.
int pass_count(std::size_t bytes) {
  return static_cast<int>(
      std::clamp<std::size_t>((std::size_t{8} << 30) / std::max<std::size_t>(bytes, 1), 4, 4000));
}

}  // namespace

double device_read_time_s(std::size_t bytes) {
  const Device device = probed_device();
  const OwnedStream stream(kWhat);
  const DeviceBuffer<ulonglong2> word = filled(bytes, device, stream);
  DeviceBuffer<unsigned long long> sink(1);
  return s_per_repetition(stream, 1, 1 + pass_count(bytes), [&](int n) {
    launch_probe("read_kernel", full_configuration(device, stream), read_kernel, word.data(),
                 word.size(), n, sink.data());
  });
}

double device_copy_time_s(std::size_t bytes) {
  const Device device = probed_device();
  const OwnedStream stream(kWhat);
  const DeviceBuffer<ulonglong2> from = filled(bytes / 2, device, stream);
  DeviceBuffer<ulonglong2> to = filled(bytes / 2, device, stream);
  return s_per_repetition(stream, 1, 1 + pass_count(bytes), [&](int n) {
    launch_probe("copy_kernel", full_configuration(device, stream), copy_kernel, from.data(),
                 to.data(), from.size(), n);
  });
}

void probe_device(const std::function<void(const DeviceProbe&)>& listener) {
  const Device device = probed_device();
  const auto probe = [&listener](const char* name, const char* unit, const char* meaning,
                                 const std::function<Found()>& measure) {
    DeviceProbe done{name, unit, meaning, Found{}.value, "", ""};
    try {
      const Found found = measure();
      done.value = found.value;
      done.skipped_because = found.refused;
      done.failed_because = found.failed;
    } catch (const RuntimeError& error) {
      done.failed_because = error.what();
    }
    listener(done);
  };
  const auto bandwidth = [](std::size_t bytes, double s) {
    return measured(1e-9 * static_cast<double>(bytes) / s);
  };
  const std::size_t l2 = static_cast<std::size_t>(device.l2_bytes) / 2;
  const std::size_t large = std::min<std::size_t>(std::size_t{4} << 30, device.free_bytes / 2);

  const auto litmus = [&probe](const char* name, const char* meaning, Tickets tickets,
                               const TicketShape& shape) {
    probe(name, "count", meaning, [&] { return stale_words(tickets, shape); });
  };
  // Sizes are {blocks, groups, items of a group}. 1056 blocks of 256 threads fill 132
  // multiprocessors.
  const TicketShape full{1056, 117, 9};
  litmus("tickets_of_1_block", "stale words in 1e5 rounds (must be 0), 2 groups of 3 items",
         Tickets::ordered, {1, 2, 3});
  litmus("tickets_of_4_blocks", "the same, one group of 9 items", Tickets::ordered, {4, 1, 9});
  litmus("tickets_of_single_items", "the same, 1056 blocks, 1056 groups of 1 item",
         Tickets::ordered, {1056, 1056, 1});
  litmus("tickets_of_1056_blocks", "the same, 117 groups of 9 items", Tickets::ordered, full);
  litmus("tickets_without_acquire", "the same, built without the acquire (must be above 0)",
         Tickets::without_acquire, full);
  litmus("tickets_without_release", "the same, built without the release (must be above 0)",
         Tickets::without_release, full);
  probe("launch_and_wait", "us", "launch of an empty kernel until the host knows of its end",
        [] { return microseconds(launch_and_wait_s()); });
  probe("stream_launch", "us", "from one empty kernel in a stream to the next",
        [&] { return microseconds(stream_launch_s(device)); });
  probe("graph_node", "us",
        "from one empty kernel of a CUDA graph to the next, one block a multiprocessor",
        [&] { return microseconds(graph_node_s(device, false)); });
  probe("l2_read_bandwidth", "GB/s", "half of the second-level cache, past the first level",
        [&] { return bandwidth(l2, device_read_time_s(l2)); });
  probe("read_bandwidth", "GB/s", "4 GiB or half of the free memory",
        [&] { return bandwidth(large, device_read_time_s(large)); });
  probe("copy_bandwidth", "GB/s", "the same, half of it read and half of it written",
        [&] { return bandwidth(large, device_copy_time_s(large)); });
  probe("host_to_device_pageable", "GB/s", "256 MiB of ordinary memory",
        [] { return host_copy(false, true); });
  probe("device_to_host_pageable", "GB/s", "256 MiB to ordinary memory",
        [] { return host_copy(false, false); });
  probe("host_to_device_pinned", "GB/s", "256 MiB of page-locked memory",
        [] { return host_copy(true, true); });
  probe("device_to_host_pinned", "GB/s", "256 MiB to page-locked memory",
        [] { return host_copy(true, false); });
  probe("allocation", "us", "cudaMalloc and cudaFree of 64 MiB",
        [] { return microseconds(allocation_s()); });
  probe("grid_barrier", "us", "cooperative groups, one block of 256 threads a multiprocessor",
        [&] { return microseconds(grid_barrier_s(device)); });
  probe("cluster_barrier_4", "us", "one cluster of 4 blocks of 256 threads",
        [&] { return cluster_barrier(device, 4); });
  probe("cluster_barrier_8", "us", "one cluster of 8 blocks of 256 threads",
        [&] { return cluster_barrier(device, 8); });
  probe("cluster_barrier_16", "us", "one cluster of 16 blocks of 256 threads",
        [&] { return cluster_barrier(device, 16); });
  probe("cluster_read", "us", "a read of another block's shared memory, one after the other",
        [&] { return cluster_read(device); });
  probe("concurrent_clusters_8", "count", "clusters of 8 blocks that the device holds at a time",
        [&] { return cluster_count(device, 8); });
  probe("concurrent_clusters_16", "count", "clusters of 16 blocks that the device holds at a time",
        [&] { return cluster_count(device, 16); });
  probe("graph_while", "us", "one pass of a loop of a CUDA graph whose body is one kernel",
        [] { return microseconds(graph_while_s()); });
  probe("graph_node_overlapping", "us",
        "graph_node where each kernel may start before the last ends", [&]() -> Found {
          const std::string refused = hopper_refused(device);
          if (!refused.empty()) return {Found{}.value, refused, ""};
          return microseconds(graph_node_s(device, true));
        });
}

}  // namespace nodia

/// Every cost per repetition is the difference of a long and a short run, so that launches and
/// timers cancel.
#include "kernels/device/probes.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "kernels/device/check.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {
namespace {

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

/// A stream of its own: the default stream cannot be captured in a graph.
class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate", "probes"); }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate", "probes"); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(const Stream& stream) {
    check_cuda(cudaEventRecord(event_, stream.get()), "cudaEventRecord", "probes");
  }
  double s_since(const Event& start) const {
    float ms = 0;
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize", "probes");
    check_cuda(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime", "probes");
    return 1e-3 * ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

double median(std::vector<double> value) {
  std::sort(value.begin(), value.end());
  return value[value.size() / 2];
}

/// Median of (time of run(more) - time of run(few)) / (more - few) [s]. Where the device idles
/// between launches, events read the host's pace, which is then what is asked for.
double s_per_repetition(const Stream& stream, int few, int more,
                        const std::function<void(int)>& run) {
  Event start, end;
  const auto time_s = [&](int n) {
    start.record(stream);
    run(n);
    end.record(stream);
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

cudaLaunchConfig_t configuration(int n_block, int n_thread, const Stream& stream) {
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

Device current_device() {
  std::string reason;
  if (!device_available(&reason)) throw RuntimeError("probes: " + reason);
  int id = 0, major = 0, minor = 0;
  Device device;
  check_cuda(cudaGetDevice(&id), "cudaGetDevice", "probes");
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
  const Stream stream;
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

/// Empty where a cluster of that size can run; else why not.
std::string cluster_refused(const Device& device, cudaLaunchConfig_t* config) {
  if (device.compute_capability < kClusterComputeCapability)
    return "the device has no clusters (compute capability below 9.0)";
  cudaFuncAttributes compiled{};
  check_cuda(cudaFuncGetAttributes(&compiled, cluster_barrier_kernel), "cudaFuncGetAttributes",
             "cluster_barrier_kernel");
  if (compiled.ptxVersion < kClusterComputeCapability)
    return "this build has no code for compute capability 9.0";
  check_cuda(cudaFuncSetAttribute(cluster_barrier_kernel,
                                  cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute", "cluster_barrier_kernel");
  int n_cluster = 0;
  check_cuda(cudaOccupancyMaxActiveClusters(&n_cluster, cluster_barrier_kernel, config),
             "cudaOccupancyMaxActiveClusters", "cluster_barrier_kernel");
  return n_cluster > 0 ? "" : "the device holds no cluster of that size";
}

/// @return NaN and a reason where clusters of `size` blocks do not run
double cluster_barrier_s(const Device& device, int size, std::string* refused) {
  const Stream stream;
  cudaLaunchAttribute dimension{};
  dimension.id = cudaLaunchAttributeClusterDimension;
  dimension.val.clusterDim.x = static_cast<unsigned>(size);
  dimension.val.clusterDim.y = 1;
  dimension.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = configuration(size, kThreads, stream);
  config.attrs = &dimension;
  config.numAttrs = 1;
  *refused = cluster_refused(device, &config);
  if (!refused->empty()) return std::numeric_limits<double>::quiet_NaN();
  return s_per_repetition(stream, 500, 10500, [&](int n) {
    launch_probe("cluster_barrier_kernel", config, cluster_barrier_kernel, n);
  });
}

/// A chain of empty kernels, one block a multiprocessor, as one graph.
class KernelChain {
 public:
  KernelChain(const Device& device, int n_node, const Stream& stream) {
    const cudaLaunchConfig_t config = configuration(device.n_multiprocessor, kThreads, stream);
    check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal),
               "cudaStreamBeginCapture", "KernelChain");
    for (int i = 0; i < n_node; ++i) launch_probe("empty_kernel", config, empty_kernel);
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
  void run(const Stream& stream) const {
    check_cuda(cudaGraphLaunch(executable_, stream.get()), "cudaGraphLaunch", "KernelChain");
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

double graph_node_s(const Device& device) {
  constexpr int kFew = 100, kMore = 1100;
  const Stream stream;
  const KernelChain few(device, kFew, stream), more(device, kMore, stream);
  return s_per_repetition(stream, kFew, kMore,
                          [&](int n) { (n == kFew ? few : more).run(stream); });
}

double stream_launch_s(const Device& device) {
  const Stream stream;
  const cudaLaunchConfig_t config = configuration(device.n_multiprocessor, kThreads, stream);
  return s_per_repetition(stream, 100, 1100, [&](int n) {
    for (int i = 0; i < n; ++i) launch_probe("empty_kernel", config, empty_kernel);
  });
}

double launch_and_wait_s() {
  using Clock = std::chrono::steady_clock;
  const Stream stream;
  const cudaLaunchConfig_t config = configuration(1, 32, stream);
  std::vector<double> round_trip;
  for (int r = 0; r < 200; ++r) {
    const Clock::time_point start = Clock::now();
    launch_probe("empty_kernel", config, empty_kernel);
    synchronize_device("empty_kernel", stream.get());
    round_trip.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return median(round_trip);
}

/// As many blocks as the device holds at a time.
cudaLaunchConfig_t full_configuration(const Device& device, const Stream& stream) {
  return configuration(device.n_multiprocessor * (2048 / kThreads), kThreads, stream);
}

/// Words of 16 bytes, none of them zero.
DeviceBuffer<ulonglong2> filled(std::size_t bytes, const Device& device, const Stream& stream) {
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
  const Device device = current_device();
  const Stream stream;
  const DeviceBuffer<ulonglong2> word = filled(bytes, device, stream);
  DeviceBuffer<unsigned long long> sink(1);
  return s_per_repetition(stream, 1, 1 + pass_count(bytes), [&](int n) {
    launch_probe("read_kernel", full_configuration(device, stream), read_kernel, word.data(),
                 word.size(), n, sink.data());
  });
}

double device_copy_time_s(std::size_t bytes) {
  const Device device = current_device();
  const Stream stream;
  const DeviceBuffer<ulonglong2> from = filled(bytes / 2, device, stream);
  DeviceBuffer<ulonglong2> to = filled(bytes / 2, device, stream);
  return s_per_repetition(stream, 1, 1 + pass_count(bytes), [&](int n) {
    launch_probe("copy_kernel", full_configuration(device, stream), copy_kernel, from.data(),
                 to.data(), from.size(), n);
  });
}

std::vector<DeviceProbe> probe_device() {
  const Device device = current_device();
  std::vector<DeviceProbe> probes;
  const auto add_us = [&probes](const char* name, const char* meaning, double s,
                                const std::string& refused = "") {
    probes.push_back({name, "us", meaning, 1e6 * s, refused});
  };
  const auto add_bandwidth = [&probes](const char* name, const char* meaning, std::size_t bytes,
                                       double s) {
    probes.push_back({name, "GB/s", meaning, 1e-9 * static_cast<double>(bytes) / s, ""});
  };
  add_us("grid_barrier", "cooperative groups, one block of 256 threads a multiprocessor",
         grid_barrier_s(device));
  std::string refused;
  double s = cluster_barrier_s(device, 8, &refused);
  add_us("cluster_barrier_8", "one cluster of 8 blocks of 256 threads", s, refused);
  s = cluster_barrier_s(device, 16, &refused);
  add_us("cluster_barrier_16", "one cluster of 16 blocks of 256 threads", s, refused);
  add_us("graph_node",
         "from one empty kernel of a CUDA graph to the next, one block a "
         "multiprocessor",
         graph_node_s(device));
  add_us("stream_launch", "from one empty kernel in a stream to the next", stream_launch_s(device));
  add_us("launch_and_wait", "launch of an empty kernel until the host knows of its end",
         launch_and_wait_s());
  const std::size_t l2 = static_cast<std::size_t>(device.l2_bytes) / 2;
  add_bandwidth("l2_read_bandwidth", "half of the second-level cache, past the first level", l2,
                device_read_time_s(l2));
  const std::size_t large = std::min<std::size_t>(std::size_t{4} << 30, device.free_bytes / 2);
  add_bandwidth("read_bandwidth", "4 GiB or half of the free memory", large,
                device_read_time_s(large));
  add_bandwidth("copy_bandwidth", "the same, half of it read and half of it written", large,
                device_copy_time_s(large));
  return probes;
}

}  // namespace nodia
